"""Caches of compiled functions that are cleared again and again.

In: calls of memoised functions that give compiled ones, the clearing of their caches, and at the end which
functions clear JAX's caches and who calls them. Out: what is compiled again, though it is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator

from jaxlint.analysis.events import Recompile
from jaxlint.analysis.function_context import FunctionContext, Notes
from jaxlint.domain.join import options_of
from jaxlint.domain.objects import Transformed
from jaxlint.domain.transforms import JITS
from jaxlint.domain.values import Value
from jaxlint.ir.nodes import BreakStmt, ContinueStmt, ForStmt, ReturnStmt, Stmt, WhileStmt
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import Sites
from jaxlint.ir.walks import calls_in, loop_around, nodes_of, reads_clock, suites, walk

_LEAVING = (BreakStmt, ContinueStmt, ReturnStmt)


class MemoisedMakers:
    """Which calls of memoised functions gave compiled functions since their caches were cleared."""

    def __init__(self) -> None:
        self._made: dict[int, set[Hashable]] = {}
        self._before: dict[int, set[Hashable]] = {}

    def note_call(self, code: Code, given: tuple[Hashable, ...], result: Value) -> None:
        """A memoised function is called with these arguments."""
        if all(isinstance(each, Transformed) and each.kind in JITS for each in options_of(result)):
            self._made.setdefault(id(code), set()).add(given)

    def clear(self, code: Code) -> bool:
        """Clears the cache of a function; whether what it has made was made before it was cleared last, or
        without arguments, so that a loop makes it again."""
        made = self._made.pop(id(code), set())
        before, self._before[id(code)] = self._before.get(id(code), set()), made
        return not made.isdisjoint(before) or ((), ()) in made


def cleared_by_callees(
    notes: Iterable[tuple[FunctionContext, Notes]], sites: Sites, eager: Collection[FunctionContext]
) -> Iterator[Recompile]:
    """Functions that clear caches in each call and call what the module has compiled, without a loop of their
    own, where a loop calls them in each of its turns."""
    for activation, noted in notes:
        if not noted.clears or activation.func is None or activation not in eager:
            continue
        code = activation.func.code
        if any(isinstance(each, (ForStmt, WhileStmt)) for each in nodes_of(code.body)) or reads_clock(
            *code.body
        ):
            continue
        if not any(_is_in_each_turn(site.home, nid) for (_, nid), site in sites.get(code, {}).items()):
            continue
        for nid, func in noted.clears.items():
            compiled = [each for each in noted.ran if func is None or each.place == func.place]
            if compiled and _is_direct(code.body, nid):
                yield Recompile(nid, activation, compiled[0], "cleared")


def _is_in_each_turn(home: Code, nid: int) -> bool:
    """Whether a loop of a function, in which nothing is timed, makes a call in each of its turns."""
    loop = loop_around(home.body, nid)
    return bool(loop) and _is_direct(loop or (), nid) and not reads_clock(*home.body)


def _is_direct(body: Iterable[Stmt], nid: int) -> bool:
    """Whether a plain statement of a block makes a call, and nothing before it leaves the block."""
    for statement in body:
        if any(suites(statement)):
            if any(isinstance(each, _LEAVING) for each in walk(statement)):
                return False
        elif any(call.nid == nid for call in calls_in(statement)):
            return True
    return False
