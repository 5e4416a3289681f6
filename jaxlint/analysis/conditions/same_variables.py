"""Which variables of a function hold the same as another one, by its text.

In: the lowered code of a function, and a read of a variable. Out: the names of the others, of which a test of
the one tells as much. It refuses to know what they hold.
"""

from __future__ import annotations

from functools import lru_cache

from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.nodes import AssignStmt, CallExpr, ForStmt, NameExpr, WhileStmt
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import nodes_of, walk

_KEPT = 1024  # functions of which an index is kept


def copies_of(code: Code, program: Program, read: NameExpr) -> list[str]:
    """The variables that certainly hold what a read of another one gives: each is first bound to a read of
    the same binding, outside of loops, and nothing is called from there to the read, which might bind one."""
    pairs = [pair for pair in _copied(code) if pair[1].name == read.name and pair[1].nid < read.nid]
    if not pairs or read.nid in _looped(code):
        return []
    flow = def_use_of(code, program)
    seen = flow.binding_of(read.nid)
    calls = _calls(code)
    return [
        target.name
        for target, value in pairs
        if seen is not None
        and flow.binding_of(value.nid) == seen
        and not any(value.nid < call < read.nid for call in calls)
        and all(nid == target.nid or nid > read.nid for nid in flow.bindings_of(target.name))
    ]


@lru_cache(maxsize=_KEPT)
def _calls(code: Code) -> tuple[int, ...]:
    """The numbers of the calls in a function."""
    return tuple([each.nid for each in nodes_of(code.body) if isinstance(each, CallExpr)])


@lru_cache(maxsize=_KEPT)
def _looped(code: Code) -> frozenset[int]:
    """The numbers of the names in loops."""
    loops = [each for each in nodes_of(code.body) if isinstance(each, (ForStmt, WhileStmt))]
    return frozenset(part.nid for part in walk(*loops) if isinstance(part, NameExpr))


@lru_cache(maxsize=_KEPT)
def _copied(code: Code) -> tuple[tuple[NameExpr, NameExpr], ...]:
    """The assignments of one variable to another one, outside of loops."""
    return tuple(
        (target, each.value)
        for each in nodes_of(code.body)
        if isinstance(each, AssignStmt) and isinstance(each.value, NameExpr)
        if each.value.nid not in _looped(code)
        for target in each.targets
        if isinstance(target, NameExpr)
    )
