"""No name and no text of a program is taken for one of the analysis: findings do not depend on what things are
called."""

from __future__ import annotations

import ast
import builtins
import random

from linted import lint, programs

from jaxlint.diagnostic import Diagnostic

# What the analysis calls its own: kinds of tokens, marks, kinds of nodes, of values and of events; and functions
# of Python, which a program may call something else.
OWN = (
    "p new g count fold guard late doubt asked static called const name attr call sub star fstring spent cases box "
    "own set dict list tuple un bin cmp bool comp walrus opaque slice capture value instance mapping sequence unknown "
    "expr assign ann aug met generic lifted lowered item method member iterator context rest part heap "
    "sorted len isinstance print enumerate"
).split()
SEED, SHARE = 1, 0.08


def bound_names(tree: ast.AST) -> list[str]:
    """The names that mean the same under another name: variables, parameters, functions, classes, attributes of
    `self`, keys of dicts."""
    found: dict[str, None] = {}
    fixed = set(dir(builtins)) | {"self", "cls", "_", "setup", "init", "apply"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = None
        elif isinstance(node, ast.arg):
            found[node.arg] = None
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found[node.name] = None
        elif isinstance(node, ast.alias):
            fixed |= {node.name, (node.asname or node.name).partition(".")[0]}
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id == "self":
                found[node.attr] = None
            else:
                fixed.add(node.attr)
        elif isinstance(node, ast.Dict):
            texts = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            found.update((text, None) for text in texts if isinstance(text, str) and text.isidentifier())
    return [name for name in found if name not in fixed and not name.startswith("__")]


def renamed(text: str, names: dict[str, str]) -> str:
    """The program with these names, and texts that are these names, replaced everywhere."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if field in ("id", "arg", "name", "attr", "rest") and isinstance(value, str):
                setattr(node, field, names.get(value, value))
            elif field == "names" and isinstance(node, (ast.Global, ast.Nonlocal)):
                setattr(node, field, [names.get(each, each) for each in value])
            elif field == "value" and isinstance(node, ast.Constant) and isinstance(value, str):
                node.value = names.get(value, value)
    return ast.unparse(tree)


def places(found: list[Diagnostic]) -> list[tuple[str, int]]:
    return [(each.code, each.span.row) for each in found]


def test_findings_do_not_depend_on_names() -> None:
    chance = random.Random(SEED)
    count = 0
    for program in programs():
        if chance.random() > SHARE:
            continue
        tree = ast.parse(program.text)
        names = bound_names(tree)
        taken = {each.id for each in ast.walk(tree) if isinstance(each, ast.Name)}
        taken |= {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
        odd = [name for name in OWN if name not in taken]
        chance.shuffle(names)
        chance.shuffle(odd)
        # a function that hides one of Python's is taken for it where a test is asked whether it only looks
        hides = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
        pairs = {
            name: own
            for name, own in zip(names, odd, strict=False)
            if name not in hides or not hasattr(builtins, own)
        }
        # in the same order: of two places the one is told whose function comes first by its name
        order = sorted(pairs, key=lambda name: pairs[name])
        plain = {name: f"zq{number:03}" for number, name in enumerate(order)}
        assert places(lint(renamed(program.text, pairs))) == places(lint(renamed(program.text, plain))), (
            program.name
        )
        count += len(pairs)
    assert count > 500


HOSTILE = """\
import functools
import sys

import jax
import jax.numpy as jnp


class Holder:
    pass


@jax.jit
def step(x, **options):
    holder = Holder()
    setattr(holder, "{mark}", lambda: 1)
    setattr(Holder, "{mark}", lambda self: (1, 2))
    setattr(sys.modules[__name__], "{mark}", x)
    globals()["{mark}"] = x
    table = {{"{mark}": x, ("{mark}", 3): x, ("@", 1, "x"): x, 4294967297: x, 140234234234234: x}}
    if options["{mark}"] > 0:
        return x
    for key in table:
        x = x + table[key]
    return getattr(holder, "{mark}"), getattr(sys.modules[__name__], "{mark}"), jax.tree.map(abs, table)


compiled = jax.jit(step, **{{"{mark}": "arrays"}})
compiled(1.0, **{{"{mark}": 2.0}})
jax.vmap(step, **{{"{mark}": 3}})(jnp.ones(2))
jax.grad(functools.partial(step, **{{"{mark}": 3}}))(1.0)


def draw(tree, key):
    first = jax.random.normal(tree["{mark}"])
    again = jax.random.normal(tree["{mark}"])
    other = jax.random.normal(jax.random.fold_in(key, "{mark}"))
    return first, again, other, jax.random.normal(jax.random.fold_in(key, 140234234234234))


draw({{"{mark}": jax.random.key(140234234234234)}}, jax.random.key(4294967297))
"""


def test_no_text_is_a_mark() -> None:
    marks = ["zq", "$spent", "$cases", "$leaves", "$flatten", "", ".", "[]", "[:]", "@", "0", "("]
    marks += [name for name in OWN if not hasattr(builtins, name)]
    expected = places(lint(HOSTILE.format(mark="zq")))
    assert ("JAX301", 35) in expected and ("JAX101", 20) in expected
    for mark in marks:
        assert places(lint(HOSTILE.format(mark=mark))) == expected, mark


def test_marks_in_another_module() -> None:
    from jaxlint.project.project import Project, SourceFile
    from jaxlint.project.settings import Settings
    from jaxlint.session import pipeline

    texts = {
        "/p/a.py": "import b\nfor mark in ['$spent', '$cases', '']:\n    setattr(b, mark, [].append)\n"
        "setattr(b, '$spent', [].append)\nsetattr(b, '$cases', [].append)\nsetattr(b, '', 1)\n"
        "print(getattr(b, '$spent'), getattr(b, ''))\n",
        "/p/b.py": "import a, jax\n\nkey = jax.random.key(0)\nx = jax.random.normal(key)\n"
        "y = [jax.random.normal(key) for _ in x]\nif x[0] > 0:\n    key = None\n",
    }
    files = tuple(SourceFile(path, (path[3],), False) for path in texts)
    project = Project("/p", files, frozenset(texts), Settings())
    found = pipeline.analyse(project, {path: text.encode() for path, text in texts.items()})
    assert "JAX003" not in {each.code for each in found} and "JAX301" in {each.code for each in found}
