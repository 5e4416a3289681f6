"""equinox, and what its `internal` has of jax.lax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple, join_all, options_of
from jaxlint.domain.key_tokens import QUIET
from jaxlint.domain.objects import Function, Instance
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.ir.nodes import AttrExpr, Expr, NameExpr, ReturnStmt, TupleExpr
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.library.models import jax_lax, jax_transforms

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_STATE = "equinox.nn.State"
_DEEP = 4  # attributes of attributes that `tree_at` follows


@model("equinox.filter_eval_shape")
def filter_eval_shape(call: Call, m: Parts) -> Value:
    """Traces the function as `filter_make_jaxpr` does, and looks at shapes only."""
    func = call.get(0, "fun")
    if func is not None:
        m.flow.looking = True
        with m.keys.unspent():
            made = m.transforms.wrap("equinox.filter_make_jaxpr", [func], {}, call.nid, True)
            keywords = {name: value for name, value in call.keywords.items() if name != "fun"}
            m.calls.call(made, call.args[1:], keywords, call.nid, call.exact)
        m.flow.looking = False
    return Product("opaque", "shapes")


@model("equinox.if_array")
def if_array(call: Call, m: Parts) -> Value:
    """An axis of all that are arrays."""
    return Product("axis")


@model("equinox.nn.make_with_state")
def make_with_state(call: Call, m: Parts) -> Value:
    """What makes a module as its class does, beside the state of its layers."""
    made = call.get(0, "make_model")
    return UNKNOWN if made is None else Product("object", call.name, made)


@model("equinox.nn.make_with_state.__call__")
def with_state(call: Call, m: Parts) -> Value:
    owner, *args = call.args
    assert isinstance(owner, Product)
    made = m.calls.call(owner.parts[1], args, call.keywords, call.nid, call.exact)
    return Tuple((made, Product("object", _STATE, 0)))


@model(f"{_STATE}.get")
def state_item(call: Call, m: Parts) -> Value:
    """What a layer keeps: arrays, which are tracers where the state is."""
    owner = call.args[0]
    level = owner.parts[1] if isinstance(owner, Product) else 0
    return TracerPytree(level) if level else UNKNOWN


@model(f"{_STATE}.set")
def state_with_item(call: Call, m: Parts) -> Value:
    """Another state."""
    owner = call.args[0]
    level = owner.parts[1] if isinstance(owner, Product) else 0
    return Product("object", _STATE, level | m.core.arrays_level(call.args[1:]))


@model("equinox.nn.inference_mode", "equinox.tree_inference")
def inference_mode(call: Call, m: Parts) -> Value:
    """A module in which dropout is off, so that it need not draw with the keys that it is called with."""
    if call.get(1, "value") not in (None, Const(True)):
        return UNKNOWN
    return Unknown((m.core.fresh(), QUIET, None))


@model("equinox.tree_at")
def tree_at(call: Call, m: Parts) -> Value:
    """A copy of an object in which the attributes that a lambda reads are others."""
    return join_all(_with_parts(each, call, m) for each in options_of(call.get(1, "pytree") or UNKNOWN))


def _with_parts(tree: Value, call: Call, m: Parts) -> Value:
    where = call.get(0, "where")
    if isinstance(tree, TracerPytree):
        same = call.keywords.get("replace_fn", NONE) == NONE and _is_of_numbers(call.get(2, "replace"), m)
        return tree if same else TracerPytree(tree.level, m.core.fresh())
    if not isinstance(where, Function) or not isinstance(tree, Instance) or not where.code.is_lambda:
        return UNKNOWN
    new = call.get(2, "replace")
    ending = where.code.body[-1]
    assert isinstance(ending, ReturnStmt)
    result = ending.value
    parts = result.items if isinstance(result, TupleExpr) else (result,)
    paths = [_path(each, where) for each in parts]
    values: list[Value] = [UNKNOWN for _ in paths]
    func = call.keywords.get("replace_fn", NONE)
    if func != NONE:
        values = [m.calls.call(func, [_found(tree, path, call, m)], {}, call.nid) for path in paths]
    elif new is not None:
        items = m.expressions.known_items(new) if isinstance(result, TupleExpr) else (new,)
        if items is not None and len(items) == len(paths):
            values = list(items)
    for path, value in zip(paths, values, strict=True):
        if path is None:
            return UNKNOWN
        tree = _replaced(tree, path, value, call, m)
    return tree


def _is_of_numbers(value: Value | None, m: Parts) -> bool:
    """Whether no key can be among what replaces parts of an object of which nothing is known."""
    if value is None or isinstance(value, (Const, NumPyArray)):
        return value is not None
    items = m.expressions.known_items(value)
    return (
        isinstance(value, (Array, Static))
        if items is None
        else all(_is_of_numbers(each, m) for each in items)
    )


def _path(node: Expr, where: Function) -> tuple[str, ...] | None:
    """The attributes that an expression reads of the parameter of a lambda."""
    names: list[str] = []
    while isinstance(node, AttrExpr):
        names.append(node.name)
        node = node.value
    params = where.code.params
    is_parameter = isinstance(node, NameExpr) and len(params) == 1 and node.name == params[0].name
    return tuple(reversed(names)) if is_parameter and 0 < len(names) <= _DEEP else None


def _found(tree: Value, path: tuple[str, ...] | None, call: Call, m: Parts) -> Value:
    for name in path or ():
        tree = m.attributes.attribute(tree, name, call.nid)
    return UNKNOWN if path is None else tree


def _replaced(tree: Value, path: tuple[str, ...], value: Value, call: Call, m: Parts) -> Value:
    if not path:
        return value
    if not isinstance(tree, Instance):
        return UNKNOWN
    inner = m.attributes.attribute(tree, path[0], call.nid)
    return m.construction.copy_with(tree, {path[0]: _replaced(inner, path[1:], value, call, m)}, call.nid)


@model("equinox.filter_jvp")
def filter_jvp(call: Call, m: Parts) -> Value:
    return jax_transforms.jvp(call, m)


@model("equinox.internal.while_loop")
def while_loop(call: Call, m: Parts) -> Value:
    return jax_lax.while_loop(_of_lax(call), m)


@model("equinox.internal.scan")
def scan(call: Call, m: Parts) -> Value:
    return jax_lax.scan(_of_lax(call), m)


def _of_lax(call: Call) -> Call:
    """The same call without the keywords that jax.lax has not."""
    own = ("kind", "buffers", "checkpoints", "base")
    keywords = {name: value for name, value in call.keywords.items() if name not in own}
    return Call(call.name, call.args, keywords, call.nid, call.exact)
