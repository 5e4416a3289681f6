"""Two draws of a function, of which no path through it uses both.

In: the function, and the numbers of two calls in it. Out: whether what comes of the one and what comes of
the other are never used on one path. A value that is assigned to variables is not used yet, and what is
computed of it neither: a use is a `return`, a test, a statement that only calls something, and what stores it
elsewhere. It refuses to know of functions that read the variables, and of what leaves a `try`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from jaxlint.ir.def_use import DefUse, def_use_of
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    AugmentedStmt,
    AwaitExpr,
    Expr,
    ForStmt,
    IfStmt,
    NameExpr,
    Stmt,
    SubscriptExpr,
    WalrusExpr,
    WhileStmt,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import calls_in, leaves, plain, suites, walk

_BINDS = (WalrusExpr, YieldExpr, YieldFromExpr, AwaitExpr)  # what an expression may do beside its value


class _Step(NamedTuple):
    """Where a statement is, or what it is in: its block, its place in there, and what the block is of."""

    block: Sequence[Stmt]
    place: int
    around: Stmt | None


Path = tuple[_Step, ...]
"""The way to a statement, from the body of the function inwards."""


@lru_cache(maxsize=512)
def are_on_other_paths(program: Program, code: Code, first: int, second: int) -> bool:
    """Whether no path uses what both calls give."""
    flow, paths = def_use_of(code, program), _paths(code)
    one, other = (_uses(flow, paths, number) for number in (first, second))
    if one is None or other is None:
        return False
    return not any(_may_follow(a, b) or _may_follow(b, a) for a in one for b in other)


def _uses(flow: DefUse, paths: Sequence[Path], number: int) -> Sequence[Path] | None:
    """The statements that use what a call gives; None where that is not known."""
    reads = {
        part.nid: path for path in paths for part in walk(*read_by(_of(path))) if isinstance(part, NameExpr)
    }
    stack = [path for path in paths if any(call.nid == number for call in calls_in(*read_by(_of(path))))]
    seen: set[int] = set()
    bindings: set[int] = set()
    found: list[Path] = []
    while stack:
        path = stack.pop()
        if id(path) in seen:
            continue
        seen.add(id(path))
        bound = _bound(_of(path), flow, bindings)
        if bound is None:
            found.append(path)
            continue
        for each in bound:
            readers = flow.readers(each.nid)
            if readers is None or not all(read in reads for read in readers):
                return None
            bindings.add(each.nid)
            stack += [reads[read] for read in readers]
    return found if seen else None  # the call is not in here


def _bound(statement: Stmt, flow: DefUse, bindings: set[int]) -> Sequence[NameExpr] | None:
    """The variables that a statement does no more than bind; None where it does something else. An item of
    what comes of the draw itself (`bindings`) is no other place."""
    statement = plain(statement)
    if any(isinstance(each, _BINDS) for each in walk(*read_by(statement))):
        return None
    if isinstance(statement, AugmentedStmt):
        targets: Sequence[Expr] = (statement.target,)
    elif isinstance(statement, AssignStmt):
        targets = statement.targets
    else:
        return None
    found: list[NameExpr] = []
    for each in [part for target in targets for part in parts(target)]:
        if isinstance(each, NameExpr):
            found.append(each)
            continue
        base: Expr = each
        while isinstance(base, SubscriptExpr):
            base = base.value
        if not isinstance(base, NameExpr) or not flow.seen_by(base.nid) or flow.seen_by(base.nid) - bindings:
            return None
    return found


def _of(path: Path) -> Stmt:
    return path[-1].block[path[-1].place]


@lru_cache(maxsize=64)
def _paths(code: Code) -> Sequence[Path]:
    """The ways to all statements of a function."""
    return [*_paths_in(code.body, None, ())]


def _paths_in(block: Sequence[Stmt], around: Stmt | None, before: Path) -> Iterator[Path]:
    for place, statement in enumerate(block):
        path = (*before, _Step(block, place, around))
        yield path
        for inner in suites(statement):
            yield from _paths_in(inner, statement, path)


def _may_follow(one: Path, other: Path) -> bool:
    """Whether a path that comes to the one statement may come to the other one later, or at once."""
    depth = 0
    while depth < min(len(one), len(other)) and one[depth] == other[depth]:
        depth += 1
    if any(isinstance(_of(one[:end]), (ForStmt, WhileStmt)) for end in range(1, depth + 1)):
        return True  # in a loop it comes again
    if depth == min(len(one), len(other)):
        return len(one) <= len(other)
    here, there, inner = one[depth], other[depth], one[depth + 1 :]
    if here.block is not there.block:
        return not isinstance(here.around, IfStmt)
    if here.place > there.place:
        return False
    if any(not isinstance(step.around, IfStmt) for step in inner):
        return (
            True  # a loop may be left before its end, and what leaves a `try` or a `with` need not leave more
        )
    after = [each for step in inner for each in step.block[step.place :]]
    after += here.block[here.place : there.place]
    return not any(leaves((each,)) for each in after)
