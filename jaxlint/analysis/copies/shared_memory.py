"""Variables and attributes that show the memory of one NumPy array: what is written into it by one of them,
the others have too.

In: assignments, and where an array is written into. Out: notes for the cache of traces that the other
variables and attributes are written, too. It refuses to know whether a trace has read them.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.numpy_memory import METHOD
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.objects import CONSTRUCTION, Environment, Instance
from jaxlint.domain.values import External, NumPyArray, Value
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ConstExpr,
    Expr,
    NameExpr,
    SliceExpr,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code

_SHOWN = frozenset(("T", "mT", "flat", "real"))  # attributes of an array that show its memory
_DEPTH = 8  # calls, items and attributes, one of the other


class Place(NamedTuple):
    """A variable, or an attribute of an object."""

    owner: Environment | Instance
    name: str


class Shown(NamedTuple):
    """What a place shows. memory: the number of the memory; value: what the place holds as long as it shows
    this. whole: all of the memory, in one piece."""

    memory: int
    value: Value
    whole: bool


class SharedMemory:
    """Knows which places show one memory."""

    def __init__(self, flow: FlowState, staleness: TraceStaleness, freshness: FunctionFreshness) -> None:
        self.flow = flow
        self.staleness = staleness
        self.freshness = freshness
        self._shown: dict[Place, Shown] = {}
        self._places: dict[int, dict[Place, None]] = {}

    def assigned(self, target: Expr, node: Expr) -> None:
        """A target is assigned what an expression gives: it may show the memory of an array."""
        if isinstance(target, TupleExpr) and isinstance(node, TupleExpr):
            for each, value in zip(target.items, node.items, strict=False):
                self.assigned(each, value)
            return
        place = self._place_of(target)
        if place is None:
            return
        found = None if self.flow.context.depth else self._source(node)
        if found is None or found[0] == place:
            self._shown.pop(place, None)
            return
        base, whole = found
        held = self._held(base)
        known = self._entry(base)
        if held is None:
            return
        if known is None:
            known = self._shown[base] = Shown(len(self._places), held, True)
            self._places[known.memory] = {base: None}
        shown = self._held(place)
        if shown is not None:
            self._shown[place] = Shown(known.memory, shown, whole)
            self._places[known.memory][place] = None

    def note_written(self, node: Expr | None, nid: int) -> None:
        """The array that an expression gives is written into: so are the others that show its memory."""
        found = None if node is None or self.flow.context.depth else self._source(node)
        if found is None:
            return
        own, known = self._place_of(node), self._entry(found[0])
        others = (found[0],) if known is None else tuple(self._places[known.memory])
        for place in others:
            entry = self._entry(place)
            if place != own and (known is None or (entry is not None and entry.memory == known.memory)):
                self._note(place, nid)

    def note_given(self, arguments: Iterable[Expr], nid: int) -> None:
        """A call writes into arrays that it is given."""
        for node in arguments:
            place = self._place_of(node)
            self.note_written(node, nid)
            if place is not None and self._held(place) is not None and not self.flow.context.depth:
                self._note(place, nid)

    def _note(self, place: Place, nid: int) -> None:
        func = self.flow.frame.func
        if isinstance(place.owner, Environment):
            self.staleness.note_write(("v", id(place.owner), place.name), nid)
        elif func is None or func.code.name not in CONSTRUCTION:
            self.freshness.note_change(place.owner, place.name, nid, is_derived=True)
            self.staleness.note_write(("a", id(place.owner), place.name), nid)

    def _place_of(self, node: Expr | None) -> Place | None:
        if isinstance(node, NameExpr):
            return Place(self.flow.home_of(node.name), node.name)
        if isinstance(node, AttrExpr) and isinstance(node.value, NameExpr):
            owner = self.flow.home_of(node.value.name).vars.get(node.value.name)
            return Place(owner, node.name) if isinstance(owner, Instance) else None
        return None

    def _held(self, place: Place) -> Value | None:
        """The array that a place holds now."""
        owner = place.owner
        value = (
            owner.vars.get(place.name) if isinstance(owner, Environment) else owner.attributes.get(place.name)
        )
        return value if isinstance(value, NumPyArray) and not value.read_only else None

    def _entry(self, place: Place) -> Shown | None:
        known = self._shown.get(place)
        return known if known is not None and known.value is self._held(place) else None

    def _source(self, node: Expr, depth: int = 0) -> tuple[Place, bool] | None:
        """The place of the array whose memory an expression shows, and whether it shows all of it in one
        piece; None where it may be a copy."""
        place = self._place_of(node)
        if place is not None and self._held(place) is not None:
            if isinstance(node, NameExpr) and (row := self._row_source(node.name, depth)) is not None:
                return row
            known = self._entry(place)
            return place, known is None or known.whole
        if depth > _DEPTH:
            return None
        if isinstance(node, AttrExpr) and node.name in _SHOWN:
            found = self._source(node.value, depth + 1)
            return None if found is None else (found[0], False)
        if isinstance(node, SubscriptExpr) and _is_basic(node.index):
            found = self._source(node.value, depth + 1)
            return None if found is None else (found[0], False)
        return self._of_call(node, depth) if isinstance(node, CallExpr) else None

    def _row_source(self, name: str, depth: int) -> tuple[Place, bool] | None:
        """The array of which a loop takes the rows."""
        for loop in self.flow.frame.turns:
            if isinstance(loop.target, NameExpr) and loop.target.name == name and loop.iterable is not None:
                iterable = loop.iterable
                is_own = isinstance(iterable, NameExpr) and iterable.name == name
                found = None if is_own else self._source(iterable, depth + 1)
                return None if found is None else (found[0], False)
        return None

    def _of_call(self, node: CallExpr, depth: int) -> tuple[Place, bool] | None:
        from jaxlint.tables.numpy_memory import VIEWS

        func = node.func
        if not isinstance(func, AttrExpr):
            return None
        owner = (
            self.flow.home_of(func.value.name).vars.get(func.value.name)
            if isinstance(func.value, NameExpr)
            else None
        )
        module = owner.name if isinstance(owner, External) else ""
        is_method = not module
        row = VIEWS.get(f"{METHOD}{func.name}" if is_method else f"{module}.{func.name}")
        given = node.args if is_method else node.args[1:]
        if row is None or row[0] != "host" or node.keywords or (not is_method and not node.args):
            return None
        if any(each[0] == "-" for each in row[3][: len(given)]):
            return None
        found = self._source(func.value if is_method else node.args[0], depth + 1)
        if found is None or (row[1] and not found[1]):
            return None
        return found[0], found[1] and row[2]


def _is_basic(index: Expr) -> bool:
    """Whether an index gives a view: of numbers that are written out, and slices."""
    if isinstance(index, TupleExpr):
        return all(map(_is_basic, index.items))
    if isinstance(index, UnaryExpr):
        return index.operator == "-" and isinstance(index.operand, ConstExpr)
    return isinstance(index, SliceExpr) or (
        isinstance(index, ConstExpr) and type(index.value) in (int, type(None))
    )


@lru_cache(maxsize=1024)
def written_by(code: Code) -> frozenset[str]:
    """The parameters of a function, which are not bound again, into whose items it writes."""
    own = {param.name for param in code.params}
    targets: list[Expr] = []
    for statement in statements(code.body) if own else ():
        if isinstance(statement, AssignStmt):
            targets += [part for each in statement.targets for part in parts(each)]
        elif isinstance(statement, AugmentedStmt):
            targets.append(statement.target)
    written: set[str] = set()
    for target in targets:
        node = target
        while isinstance(node, SubscriptExpr) and (node is target or _is_basic(node.index)):
            node = node.value
        if node is not target and isinstance(node, NameExpr):
            written.add(node.name)
    bound = {each.name for each in targets if isinstance(each, NameExpr)}
    return frozenset(written & own) - bound
