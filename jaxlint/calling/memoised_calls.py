"""Calls of memoised functions: what `functools.cache` gives again to other traces, and outside of them.

In: each such call, with its arguments and what it gives. Out: `Kept` for the tracers that a call in a trace
has made and that another one is given. Of numbers that are not known those that one place passes are taken
for the same, and those of shapes that are written alike. It refuses to know who else asks.
"""

from __future__ import annotations

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Kept
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import level_of
from jaxlint.domain.objects import Function, Instance
from jaxlint.domain.values import NONE, Const, Static, Value
from jaxlint.evaluation.definitions import Definitions
from jaxlint.ir.nodes import AttrExpr, CallExpr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import structure_of, walk

# A call of a memoised function: with which arguments, and which keywords.
Memo = tuple[Function, tuple[Value, ...], tuple[tuple[str, Value], ...]]

_AT: tuple[tuple[str, Value], ...] = (("at", NONE),)  # the keywords where a place stands for the arguments


class MemoisedCalls:
    """Remembers what calls in traces have made."""

    def __init__(
        self, flow: FlowState, core: Core, staleness: TraceStaleness, definitions: Definitions
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.definitions = definitions
        # the first call in a trace, with where the trace begins; and those whose tracers others are given
        self._remembered: dict[Memo, tuple[Kept, Code | None]] = {}
        self._leaks: dict[Memo, Kept] = {}

    def memo(
        self, func: Function, args: list[Value], keywords: dict[str, Value], nid: int, depth: int
    ) -> Memo | None:
        """What functools remembers the call of a memoised function by, where it is known."""
        values = (*args, *keywords.values())
        if self.staleness.memoised[id(func.code)]:
            self.definitions.expressions.hashing.hash_any(values, "memo", nid)
        if func.env.depth:
            return None
        unknown = [value for value in values if not _is_remembered(value, depth)]
        if unknown:
            if not all(isinstance(value, Static) for value in unknown):
                return None
            call = self.flow.calling
            if call is not None and call.nid == nid and _asks_for_shape(call):
                return func, (Const(repr(structure_of((*call.args, *call.keywords)))),), _AT
            return func, (Const(self.flow.module.path), Const(nid)), _AT
        return func, tuple(args), tuple(sorted(keywords.items(), key=lambda item: item[0]))

    def remember(self, memo: Memo, activation: FunctionContext | None, result: Value, nid: int) -> None:
        """functools keeps what a call gives, in a trace too, and gives it to other traces, and to none.
        activation: where what it does is known apart from that of other calls."""
        made = self._remembered.get(memo)
        if memo[2] != _AT:
            self.staleness.makers.note_call(memo[0].code, memo[1:], result)
        self.staleness.note_call(memo, self.flow.context.depth > 0)
        if activation is not None:
            self.staleness.memos.setdefault(activation, set()).add(memo)
        if not self.flow.context.depth:
            if made is not None:
                self._leaks[memo] = made[0]
        elif level_of(result):
            frame = self.flow.frame
            while (
                frame.link is not None and frame.link.parent is not None and frame.link.parent.context.depth
            ):
                frame = frame.link.parent
            root = None if frame.func is None else frame.func.code
            if made is None:
                self._remembered[memo] = (Kept(nid, self.flow.frame, result), root)
            elif made[1] is not root or made[0].frame.context.stage > self.flow.context.stage:
                self._leaks[memo] = made[0]  # the trace that has made it is over

    def tell_leaks(self) -> None:
        """Tells of the tracers that memoised functions keep, where no call outside of traces came first."""
        for memo, event in self._leaks.items():
            func, args, _ = memo
            is_any = any(isinstance(each, Instance) and each.generic for each in args)
            stands_for_many = is_any or memo[2] == _AT
            if memo in self.staleness.ran_first or (stands_for_many and self.staleness.has_run_first(func)):
                continue
            self.flow.frame = event.frame
            self.core.emit("Kept", event)


def _is_remembered(value: Value, depth: int) -> bool:
    """Whether functools knows an argument again: a constant, or an object that outlives the traces around."""
    if isinstance(value, Instance):
        return value.depth < depth if depth else True
    return isinstance(value, Const)


def _asks_for_shape(call: CallExpr) -> bool:
    """Whether the arguments of a call say which number of a shape they are."""
    given = (*call.args, *(each.value for each in call.keywords))
    return any(isinstance(each, AttrExpr) and each.name == "shape" for each in walk(*given))
