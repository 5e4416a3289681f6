"""Calls of a variable that holds one of several functions, each under what the test shows that has chosen it.

In: the call, the variable's cases. Out: for each function what was shown, and the arguments as they are then.
It refuses to know what the functions do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlint.analysis.conditions import value_partitions
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.domain.facts import Fact
from jaxlint.domain.join import callees_of
from jaxlint.domain.values import Const, Static, Unknown, Value
from jaxlint.ir.nodes import CallExpr, Expr, NameExpr, StarExpr

Call = Callable[[list[Value], dict[str, Value]], Value]


class Chosen:
    """What tests show where one call is that of one function or of another."""

    def __init__(self, flow: FlowState, nid: int) -> None:
        node = flow.calling
        self.flow = flow
        self.node: CallExpr | None = None
        self.cases: Sequence[value_partitions.Case] = ()
        if node is not None and node.nid == nid and isinstance(node.func, NameExpr):
            self.node = node
            self.cases = value_partitions.cases_of(flow.env.vars, node.func.name)

    def facts_on(self, option: Value) -> frozenset[Fact]:
        """What holds wherever it is this function."""
        found = [facts for facts, value in self.cases if any(each == option for each in callees_of(value))]
        return frozenset.intersection(*found) if found else frozenset()

    def call(self, option: Value, args: list[Value], keywords: dict[str, Value], call: Call) -> Value:
        """Calls one of the functions where its facts hold: of the variables, and of the arguments that are
        variables."""
        facts = self.facts_on(option)
        if not facts or self.node is None:
            return call(args, keywords)
        shown = _shown(facts, self.flow.env.vars)
        if not shown:
            return call(args, keywords)
        before = {name: self.flow.env.vars[name] for name in shown}
        self.flow.env.vars.update(shown)
        if not any(isinstance(each, StarExpr) for each in self.node.args):
            args = [*_given(self.node.args, args, shown), *args[len(self.node.args) :]]
        for each in self.node.keywords:
            written = each.value
            if each.name in keywords and isinstance(written, NameExpr) and written.name in shown:
                keywords = {**keywords, each.name: shown[written.name]}
        try:
            return call(args, keywords)
        finally:
            for variable, value in before.items():
                if self.flow.env.vars.get(variable) is shown[variable]:
                    self.flow.env.vars[variable] = value


def _given(nodes: Sequence[Expr], args: Sequence[Value], shown: Vars) -> list[Value]:
    return [
        shown.get(node.name, value) if isinstance(node, NameExpr) else value
        for node, value in zip(nodes, args, strict=False)
    ]


def _shown(facts: frozenset[Fact], state: Vars) -> Vars:
    """What variables are where these facts hold, as far as that is more than was known."""
    found: Vars = {}
    for fact in facts:
        name = fact.variable()
        value = state.get(name)
        truth, constant = fact.truth(), fact.constant()
        if isinstance(value, (Unknown, Static)) and constant is not None:
            found[name] = Const(*constant)
        elif isinstance(value, Unknown) and truth is not None:
            found.setdefault(name, value.with_truth(truth))
        elif value == Static("bool") and truth is not None:
            found.setdefault(name, Const(truth))
    return found
