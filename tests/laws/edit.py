"""Random edits of a project: of statements, of expressions, of files.

In: the texts of a project's files by relative path. Out: the texts after one edit, of which each file still
parses. The same random numbers give the same edits.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator

Texts = dict[str, str]

WRAPPERS = (
    "({0},)",
    "[{0}]",
    "{{'p': {0}}}",
    "{{'new': {0}, 'guard': 1}}",
    "({0}, {0})[0]",
    "jax.random.fold_in({0}, 1)",
    "jax.random.clone({0})",
    "jax.random.split({0})[0]",
    "jax.lax.stop_gradient({0})",
    "jax.jit(lambda v: v)({0})",
    "(lambda v: v)({0})",
    "str({0})",
    "({0} if True else None)",
    "({0} or None)",
    "abs({0})",
    "None",
    "0",
    "1.0",
    "'p'",
    "jax.random.key(0)",
    "unknown({0})",
)
"""What stands in place of an expression that is assigned, returned or passed."""


def edited(chance: random.Random, texts: Texts) -> tuple[Texts, str]:
    """The project after one edit, and of what it is: an `expression`, a `statement`, a `file`. Where none of several
    tries parses there is none, and no change."""
    kinds = {"expression": _expression, "statement": _statement, "file": _file}
    for _ in range(12):
        kind = chance.choice(["expression", "expression", "statement", "statement", "file"])
        after = kinds[kind](chance, dict(texts))
        if after != texts and all(_parses(text) for path, text in after.items() if path.endswith(".py")):
            return after, kind
    return texts, ""


def _parses(text: str) -> bool:
    try:
        compile(text, "edited", "exec", ast.PyCF_ONLY_AST)
    except (SyntaxError, ValueError):
        return False
    return True


def _some_file(chance: random.Random, texts: Texts) -> str | None:
    paths = sorted(path for path, text in texts.items() if path.endswith(".py") and text.strip())
    return chance.choice(paths) if paths else None


# ---- expressions


def _expression(chance: random.Random, texts: Texts) -> Texts:
    path = _some_file(chance, texts)
    places = [] if path is None else list(_values(ast.parse(texts[path])))
    if path is None or not places:
        return texts
    text = texts[path]
    place = chance.choice(places)
    source = ast.get_source_segment(text, place)
    if source is None:
        return texts
    return {**texts, path: _replaced(text, place, chance.choice(WRAPPERS).format(source))}


def _values(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions that are assigned, returned, passed, tested or iterated over."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.Return | ast.AugAssign | ast.AnnAssign | ast.Expr):
            if node.value is not None:
                yield node.value
        elif isinstance(node, ast.Call):
            yield from (each for each in node.args if not isinstance(each, ast.Starred))
            yield from (each.value for each in node.keywords if each.arg is not None)
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test
        elif isinstance(node, ast.For):
            yield node.iter


def _replaced(text: str, node: ast.expr, new: str) -> str:
    rows = text.splitlines(keepends=True)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = rows[first].encode()[: node.col_offset].decode()
    tail = rows[last].encode()[node.end_col_offset :].decode()
    return "".join([*rows[:first], head, new, tail, *rows[last + 1 :]])


# ---- statements


def _statement(chance: random.Random, texts: Texts) -> Texts:
    path = _some_file(chance, texts)
    if path is None:
        return texts
    text = texts[path]
    tree = ast.parse(text)
    statements = [each for each in ast.walk(tree) if isinstance(each, ast.stmt)]
    functions = [each for each in statements if isinstance(each, ast.FunctionDef)]
    if not statements:
        return texts
    at = chance.choice(statements)
    rows = text.splitlines(keepends=True)
    first, last = at.lineno - 1, at.end_lineno or at.lineno
    if getattr(at, "decorator_list", None):
        first = at.decorator_list[0].lineno - 1  # type: ignore[attr-defined]
    old = rows[first:last]
    indent = rows[first][: len(rows[first]) - len(rows[first].lstrip())]
    around = [each for each in functions if each.lineno <= at.lineno <= (each.end_lineno or 0)]
    names = [each.arg for func in around for each in func.args.args] or ["0"]
    name = chance.choice(names)
    other = chance.choice(functions).name if functions else "print"
    made: list[Callable[[], list[str]]] = [
        lambda: [*old, *old],
        lambda: [f"{indent}pass\n"],
        lambda: [f"{indent}if {name} > 0:\n", *(f"    {row}" for row in old)],
        lambda: [f"{indent}for _ in range(3):\n", *(f"    {row}" for row in old)],
        lambda: [f"{indent}return {name}\n", *old],
        lambda: [f"{indent}# a comment\n", *old],
        lambda: [f"{indent}{other}({name})\n", *old],
        lambda: [f"{indent}import jax\n", f"{indent}jax.jit({other})({name})\n", *old],
        lambda: [f"{indent}global {other}\n", *old],
        lambda: [f"{indent}{name} = {other}\n", *old],
        lambda: [*old, f"{indent}self.value = {name}\n"],
        lambda: [f"{indent}def {other}(x, p=None):\n{indent}    return x\n", *old],
        lambda: [],
    ]
    return {**texts, path: "".join([*rows[:first], *chance.choice(made)(), *rows[last:]])}


# ---- files


def _file(chance: random.Random, texts: Texts) -> Texts:
    path = _some_file(chance, texts)
    if path is None:
        return texts
    other = _some_file(chance, texts) or path
    module = other.removesuffix(".py").replace("/", ".")
    kind = chance.choice(["add", "remove", "rename", "move", "import", "copy", "swap", "package", "conftest"])
    after = dict(texts)
    if kind == "add":
        after["added.py"] = f"from {module} import *\nimport jax\n"
    elif kind == "remove" and len(texts) > 1:
        del after[path]
    elif kind == "rename":
        after[f"z_{path}" if "/" not in path else f"{path.removesuffix('.py')}_z.py"] = after.pop(path)
    elif kind == "move":
        after[f"moved/{path}"] = after.pop(path)
    elif kind == "import":
        after[path] = f"import {module}\n{after[path]}"
    elif kind == "copy":
        after[f"copy_of_{path.replace('/', '_')}"] = after[path]
    elif kind == "swap":
        after[path], after[other] = after[other], after[path]
    elif kind == "package":
        after[f"{path.removesuffix('.py')}/__init__.py"] = after.pop(path)
    elif kind == "conftest":
        after["conftest.py"] = f"import {module}\n"
    return after
