"""What functions of the standard library give back: of functools, dataclasses, collections, copy and so on.

In: calls with the values of their arguments. Out: the values of their results. What such functions do to
arrays stands in tables; here is what they make of functions, classes and containers.
"""

from __future__ import annotations

from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifting import Lifting
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.evaluation.statements import Statements


class Standard:
    """Calls of the standard library that make functions, classes and containers."""

    def __init__(
        self,
        flow: FlowState,
        statements: Statements,
        calls: Calls,
        lifting: Lifting,
    ) -> None:
        self.flow = flow
        self.statements = statements
        self.calls = calls
        self.lifting = lifting

    def copied(self, value: Value, depth: int) -> Value:
        if depth == 0 or not isinstance(value, MutableContainer):
            return value
        copy = self.lifting.copy_of(value, "copied", lambda each: self.copied(each, depth - 1))
        copy.depth, copy.source = self.flow.context.depth, value
        return copy

    def stack_method(
        self, owner: Product, name: str, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        """`stack.enter_context(manager)` is as `with manager:` up to the end of the stack's own `with`, where
        what `stack.callback` is given is called."""
        certain = self.flow.is_sure()
        if name in ("enter_context", "enter_async_context") and len(args) == 1:
            manager = args[0]
            if not isinstance(manager, Product) or manager.kind != "context" or certain:
                return self.statements.enter(manager, nid)
        elif name == "callback" and args:
            callback = Product("callback", args[0], (*args[1:],), (*keywords.items(),), nid)
            owner.parts[0].add(callback, self.flow.block)
            return args[0]
        elif name == "close":
            self.statements.leave(owner, nid)
            if self.flow.context.unjitted:
                self.statements.set_context(self.flow.context._replace(unjitted=False))
        self.calls.escape(args, keywords)
        return UNKNOWN
