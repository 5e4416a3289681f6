"""What differs between two programs of one file.

In: the program of a file as it was linked, and as it is now. Out: which code of the one is which of the
other, which functions have another body, and which constants only one of the two has; None where more
differs than that. It refuses to know what a difference leads to.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from jaxlint.engine.lower import ClassCode, Code, Expr, Param, Program, Stmt
from jaxlint.engine.program import rebound
from jaxlint.engine.values import computed


class Piece(NamedTuple):
    """A statement of a module: its numbers from the first one to that of the next statement, and its rows."""

    first: int
    behind: int
    row: int
    last: int


class Change(NamedTuple):
    """Code is named by its index, before and now.

    same: functions that do the same, and the module's body. differs: functions that have another body.
    shifts: how far the numbers in functions that do the same have moved. names: variables of the module that
    only one of the two sets, to constants or functions. bound: names that the module, or any function, binds
    now or takes from around it, and did not. lost: those that it bound, and does not. rows: where the
    functions that differ or are gone were, the first and the last row of the method or the statement of the
    module that each is in. imports: the row before the first import of the module, and the last row of the
    last one. pieces: the rows of all methods and statements of the module. added: the functions among the
    statements of the module that are new. imported: what the module's imports bind.
    """

    same: dict[int, int]
    differs: dict[int, int]
    shifts: dict[int, int]
    names: frozenset[str]
    bound: frozenset[str]
    lost: frozenset[str]
    rows: tuple[tuple[int, int], ...]
    imports: tuple[int, int] | None
    pieces: tuple[tuple[int, int], ...]
    added: tuple[Piece, ...]
    imported: frozenset[str]


def change(before: Program, now: Program) -> Change | None:
    """What differs, if it is the bodies of functions, and functions and constants of the module, at most."""
    if rebound(before) != rebound(now):
        return None
    comparison = _Comparison(before, now)
    if not comparison.aligned(before.body.body, now.body.body):
        return None
    comparison.same[0] = 0
    shifts = {one: now.codes[other].nid - before.codes[one].nid for one, other in comparison.same.items()}
    names = frozenset(comparison.names)
    old, new = _bound(before), _bound(now)
    bound = (new[0] - old[0]) | (new[1] - old[1]) | (_taken(now) - _taken(before))
    lost = (old[0] - new[0]) | (old[1] - new[1])
    statements = _rows_of_statements(before)
    numbers = [*(before.codes[index].nid for index in comparison.differs), *comparison.removed]
    rows = tuple([_rows(before, statements, number) for number in numbers])
    pieces = (*statements, *((first, last) for _, _, first, last in before.methods))
    added = tuple([_piece(now, number) for number in comparison.added])
    imports, imported = _imports(before), frozenset(_imported(now))
    same, differs = comparison.same, comparison.differs
    return Change(same, differs, shifts, names, bound, lost, rows, imports, pieces, added, imported)


def _imported(program: Program) -> Iterator[str]:
    for statement in program.body.body:
        if statement[0] == "import":
            yield from ((alias or module).partition(".")[0] for _, module, alias in statement[1])
        elif statement[0] == "from" and statement[4] is not None:
            yield from (alias or name for _, name, alias in statement[4])


def _piece(program: Program, number: int) -> Piece:
    """The statement of the module that a number is in."""
    tops = program.tops
    at = bisect_right(tops, number, key=lambda top: top[0]) - 1
    behind = tops[at + 1][0] if at + 1 < len(tops) else sys.maxsize
    return Piece(tops[at][0], behind, tops[at - 1][2] + 1 if at else 1, tops[at][2])


def _rows_of_statements(program: Program) -> list[tuple[int, int]]:
    """The first and the last row of each statement of the module; of no use where the tree had no rows."""
    ends = [0, *(last for _, _, last in program.tops)]
    return [(above + 1, last) for above, last in pairwise(ends)]


def _rows(program: Program, statements: Sequence[tuple[int, int]], number: int) -> tuple[int, int]:
    """Those of the method, or else of the statement of the module, that a number is in."""
    for first, behind, row, last in program.methods:
        if first <= number < behind:
            return row, last
    return statements[bisect_right(program.tops, number, key=lambda top: top[0]) - 1]


def _inside(program: Program, code: Code) -> list[Code]:
    """The functions that a function's text holds; what is numbered next may be behind it."""
    found = []
    stack: list[Any] = [code.body, code.params, code.decorators, code.returns]
    while stack:
        part = stack.pop()
        if isinstance(part, Param):
            stack += (part.default, part.annotation)
        elif type(part) is tuple:
            if len(part) == 3 and part[0] in ("def", "lambda") and type(part[2]) is int:
                inner = program.codes[part[2]]
                found.append(inner)
                stack += (inner.body, inner.params, inner.decorators, inner.returns)
            elif len(part) == 3 and part[0] == "class" and type(part[2]) is int:
                record = program.classes[part[2]]
                stack += (record.body, record.bases, record.keywords, record.decorators)
            else:
                stack += part
    return sorted(found, key=lambda each: each.index)


