"""The functions of a file by name, and a digest of each, which says whether it has changed.

In: a syntax tree of Python's own parser. Out: names as `__qualname__` has them, rows, and eight bytes of
BLAKE2b over the nodes of a function without places, docstrings and what depends on the version of Python.
Standard library only.
"""

from __future__ import annotations

import ast
import hashlib
import warnings
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple, Union

FunctionNode = Union[ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda]  # noqa: UP007, read on Python 3.9

MODULE = "<module>"
"""The name of what is outside of functions; its fingerprint is that of the whole tree."""

_DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


class Function(NamedTuple):
    """A function of a file.

    name: its qualified name; "#2", "#3" and so on where others of that name come before it. row: of `def` or
    `lambda`. first: the row of its first decorator, or else `row`: what `co_firstlineno` says.
    """

    name: str
    row: int
    first: int
    node: FunctionNode


def fingerprint(node: ast.AST) -> str:
    """A digest of a function: 16 hex digits, equal for all versions of Python that parse it alike.

    Comments, layout and docstrings don't count; decorators, defaults and nested functions do.
    """
    digest = hashlib.blake2b(digest_size=8)
    for word in _words(node):
        digest.update(word.encode("utf-8", "surrogatepass"))
        digest.update(b"\0")
    return digest.hexdigest()


def _words(node: ast.AST) -> Iterator[str]:
    """The tree as a sequence of words. A loop, since trees are as deep as a sum has terms."""
    left: list[object] = [node]
    while left:
        item = left.pop()
        if isinstance(item, ast.Constant):
            yield "Constant"
            yield _constant(item.value)
        elif isinstance(item, ast.AST):
            yield type(item).__name__
            left.append(_END)
            for name in reversed(item._fields):
                value = getattr(item, name, None)
                if name == "body" and isinstance(item, _DOCUMENTED):
                    value = _undocumented(item.body)
                elif isinstance(item, ast.JoinedStr):  # Python 3.12 ends some with an empty text
                    value = [part for part in item.values if getattr(part, "value", None) != ""]
                if name in ("ctx", "type_comment") or value is None or value == []:
                    continue
                left += [value, _Field(name)]
        elif isinstance(item, list):
            left += [_END, *reversed(item)]
        elif isinstance(item, _Field):
            yield f".{item.name}"
        elif item is _END:
            yield ")"
        else:
            yield _constant(item)


class _Field(NamedTuple):
    name: str


_END = object()


def _undocumented(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0] if body else None
    is_text = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    return body[1:] if is_text else body


def _constant(value: object) -> str:
    # What `repr` escapes in texts depends on the version of Unicode, and it refuses integers of many digits.
    if isinstance(value, str):
        return f"{len(value)} {value}"
    return hex(value) if type(value) is int else repr(value)


def functions_of(tree: ast.AST) -> list[Function]:
    """All functions and lambdas, by the rows and columns at which they begin."""
    found: list[tuple[int, int, str, FunctionNode]] = []
    left: list[tuple[ast.AST, str]] = [(tree, "")]
    while left:
        node, scope = left.pop()
        inner = scope
        if isinstance(node, _FUNCTIONS):
            name = scope + ("<lambda>" if isinstance(node, ast.Lambda) else node.name)
            found.append((node.lineno, node.col_offset, name, node))
            inner = f"{name}.<locals>."
        elif isinstance(node, ast.ClassDef):
            inner = f"{scope}{node.name}."
        own = {id(part) for part in _inside(node)}
        left += [(child, inner if id(child) in own else scope) for child in ast.iter_child_nodes(node)]
    counts: Counter[str] = Counter()
    functions = []
    for row, _, name, node in sorted(found, key=lambda each: each[:3]):
        counts[name] += 1
        numbered = f"{name}#{counts[name]}" if counts[name] > 1 else name
        decorators = getattr(node, "decorator_list", ())
        first = min([row, *(decorator.lineno for decorator in decorators)])
        functions.append(Function(numbered, row, first, node))
    return functions


def _inside(node: ast.AST) -> list[ast.AST]:
    """The children that are in the scope that a node opens: decorators and defaults are evaluated outside."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    return [*node.body] if isinstance(node, _DOCUMENTED) else []


def tree_of(text: str | bytes) -> ast.Module | None:
    """The tree of a text; None where Python does not parse it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
