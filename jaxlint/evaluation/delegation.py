"""What code hands on: the attribute that a `__getattr__` asks or a property shows, the variant of a test."""

from __future__ import annotations

from jaxlint.domain.objects import Function, Partial
from jaxlint.domain.values import (
    Const,
    External,
    Product,
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


def shown_by(value: Value) -> str:
    """The attribute of its object that a property gives back as it is; empty where it does anything else."""
    func = value.parts[0] if isinstance(value, Product) and value.kind == "property" else None
    last = func.code.body[-1] if isinstance(func, Function) and func.code.body else None
    shown = last.value if isinstance(last, ReturnStmt) else None
    if not isinstance(func, Function) or not isinstance(shown, AttrExpr) or not func.code.params:
        return ""
    own = isinstance(shown.value, NameExpr) and shown.value.name == func.code.params[0].name
    return shown.name if own else ""