def _imports(program: Program) -> tuple[int, int] | None:
    tops = [(0, "", 0), *program.tops]
    found = [(above[2], last) for above, (_, kind, last) in pairwise(tops) if kind == "import"]
    return (found[0][0], found[-1][1]) if found else None


def _bound(program: Program) -> tuple[frozenset[str], frozenset[str]]:
    """The names that the module binds, and those that its functions do."""
    body, *codes = program.codes
    return body.bound | program.targets, frozenset(name for each in codes for name in each.bound)


def _taken(program: Program) -> frozenset[str]:
    """The names that functions take from around them."""
    return frozenset(name for each in program.codes[1:] for name in (*each.free, *each.global_names))


class _Comparison:
    def __init__(self, before: Program, now: Program) -> None:
        self.before = before
        self.now = now
        self.same: dict[int, int] = {}
        self.differs: dict[int, int] = {}
        self.names: set[str] = set()
        self.added: list[int] = []  # the numbers of functions that only one of the two has
        self.removed: list[int] = []

    def aligned(self, before: Sequence[Stmt], now: Sequence[Stmt], in_class: bool = False) -> bool:
        """Whether two bodies have the same statements but for bodies of functions in them, and what only one
        of the two sets."""
        here, there = 0, 0
        while here < len(before) or there < len(now):
            old = before[here] if here < len(before) else None
            new = now[there] if there < len(now) else None
            if old is not None and new is not None and self._is_kept(old, new):
                here, there = here + 1, there + 1
            elif in_class:
                return False
            elif (
                new is not None
                and not self._is_among(new, before[here:])
                and self._is_apart(self.now, new, self.added)
            ):
                there += 1
            elif old is not None and self._is_apart(self.before, old, self.removed):
                here += 1
            else:
                return False
        return True

    def _is_among(self, new: Stmt, later: Sequence[Stmt]) -> bool:
        """Whether a function was there, further down."""
        if new[0] != "def":
            return False
        name = self.now.codes[new[2]].name
        return any(old[0] == "def" and self.before.codes[old[2]].name == name for old in later)

    def _is_apart(self, program: Program, statement: Stmt, functions: list[int]) -> bool:
        """Whether a statement does no more than set a name to a constant or a function."""
        name = _constant(statement)
        if statement[0] == "def":
            code = program.codes[statement[2]]
            name = code.name
            if code.decorators or not all(map(_is_plain, code.params)):
                return False
            functions.append(code.nid)
        if not name or name.startswith("__"):
            return False
        self.names.add(name)
        return True

    def _is_kept(self, old: Stmt, new: Stmt) -> bool:
        if old[0] != new[0]:
            return False
        if old[0] == "def":
            return self._functions(old[2], new[2])
        if old[0] == "class":
            return self._classes(self.before.classes[old[2]], self.now.classes[new[2]])
        return self._alike(old, new, _first(new) - _first(old))

    def _functions(self, old: int, new: int) -> bool:
        before, now = self.before.codes[old], self.now.codes[new]
        shift = now.nid - before.nid
        if not self._are_called_alike(before, now, shift):
            return False
        known = dict(self.same)
        if self._bodies(before, now, shift):
            self.same[old] = new
            return True
        self.same = known
        self.differs[old] = new
        self._pair_inner(before, now)
        # Which attributes a method assigns says something of the objects of its class.
        return set(computed(before.body)) == set(computed(now.body))

    def _pair_inner(self, old: Code, new: Code) -> None:
        """Functions inside of one that differs, if there are as many: each may differ, too."""
        inner, others = _inside(self.before, old), _inside(self.now, new)
        if [each.qualname for each in inner] == [each.qualname for each in others]:
            self.differs.update((a.index, b.index) for a, b in zip(inner, others, strict=True))

    def _are_called_alike(self, old: Code, new: Code, shift: int) -> bool:
        if (old.name, old.qualname, old.in_class, old.is_async, old.is_lambda) != (
            new.name, new.qualname, new.in_class, new.is_async, new.is_lambda
        ):  # fmt: skip
            return False
        if (old.global_names, old.nonlocal_names) != (new.global_names, new.nonlocal_names):
            return False
        head = (old.params, old.decorators, old.returns)
        return self._alike(head, (new.params, new.decorators, new.returns), shift)

    def _bodies(self, old: Code, new: Code, shift: int) -> bool:
        if (old.bound, old.free, old.is_generator) != (new.bound, new.free, new.is_generator):
            return False
        return self._alike(old.body, new.body, shift)

    def _classes(self, old: ClassCode, new: ClassCode) -> bool:
        shift = new.nid - old.nid
        head = (old.name, old.qualname, old.bases, old.keywords, old.decorators)
        if not self._alike(head, (new.name, new.qualname, new.bases, new.keywords, new.decorators), shift):
            return False
        return self.aligned(old.body, new.body, in_class=True)

    def _alike(self, old: Any, new: Any, shift: int) -> bool:
        """Whether two parts of programs are the same; `shift`: how far apart their numbers are."""
        if type(old) is not type(new):
            return False
        if type(old) is tuple:
            if len(old) != len(new):
                return False
            kind = old[0] if old else None
            if kind == "const" and len(old) == 2:
                return type(old[1]) is type(new[1]) and repr(old[1]) == repr(new[1])
            if kind in ("def", "lambda") and len(old) == 3:
                return self._inner(self.before.codes[old[2]], self.now.codes[new[2]], shift)
            if kind == "class" and len(old) == 3:
                return self._inner_class(self.before.classes[old[2]], self.now.classes[new[2]], shift)
            if kind == "from" and len(old) == 5:
                return old[2] == new[2] and self._alike((old[1], *old[3:]), (new[1], *new[3:]), shift)
            return all(self._alike(a, b, shift) for a, b in zip(old, new, strict=True))
        if isinstance(old, Param):
            head = (old.name, old.kind, old.default, old.annotation, old.nid)
            return self._alike(head, (new.name, new.kind, new.default, new.annotation, new.nid), shift)
        if type(old) is int:
            return bool(new - old == shift)
        return bool(old == new)

    def _inner(self, old: Code, new: Code, shift: int) -> bool:
        """Functions inside of what must be the same."""
        if new.nid - old.nid != shift or not self._are_called_alike(old, new, shift):
            return False
        self.same[old.index] = new.index
        return self._bodies(old, new, shift)

    def _inner_class(self, old: ClassCode, new: ClassCode, shift: int) -> bool:
        head = (old.nid, old.name, old.qualname, old.bases, old.keywords, old.decorators, old.body)
        now = (new.nid, new.name, new.qualname, new.bases, new.keywords, new.decorators, new.body)
        return self._alike(head, now, shift)


def _first(statement: Stmt) -> int:
    """The first number in a statement."""
    for part in statement[1:]:
        if type(part) is int:
            return part
        if type(part) is tuple and part and type(part[0]) is tuple:
            return _first(("", *part[0]))
    return 0


def _constant(statement: Stmt) -> str:
    """The name that a statement sets to a constant; empty where it does anything else."""
    if statement[0] != "assign" or len(statement[2]) != 1:
        return ""
    target: Expr = statement[2][0]
    name: str = target[2] if target[0] == "name" and statement[3][0] == "const" else ""
    return name


def _is_plain(param: Param) -> bool:
    """Whether nothing but a constant is worked out for a parameter when its function is made."""
    return param.default is None or param.default[0] == "const"
