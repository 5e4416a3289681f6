"""Programs with classes below one another, whose methods are called outside traces.

Out: one file as text, drawn at random: methods that draw from a key, call each other, ask `super()`, the class
and attributes, and set attributes; classes that replace some of them; functions that use objects of each class.
"""

from __future__ import annotations

import random

from .edit import Texts

METHODS = 4


def project(chance: random.Random) -> Texts:
    """One file with two to seven classes."""
    names = [f"C{number}" for number in range(chance.randint(2, 7))]
    chance.shuffle(names)
    rows = ["import jax", "import jax.numpy as jnp", ""]
    for number, name in enumerate(names):
        bases = chance.sample(names[:number], min(number, chance.choice([1, 1, 1, 2])))
        rows += ["", f"class {name}({', '.join(sorted(bases, key=names.index, reverse=True))}):"]
        rows += _body(chance, names, number)
    for name in names:
        rows += ["", f"def use_{name}(key, x):"]
        for _ in range(chance.randint(1, 3)):
            owner = chance.choice([f"{name}()", f"{name}()", "made"])
            if owner == "made":
                rows += [f"    made = {name}()"]
            rows += [f"    key, sub = jax.random.split(key)\n    x = {owner}.m{chance.randrange(METHODS)}(sub, x)"]
        rows += ["    return x"]
        if chance.random() < 0.4:
            rows += ["", f"def take_{name}(item: {name}, key, x):", "    return item.m0(key, x) + item.m1(key, x)"]
    return {"family.py": "\n".join(rows) + "\n"}


def _body(chance: random.Random, names: list[str], number: int) -> list[str]:
    rows = []
    if chance.random() < 0.3:
        rows += [f"    a{chance.randrange(2)} = {chance.choice(['1', 'None', 'True', '2.5'])}", ""]
    if number == 0 or chance.random() < 0.3:
        rows += ["    def __init__(self):"]
        kinds = ["None", "0", "jax.jit(jax.random.normal)", "self.m1", "[]", "jnp.ones(3)", "jax.random.key(1)"]
        rows += [f"        self.a{each} = {chance.choice(kinds)}" for each in range(2)] + [""]
    if chance.random() < 0.15:
        rows += ["    def __matmul__(self, key):", "        return jax.random.uniform(key, (3,))", ""]
    for method in range(METHODS):
        if number == 0 or chance.random() < 0.25:
            rows += [f"    def m{method}(self, key, x):"]
            for _ in range(chance.randint(1, 3)):
                rows += ["        " + each for each in _action(chance, names, method, number).split("\n")]
            rows += [f"        return {chance.choice(['x', 'x', 'self', 'None', 'self.a0'])}", ""]
    return rows or ["    pass", ""]


def _action(chance: random.Random, names: list[str], method: int, number: int) -> str:
    lower = chance.randrange(method) if method else None
    choices = [
        "x = x + jax.random.normal(key, (3,))",
        "key, sub = jax.random.split(key)",
        f"if isinstance(self, {chance.choice(names)}):\n    x = x + jax.random.uniform(key, (3,))",
        "if self.a0 is None:\n    self.a0 = x",
        "if self.a1:\n    x = x * jax.random.normal(key)",
        "self.a1 = x",
        "x = self.a0(key) if callable(self.a0) else x",
        "for each in range(3):\n    x = x + jax.random.normal(key, (3,))",
        "x = jax.jit(lambda v: v + jax.random.normal(key, (3,)))(x)",
        "print(self.__class__.__name__)",
        "x = type(self)().m0(key, x)" if method else "x = x + 1",
    ]
    if lower is not None:
        choices += [f"x = self.m{lower}(key, x)"] * 4
    if number:
        choices += [f"x = super().m{method}(key, x)"] * 2
    return chance.choice(choices)
