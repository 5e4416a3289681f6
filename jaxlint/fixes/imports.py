"""How a file spells the names of a library, and the import that it needs to spell one more.

In: a located file. Out: for a module of a library the name that the file has for it, or that name with the
edit that imports it. A name that the file binds to anything else, anywhere, is never used: None.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from jaxlint.diagnostic import Edit, Fix, Span
from jaxlint.ir.locations import Located
from jaxlint.ir.nodes import FromStmt, ImportStmt
from jaxlint.source.from_libcst import dotted_name
from jaxlint.source.lazy_libcst import cst
from jaxlint.source.text import Source

_IMPORT = re.compile(r"(import|from) ")
_NAME = re.compile(r"(?<![\w.])[^\W\d]\w*")

USUAL = {"jax.numpy": "jnp", "numpy": "np", "jax": "jax", "math": "math", "jax.lax": "lax"}


def spelled(code: Located, module: str) -> str | None:
    """The file's own name for a module of a library; None where it has none that holds everywhere."""
    return next((name for name, meant in _imported(code) if meant == module), None)


def spelling(code: Located, module: str) -> tuple[str, tuple[Edit, ...]] | None:
    """A name for a module, with the edits that make it known; None where its usual name is taken."""
    name = spelled(code, module)
    if name is not None:
        return name, ()
    name = USUAL[module]
    if name in _bound(code) or name in code.program.targets:
        return None
    return name, (_import(code, f"import {module}" if module == name else f"import {module} as {name}"),)


def reached(code: Located, name: str, needs: str = "") -> tuple[str, tuple[Edit, ...]] | None:
    """How the file writes a dotted name of a library, with the edits that make it known.

    `needs`: the module that has to be imported for it, where its root alone does not bring it along.
    """
    bound = {meant: own for own, meant in _imported(code)}
    for own, meant in list(bound.items()):
        if own == meant:
            bound.setdefault(own.partition(".")[0], own.partition(".")[0])
    there = not needs or any(each == needs or each.startswith(needs + ".") for each in _modules(code))
    part = name
    while part:
        if part in bound and (there or part == needs or part.startswith(needs + ".")):
            return bound[part] + name[len(part) :], ()
        part = part.rpartition(".")[0]
    root = name.partition(".")[0]
    if bound.get(root) != root and root in _bound(code):
        return None
    return name, (_import(code, f"import {needs or root}"),)


def _modules(code: Located) -> Iterator[str]:
    """The modules that `import` statements at module level name."""
    for statement in code.program.body.body:
        if isinstance(statement, ImportStmt):
            for _, module, _ in statement.items:
                yield module


def meaning(code: Located, node: cst.BaseExpression) -> str | None:
    """The dotted name of what a library's name stands for: `jax.numpy.sum` for `jnp.sum`."""
    text = name = dotted_name(node)
    known = _places(code)
    found: list[tuple[int, str]] = []
    while name:
        if name in known:
            place, meant = known[name]
            found.append((place, meant + text.removeprefix(name)))
        name = name.rpartition(".")[0]
    return min(found)[1] if found else None


def builtin(code: Located, node: cst.BaseExpression) -> str | None:
    """The name of a builtin that a node stands for; None where the file gives that name to anything."""
    return node.value if isinstance(node, cst.Name) and has_builtin(code, node.value) else None


def has_builtin(code: Located, name: str) -> bool:
    """Whether a name stands for the builtin of this name wherever a file uses it."""
    if name not in vars(builtins) or name in code.program.targets or name in _bound(code):
        return False
    return not any(isinstance(each, FromStmt) and each.items is None for each in code.program.body.body)


def unused(code: Located, name: str, besides: Iterable[str] = ()) -> str:
    """The name, or where the file or `besides` has it, the name with a number."""
    taken = {*besides}
    known = _taken(code)
    wanted, number = name, 1
    while wanted in taken or wanted in known:
        number += 1
        wanted = f"{name}_{number}"
    return wanted


