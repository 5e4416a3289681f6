"""Whether a file that the running Python refuses is written for a newer one.

In: text. Out: LibCST's tree of it, where something in the text is newer than the running Python and all its
literals are Python's in any version; else None. LibCST is lenient: what it reads alone shows nothing. Loads
LibCST when asked.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

from jaxlint.source.lazy_libcst import cst
from jaxlint.source.lossless import Lossless, Unparsed

_COMPREHENSIONS = ("ListComp", "SetComp", "GeneratorExp")


def newer_tree(text: str) -> cst.Module | None:
    """The tree of a file for a newer Python; None where it is none."""
    try:
        module = Lossless.of(text).module()
    except Unparsed:
        return None
    is_newer = False
    for node in _nodes(module):
        if not _is_literal(node):
            return None
        is_newer = is_newer or _is_newer(node)
    return module if is_newer else None


def _nodes(module: cst.Module) -> Iterator[Any]:
    stack: list[Any] = [module]
    while stack:
        node = stack.pop()
        yield node
        stack += node.children


def _is_newer(node: Any) -> bool:
    kind, version = type(node).__name__, sys.version_info
    if kind in ("TypeAlias", "TypeParameters"):
        return version < (3, 12)
    if kind == "FormattedString":
        return version < (3, 12) and not _is_read(node)
    if kind == "TypeParam":
        return version < (3, 13) and node.default is not None
    if kind == "TemplatedString":
        return version < (3, 14)
    if kind == "ExceptHandler":  # of several classes without brackets
        return version < (3, 14) and type(node.type).__name__ == "Tuple" and not node.type.lpar
    if kind in _COMPREHENSIONS:
        return version < (3, 15) and type(node.elt).__name__ == "StarredElement"
    return kind == "StarredDictComp" and version < (3, 15)


def _is_literal(node: Any) -> bool:
    """Whether this is no literal, or one that some version of Python reads."""
    kind = type(node).__name__
    if kind in ("Integer", "Float", "Imaginary", "SimpleString"):
        return _is_value(node.value)
    if kind in ("FormattedString", "TemplatedString") and "r" not in node.start.lower():
        return all(_is_value(node.end + text + node.end) for text in _texts(node.parts))
    if kind == "ConcatenatedString":
        return len({type(each).__name__ == "TemplatedString" for each in _strings(node)}) == 1
    return True


def _texts(parts: Iterable[Any]) -> Iterator[str]:
    """What stands between the braces of a formatted string, and in their format specifications."""
    for part in parts:
        if hasattr(part, "value"):
            yield part.value
        else:
            yield from _texts(part.format_spec or ())


def _strings(node: Any) -> Iterator[Any]:
    while type(node).__name__ == "ConcatenatedString":
        yield node.left
        node = node.right
    yield node


def _is_value(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError):
        return False
    return True


def _is_read(node: cst.FormattedString) -> bool:
    """Whether the running Python reads a formatted string."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(f"({cst.Module(()).code_for_node(node)}\n)")
    except (ValueError, SyntaxError, MemoryError):
        return False
    return True
