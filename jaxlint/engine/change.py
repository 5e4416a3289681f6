"""What differs between two programs of one file.

In: the program of a file as it was linked, and as it is now. Out: which code of the one is which of the
other, which functions have another body, and which constants only one of the two has; None where more
differs than that. It refuses to know what a difference leads to.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from jaxlint.engine.lower import ClassCode, Code, Expr, Param, Program, Stmt
from jaxlint.engine.program import rebound
from jaxlint.engine.values import computed


class Change(NamedTuple):
    """Code is named by its index, before and now.

    same: functions that do the same, and the module's body. differs: functions that have another body.
    shifts: how far the numbers in functions that do the same have moved. names: variables of the module that
    only one of the two sets, to constants. bound, lost: names that the module, or any function, binds now and
    did not, and the other way round. rows: where the functions that differ were, the first and the last row
    of the method or the statement of the module that each is in. imports: the row before the first import of
    the module, and the last row of the last one. pieces: the rows of all methods and statements of the
    module.
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


def change(before: Program, now: Program) -> Change | None:
    """What differs, if it is the bodies of functions and constants at most."""
    if rebound(before) != rebound(now):
        return None
    comparison = _Comparison(before, now)
    if not comparison.aligned(before.body.body, now.body.body):
        return None
    comparison.same[0] = 0
    shifts = {one: now.codes[other].nid - before.codes[one].nid for one, other in comparison.same.items()}
    names = frozenset(comparison.names)
    (outer, inner), (outer_now, inner_now) = _bound(before), _bound(now)
    bound = (outer_now - outer) | (inner_now - inner)
    lost = (outer - outer_now) | (inner - inner_now)
    statements = _rows_of_statements(before)
    rows = tuple([_rows(before, statements, before.codes[index].nid) for index in comparison.differs])
    pieces = (*statements, *((first, last) for _, _, first, last in before.methods))
    return Change(
        comparison.same, comparison.differs, shifts, names, bound, lost, rows, _imports(before), pieces
    )  # fmt: skip


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
    """The names that the module binds, and those that its functions bind or take from around them."""
    body, *codes = program.codes
    inner = (name for each in codes for name in (*each.bound, *each.free, *each.global_names))
    return body.bound | program.targets, frozenset(inner)


class _Comparison:
    def __init__(self, before: Program, now: Program) -> None:
        self.before = before
        self.now = now
        self.same: dict[int, int] = {}
        self.differs: dict[int, int] = {}
        self.names: set[str] = set()

    def aligned(self, before: Sequence[Stmt], now: Sequence[Stmt], in_class: bool = False) -> bool:
        """Whether two bodies have the same statements but for bodies of functions in them, and constants."""
        here, there = 0, 0
        while here < len(before) or there < len(now):
            old = before[here] if here < len(before) else None
            new = now[there] if there < len(now) else None
            if old is not None and new is not None and self._is_kept(old, new):
                here, there = here + 1, there + 1
            elif new is not None and not in_class and (name := _constant(new)):
                self.names.add(name)
                there += 1
            elif old is not None and not in_class and (name := _constant(old)):
                self.names.add(name)
                here += 1
            else:
                return False
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
    return name if not name.startswith("__") else ""
