"""Projects in which functions are called in more ways than are kept apart.

Out: projects of a few files as texts, drawn at random: helpers that branch on what they are given, passed on
through other helpers, methods, containers and functions, by callers that are traced and by callers that are not.
"""

from __future__ import annotations

import random

from .edit import Texts

CONSTANTS = ["'a'", "'b'", "'p'", "'new'", "0", "1", "2", "3", "4.0", "True", "False", "None", "(1, 2)", "()", "[1]"]
VALUES = [
    "x",
    "y",
    "x * 2",
    "x.shape",
    "x.ndim",
    "jnp.zeros(3)",
    "jnp.arange(4)",
    "np.ones(2)",
    "{'p': x}",
    "[x, y]",
    "(x, 1)",
    "lambda v: v",
    "jnp.sin",
    "Model('m')",
    "Model(x)",
]
TESTS = ["x > 0", "mode == 'b'", "mode", "mode is None", "extra > 1", "len(extra)", "isinstance(mode, str)", "x.ndim > 1"]


def project(chance: random.Random) -> Texts:
    """One project: `helpers.py`, and one to three files that call it."""
    count = chance.randint(1, 4)
    texts = {"helpers.py": _helpers(chance, count)}
    for number in range(chance.randint(1, 3)):
        name = chance.choice(["a", "m", "z"]) + str(number)
        texts[f"{name}.py"] = _callers(chance, count)
    return texts


def _helpers(chance: random.Random, count: int) -> str:
    rows = ["import jax", "import jax.numpy as jnp", "import numpy as np", "", "SEEN = {}", ""]
    for number in range(count):
        rows += ["", f"def h{number}(x, mode=None, extra=1):"]
        for _ in range(chance.randint(1, 3)):
            rows += [f"    if {chance.choice(TESTS)}:", f"        {_action(chance, number)}"]
        rows += [f"    return {chance.choice(['x', 'x + 1', 'mode', '(x, mode)', 'extra', 'jnp.sum(x)'])}", ""]
    rows += ["", "class Model:", "    def __init__(self, mode):", "        self.mode = mode", "        self.last = 0", ""]
    rows += ["    def call(self, x, extra=1):", f"        if {chance.choice(['self.mode', 'x > 0', 'extra'])}:"]
    rows += [f"            self.last = {chance.choice(['x', '1', 'extra', 'self.mode'])}"]
    rows += [f"        return h{chance.randrange(count)}(x, self.mode, self.last)", ""]
    return "\n".join(rows) + "\n"


def _action(chance: random.Random, number: int) -> str:
    """What a helper does; it calls only helpers before it, or itself."""
    other = chance.randint(0, number)
    return chance.choice(
        [
            "print(x)",
            "x = x + 1",
            "x = np.sin(x)",
            "mode = x",
            "extra = float(x)",
            "SEEN[mode] = extra",
            f"x = h{other}(x, extra, mode)",
            f"x = h{other}(x, {chance.choice(CONSTANTS)})",
            f"return jax.vmap(lambda v: h{other}(v, mode))(x)",
            "return mode(x) if callable(mode) else x",
        ]
    )


def _callers(chance: random.Random, count: int) -> str:
    names = ", ".join(f"h{number}" for number in range(count))
    rows = ["import jax", "import jax.numpy as jnp", "import numpy as np", f"from helpers import Model, {names}", ""]
    for number in range(chance.randint(1, 5)):
        rows += ["", *chance.choice([["@jax.jit"], ["@jax.vmap"], [], ["@jax.grad"]]), f"def f{number}(x, y=0):"]
        for _ in range(chance.randint(1, 9)):
            rows.append(f"    z = {_call(chance, count)}")
        rows += ["    return z", ""]
    for _ in range(chance.randint(0, 6)):
        rows.append(_call(chance, count).replace('(x', '(jnp.ones(3)'))
    return "\n".join(rows) + "\n"


def _call(chance: random.Random, count: int) -> str:
    pool = CONSTANTS if chance.random() < 0.6 else VALUES
    first = chance.choice(VALUES) if chance.random() < 0.3 else "x"
    if chance.random() < 0.2:
        return f"Model({chance.choice(pool)}).call({first}, {chance.choice(CONSTANTS)})"
    arguments = [first, chance.choice(pool), chance.choice(CONSTANTS)][: chance.randint(1, 3)]
    return f"h{chance.randrange(count)}({', '.join(arguments)})"
