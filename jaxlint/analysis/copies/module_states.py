"""What holds a module of flax nnx that has another state from now on: a function that closes over it and was
traced before computes with the state of then.

In: a change, as it is written. Out: a write of the variable, or of the attribute of an object, that holds the
module, and of what a call gave for a parameter. It refuses to know who reads them.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.copies.module_changes import is_module
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.objects import CONSTRUCTION, Environment, Function, Instance
from jaxlint.domain.values import NumPyArray, Value
from jaxlint.ir.nodes import AttrExpr, CallExpr, Expr, NameExpr, StarExpr, SubscriptExpr


class ModuleStates:
    """Tells of modules that are changed."""

    def __init__(self, flow: FlowState, staleness: TraceStaleness) -> None:
        self.flow = flow
        self.staleness = staleness

    def note_stored(self, target: Expr, nid: int) -> None:
        """An attribute or an item is set."""
        if isinstance(target, (AttrExpr, SubscriptExpr)):
            self._note(target.value, nid)

    def note_unknown_call(self, nid: int) -> None:
        """A function is called of which nothing is known: `eval` of a module, or a method of an optimizer,
        which is given the module and its gradients."""
        node = self.flow.calling
        func = None if node is None or node.nid != nid else node.func
        if not isinstance(func, AttrExpr) or node is None:
            return
        if func.name == "eval":
            self._note(func.value, nid)
        elif func.name == "update" and len(node.args) > 1:
            self._note(node.args[0], nid)

    def note_update(self, call: CallExpr | None, nid: int) -> None:
        """`nnx.update` gives its first argument another state."""
        if call is not None and call.nid == nid and call.args:
            self._note(call.args[0], nid)

    def note_called(
        self, func: Function, changed: frozenset[str], node: CallExpr | None, nid: int, count: int
    ) -> None:
        """A function was called that changes what it is given for these parameters. `count`: how many
        arguments it has by position, of which the first may be those that it holds already."""
        if not changed or node is None or node.nid != nid or len(node.args) > count:
            return
        context, self.flow.context = self.flow.context, self.flow.frame.context  # behind the trace
        try:
            for name, given in _given(func, node, count - len(node.args)):
                if name in changed:
                    self._note(given, nid)
        finally:
            self.flow.context = context

    def _note(self, node: Expr, nid: int) -> None:
        frame, code = self.flow.frame, self.flow.frame.code
        while isinstance(node, (AttrExpr, SubscriptExpr)):
            owner = self._held(node.value)
            if isinstance(node, AttrExpr) and isinstance(owner, Instance) and not is_module(owner):
                held = owner.attributes.get(node.name)
                if is_module(held):
                    self.staleness.note_write(("a", id(owner), node.name), nid, after=held)
                return
            node = node.value
        if not isinstance(node, NameExpr):
            return
        home = self.flow.home_of(node.name)
        held = home.vars.get(node.name)
        if home is not frame.env or all(node.name != each.name for each in code.params):
            if is_module(held):
                self.staleness.note_write(("v", id(home), node.name), nid, after=held)
        elif isinstance(held, Instance) and not is_module(held):
            return
        elif not (code.in_class and code.name in (*CONSTRUCTION, "__call__")):
            frame.changes |= {node.name}  # whether it is a module, callers know: a trace has a pytree

    def _held(self, node: Expr) -> Value | None:
        if isinstance(node, NameExpr):
            return self.flow.home_of(node.name).vars.get(node.name)
        if not isinstance(node, AttrExpr):
            return None
        owner = self._held(node.value)
        return owner.attributes.get(node.name) if isinstance(owner, Instance) else None


def _given(func: Function, node: CallExpr, held: int) -> Iterator[tuple[str, Expr]]:
    """The arguments of a call, as they are written, by the parameters of what it runs; `held`: how many of
    these are given others."""
    params = [each.name for each in func.code.params if each.kind in "pn"]
    if func.code.in_class and isinstance(node.func, AttrExpr) and held == 1 and params:
        yield params[0], node.func.value
    if not any(isinstance(each, StarExpr) for each in node.args):
        yield from zip(params[held:], node.args, strict=False)
    yield from ((each.name, each.value) for each in node.keywords if each.name is not None)


def may_change(env: Environment, name: str, value: Value) -> bool:
    """Whether a variable of a module is bound more than once, or holds what can be written in place."""
    is_changed = name in env.module.rebound or isinstance(value, (MutableContainer, NumPyArray))
    return is_changed or is_module(value)
