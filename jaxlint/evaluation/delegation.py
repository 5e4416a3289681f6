"""What code hands on: the attribute that a `__getattr__` asks, the variant that a decorator runs."""

from __future__ import annotations

from jaxlint.domain.objects import Class, Partial
from jaxlint.domain.values import (
    Const,
    External,
    Value,
)
from jaxlint.ir.nodes import AttrExpr, CallExpr, NameExpr, ReturnStmt
from jaxlint.ir.program import Code


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
