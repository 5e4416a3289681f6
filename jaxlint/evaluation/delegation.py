"""What code hands on: the attribute that a `__getattr__` asks, the variant that a decorator runs."""

from __future__ import annotations

from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.objects import Class, Function, Instance, Partial
from jaxlint.domain.questions import contents_of
from jaxlint.domain.values import (
    Const,
    External,
    Value,
)
from jaxlint.ir.limits import DELEGATES, REACHED
from jaxlint.ir.nodes import AttrExpr, CallExpr, NameExpr, ReturnStmt
from jaxlint.ir.program import Code


class Delegation:
    """What objects give for attributes that they do not have."""

    def __init__(self, flow: FlowState, interpreter: Interpreter) -> None:
        self.flow = flow
        self.interpreter = interpreter

    def by_getter(self, getter: Value, owner: Instance, name: str, nid: int) -> Value | None:
        """What `__getattr__` gives where it asks another object, or an object for what it holds."""
        attributes = self.interpreter.attributes
        is_method = isinstance(getter, Function)
        if contents_of(owner) is not None:
            given: list[Value] = [Const(name)] if is_method else [owner, Const(name)]
            return self.interpreter.calls.call(attributes.bind_method(getter, owner, nid), given, {}, nid)
        holder = delegate_of(getter.code) if isinstance(getter, Function) else ""
        if not holder or holder == name:
            return None
        if self.flow.delegating >= DELEGATES.most:
            REACHED["delegates"] += 1
            return None
        self.flow.delegating += 1
        value = attributes.attribute(attributes.of_instance(owner, holder, nid), name, nid)
        self.flow.delegating -= 1
        return value


def is_jitted_variant(decorator: Value) -> bool:
    """Whether a decorator is one of chex that runs a test with `jax.jit` among others."""
    func, options = (
        (decorator.func, decorator.keywords) if isinstance(decorator, Partial) else (decorator, ())
    )
    if not isinstance(func, External) or func.name not in ("chex.variants", "chex.all_variants"):
        return False
    return dict(options).get("with_jit", Const(func.name == "chex.all_variants")) == Const(True)


def makes_anew(cls: Class, name: str) -> bool:
    """Whether a `__getattr__` computes what objects of a class have by a name at each read."""
    getter = cls.lookup("__getattr__")
    return getter is not None and not any(name in each.instance_writes for each in cls.lineage())


def delegate_of(code: Code) -> str:
    """The attribute of `self` whose attributes a `__getattr__` hands out; empty where it does not."""
    last = code.body[-1] if code.body else None
    if not isinstance(last, ReturnStmt) or not isinstance(last.value, CallExpr) or len(code.params) != 2:
        return ""
    func, args = last.value.func, last.value.args
    own, name = (param.name for param in code.params)
    if not isinstance(func, NameExpr) or func.name != "getattr" or len(args) < 2:
        return ""
    source, asked = args[0], args[1]
    if not isinstance(source, AttrExpr) or not isinstance(source.value, NameExpr):
        return ""
    is_asked = isinstance(asked, NameExpr) and asked.name == name
    return source.name if is_asked and source.value.name == own else ""
