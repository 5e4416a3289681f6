"""What the places of a function hold while it is analyzed: variables, and attributes and items of such.

In: the flow state, and places as they are written. Out: their values, the bindings that their reads see, and
what the function of a call is. It refuses to evaluate anything else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.donated.copies import item_of, place_of, written_parts
from jaxlint.calling.donated.reads_after import ReadsAfter
from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Environment, Instance
from jaxlint.domain.values import Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.def_use import DefUse
from jaxlint.ir.nodes import OPAQUE, AttrExpr, ConstExpr, Expr, NameExpr, SubscriptExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import number_of

_NO_CALL = -3  # the number of no call


@dataclass(eq=False)
class Scope:
    """A function that runs, with what its call gives for its parameters where that is written: expressions,
    each with the function around it; values of the others that are known."""

    code: Code
    program: Program
    env: Environment
    given: Mapping[str, tuple[Expr, Scope]] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)
    depth: int = 0


class Places:
    """The places of the function that is analyzed."""

    def __init__(self, flow: FlowState, attributes: Attributes) -> None:
        self.flow = flow
        self.attributes = attributes
        self._flows: dict[Code, DefUse] = {}
        self._place_flows: dict[tuple[Code, str], DefUse] = {}  # by variable, attribute or item

    def looked_up(self, owner: Value, name: str, nid: int) -> Value:
        """An attribute that no rule hears is read: what reads it may be written elsewhere. A property is run
        as where nothing is reported: what it does is told where it is read."""
        context = self.flow.context
        self.flow.context = context._replace(quiet=True)
        try:
            with self.attributes.core.unheard():
                return self.attributes.attribute(owner, name, nid)
        finally:
            self.flow.context = context

    def scope(self) -> Scope:
        return Scope(self.flow.frame.code, self.flow.module.program, self.flow.env)

    def held(self, place: Expr) -> Value | None:
        """What a variable holds now, or an attribute or an item of one that function has set; None where
        that is not known."""
        if isinstance(place, NameExpr):
            return self.flow.env.vars.get(place.name)
        owner = self.held(place.value) if isinstance(place, (AttrExpr, SubscriptExpr)) else None
        if isinstance(place, AttrExpr) and isinstance(owner, (Instance, Tuple)):
            return self.looked_up(owner, place.name, place.nid)
        if isinstance(place, SubscriptExpr) and isinstance(place.index, ConstExpr):
            return item_of(owner, place.index.value)
        return None

    def flow_of(self, code: Code, program: Program) -> DefUse:
        found = self._flows.get(code)
        if found is None:
            found = self._flows[code] = DefUse(code, program)
        return found

    def place_flow(self, code: Code, program: Program, name: str) -> DefUse:
        """The bindings of an attribute or an item, of which each may be of the variable as well."""
        flow = self._place_flows.get((code, name))
        if flow is None:
            flow = self._place_flows[code, name] = ReadsAfter(code, program, _NO_CALL, name)
        return flow

    def is_same(self, code: Code, program: Program, name: str, read: int | None, arg: int | None) -> bool:
        """Whether a read of a variable, or of an attribute or an item, sees what an argument is, or is in the
        first turn of a loop."""
        flow = self.place_flow(code, program, name)
        seen, given = (
            {binding for binding, found in flow.reads.items() if each in found} for each in (read, arg)
        )
        if seen == given or read is None or arg is None:
            return seen == given
        return bool(seen) and seen == {each for each in given if each < arg} and read < arg

    def bindings(self, scope: Scope, place: Expr) -> set[int]:
        """The bindings that a read of a place may see."""
        name, nid = place_of(place), number_of(place)
        return set() if nid is None else self.place_flow(scope.code, scope.program, name).seen_by(nid)

    def set_to(self, scope: Scope, place: Expr) -> list[Expr]:
        """What the bindings that a read of a place may see set it to, as it is written."""
        seen, name = self.bindings(scope, place), place_of(place)
        return [
            value
            for target, value in assigned(scope.code.body)
            if number_of(target) in seen and place_of(target) == name
        ]

    def made_of(self, code: Code, program: Program, whole: Expr) -> dict[object, Expr]:
        """What a variable was set to, by its parts, as they are written."""
        if not isinstance(whole, NameExpr):
            return {}
        binding = self.flow_of(code, program).binding_of(whole.nid)
        given = (value for target, value in assigned(code.body) if number_of(target) == binding)
        return written_parts(next(given, OPAQUE)) if binding is not None else {}

    def function_of(self, func: Expr, scope: Scope) -> Value | None:
        """What the function of a call is; None where that is not known."""
        if isinstance(func, AttrExpr):
            owner = self.function_of(func.value, scope)
            return None if owner is None else self.looked_up(owner, func.name, func.nid)
        if not isinstance(func, NameExpr):
            return None
        if func.name in scope.values:
            return scope.values[func.name]
        env: Environment | None = scope.env
        if func.name in scope.code.bound and scope.depth:
            return None
        while env is not None:
            if func.name in env.vars:
                return env.vars[func.name]
            env = env.parent
        return None
