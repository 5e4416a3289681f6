"""Keys that are made of a constant where code runs again: in a function, a loop or a default.

In: where keys are made and spent. Out: `ConstantKey` for those that are spent. A key that a program,
a test or a constructor starts from, or that stands in for one a caller left out, is none of them.
"""

from __future__ import annotations

from collections.abc import Hashable

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import ConstantKey
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.values import NONE
from jaxlint.ir.loop_guards import bound_by, mentions
from jaxlint.ir.nodes import (
    OPAQUE,
    AssignStmt,
    AttrExpr,
    BreakStmt,
    CallExpr,
    ConstExpr,
    Expr,
    NameExpr,
    ReturnStmt,
    SubscriptExpr,
    TryStmt,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import last_name, reads_clock, walk

_ONCE = frozenset("main _main __init__ __post_init__ setup setUp setUpClass setup_class setup_method".split())


class ConstantKeys:
    """Analyzes constant keys by their tokens."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self.constants: dict[Hashable, tuple[FunctionContext, int, str]] = {}
        self.unconsuming = 0  # inside what only looks at shapes
        self.assigning: Expr = OPAQUE  # the target of the assignment that is being evaluated
        self.assigned: Expr = OPAQUE  # and its value

    def note_constant(self, token: Hashable, nid: int) -> None:
        call = self.flow.calling
        if call is None or call.nid != nid:
            return
        seeds = (*call.args[:1], *(keyword.value for keyword in call.keywords[:1]))
        if len(seeds) == 1 and (self._is_fixed(seeds[0]) or self._repeats(seeds[0])):
            why = self._why()
            if why:
                self.constants[token] = (self.flow.frame, nid, why)

    def _is_fixed(self, node: Expr) -> bool:
        """A literal, or a module's constant: what an argument or a loop gives is another seed each time."""
        if isinstance(node, NameExpr):
            home = self.flow.env
            while home.parent is not None and node.name not in home.vars:
                home = home.parent
            return home.parent is None and node.name not in home.module.rebound
        if isinstance(node, UnaryExpr):
            return self._is_fixed(node.operand)
        return isinstance(node, ConstExpr)

    def _repeats(self, seed: Expr) -> bool:
        """Whether a loop does the same again in each turn, and changes nothing of the seed: it counts turns,
        and nothing looks at it. One that may end early tries again; one that asks the clock takes a time."""
        turns = self.flow.frame.turns
        if not self.flow.frame.loop or not turns or not turns[-1].body:
            return False
        loop = turns[-1]
        nodes = [*walk(*loop.body)]
        is_counted = isinstance(loop.iterable, CallExpr) and last_name(loop.iterable.func) == "range"
        if loop.target is None or not is_counted or reads_clock(*loop.body):
            return False
        if any(isinstance(each, (BreakStmt, ReturnStmt, TryStmt)) for each in nodes):
            return False
        if any(isinstance(each, (CallExpr, SubscriptExpr)) for each in walk(seed)):
            return False
        bound = {name.lstrip(".") for name in bound_by(loop)}
        asked = {each.name for each in walk(seed) if isinstance(each, (NameExpr, AttrExpr))}
        return asked.isdisjoint(bound) and not any(
            mentions(each, variables((loop.target,))) for each in loop.body
        )

    def _why(self) -> str:
        """What will make the same key again; nothing where that is not known."""
        frame, func = self.flow.frame, self.flow.frame.func
        if self.flow.in_default:
            return "default"
        if func is not None and self._replaces_argument(func.code):
            return "argument"
        if frame.loop:
            return "loop"
        if func is None or func.code.name in _ONCE or func.code.name.startswith("test"):
            return ""
        names = [param.name for param in func.code.params]
        if isinstance(self.assigning, NameExpr):
            names.append(self.assigning.name)
        if any(frame.env.vars.get(name) == NONE for name in names):
            return ""
        return "function"

    def _replaces_argument(self, code: Code) -> bool:
        """Whether the key is assigned to a parameter, whatever the caller has given."""
        target = self.assigning
        if not isinstance(target, NameExpr) or self.assigned is not self.flow.calling:
            return False
        name = target.name
        if code.name.startswith("test") or name not in [param.name for param in code.params]:
            return False
        if self.flow.env.vars.get(name) == NONE:
            return False
        if any(mentions(held.test, (name,)) for held in self.flow.tests):
            return False
        return any(isinstance(each, AssignStmt) and each.value is self.assigned for each in code.body)

    def constant_follower(self, token: Hashable) -> Hashable:
        new = self.core.fresh()
        origin = self.constants.get(token)
        if origin is not None:
            self.constants[new] = origin
        return new

    def tell_constant(self, token: Hashable, name: str) -> None:
        origin = self.constants.get(token)
        if origin is not None and not self.unconsuming and not self.flow.context.quiet:
            frame, nid, why = origin
            event = ConstantKey(nid, frame, why, name)
            self.core.show(self.core.hooks.get("ConstantKey", ()), event, self.flow.frame)