@lru_cache(maxsize=8)
def _bound(code: Located) -> frozenset[str]:
    """The names that any function binds, or the module."""
    return frozenset().union(*(each.bound for each in code.program.codes))


@lru_cache(maxsize=8)
def _taken(code: Located) -> frozenset[str]:
    """All names that the file uses as variables."""
    codes = code.program.codes
    used = (name for each in codes for names in (each.global_names, each.free) for name in names)
    return _bound(code).union(code.program.targets, used)


@lru_cache(maxsize=8)
def _places(code: Located) -> dict[str, tuple[int, str]]:
    """What names imported at module level stand for, each with its position: the first one counts."""
    found: dict[str, tuple[int, str]] = {}
    for place, (name, meant) in enumerate(_imported(code)):
        found.setdefault(name, (place, meant))
    return found


@lru_cache(maxsize=8)
def _imported(code: Located) -> tuple[tuple[str, str], ...]:
    """(name in the file, what it stands for) of the imports at module level that nothing hides."""
    return tuple(_not_hidden(code))


def _not_hidden(code: Located) -> Iterator[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for statement in code.program.body.body:
        if isinstance(statement, ImportStmt):
            for _, module, alias in statement.items:
                found.append((alias or module, module))
        elif isinstance(statement, FromStmt) and statement.level == 0:
            found.extend((own, f"{statement.module}.{name}") for _, name, own in statement.items or ())
    names = [name.partition(".")[0] for name, _ in found]
    counts = Counter(names)
    renamed = {root for (name, meant), root in zip(found, names, strict=True) if name != meant}
    inner = frozenset().union(*(each.bound for each in code.program.codes[1:]))
    for (name, module), root in zip(found, names, strict=True):
        alone = counts[root] == 1 or root not in renamed
        if alone and root not in inner and root not in code.program.targets:
            yield name, module


def _import(code: Located, statement: str) -> Edit:
    """The statement on a row of its own: below the first imports of the file, which only expressions and what
    binds no name may be above; else below a docstring, or above the first statement."""
    last: int | None = None
    for position, (_, kind, _) in enumerate(code.program.tops):
        if kind == "import":
            last = position
        elif last is not None or kind != "expression":
            break
    if last is None and code.program.tops and code.program.tops[0][1] == "expression":
        last = 0
    row = _first_row(code.source) if last is None else code.last_row(last) + 1
    return Edit(Span(row, 1, row, 1), statement + "\n")


def are_in_time(code: Located, fix: Fix) -> bool:
    """Whether all that the texts of a fix name is imported before the statement of the module that they are
    written in: an import that the fix adds, or one that is there."""
    empty = [each for each in fix.edits if each.span.start == each.span.end]
    added = [each for each in empty if _IMPORT.match(each.content)]
    written = [each for each in fix.edits if each not in added]
    if not written:
        return True
    row = min(each.span.row for each in written)
    count = len(code.program.tops)
    first = next((each for each in range(count) if code.last_row(each) >= row), count)
    begin = min(row, code.last_row(first - 1) + 1) if first else 1
    if any(each.span.row > begin for each in added):
        return False
    late: set[str] = set()
    for position, statement in enumerate(code.program.body.body):
        if isinstance(statement, ImportStmt):
            names = {(alias or module).partition(".")[0] for _, module, alias in statement.items}
        elif isinstance(statement, FromStmt):
            names = {own for _, _, own in statement.items or ()}
        else:
            continue
        late = late | names if position > first else late - names
    old = {name for each in written for name in _NAME.findall(code.source.slice(each.span))}
    return all(late.isdisjoint({*_NAME.findall(each.content)} - old) for each in written)


def _first_row(source: Source) -> int:
    """The row in which the first statement starts."""
    rows = ((row, source.line(row).strip()) for row in range(1, source.row_count + 1))
    return next((row for row, line in rows if line and not line.startswith("#")), 1)
