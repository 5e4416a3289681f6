"""The transforms of flax.linen: of methods, classes and functions, and those that run a function at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.calling.linen_transforms import within
from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Class, Function, Partial, Transformed
from jaxlint.domain.values import UNKNOWN, Const, External, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.library.models import jax_lax, jax_transforms

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_KINDS = {
    "flax.linen.jit": "nn_jit",
    "flax.linen.remat": "nn_remat",
    "flax.linen.checkpoint": "nn_remat",
    "flax.linen.remat_scan": "nn_remat",
    "flax.linen.vmap": "nn_vmap",
    "flax.linen.scan": "nn_scan",
}


@model(*_KINDS, over_source=True)
def transformed(call: Call, m: Parts) -> Value:
    target = call.get(0, "target")
    keywords = {name: value for name, value in call.keywords.items() if name != "target"}
    if not call.exact:
        keywords["**"] = UNKNOWN
    if target is None:
        return Partial(External(call.name), (), tuple(sorted(keywords.items(), key=lambda each: each[0])))
    return m.linen_transforms.apply(_KINDS[call.name], target, keywords, call.nid)


@model(
    *(f"flax.linen.{name}" for name in ("add_metadata_axis", "fold_rngs", "map_variables", "named_call")),
    over_source=True,
)
def unchanged(call: Call, m: Parts) -> Value:
    """What becomes of variables and keys of a module is no business of its methods' arguments."""
    target = call.get(0, "target") or call.get(0, "class_fn")
    return target if isinstance(target, (Class, Function, Transformed)) else UNKNOWN


@model("flax.linen.cond", over_source=True)
def cond(call: Call, m: Parts) -> Value:
    if len(call.args) < 4:
        return UNKNOWN
    test, true, false, module, *operands = call.args
    given = [test, within(true, module), within(false, module), *operands]
    return jax_lax.cond(Call("jax.lax.cond", given, {}, call.nid, call.exact), m)


@model("flax.linen.switch", over_source=True)
def switch(call: Call, m: Parts) -> Value:
    branches = m.expressions.known_items(call.args[1]) if len(call.args) > 2 else None
    if branches is None:
        return UNKNOWN
    index, _, module, *operands = call.args
    given = [index, Tuple(tuple([within(each, module) for each in branches])), *operands]
    return jax_lax.switch(Call("jax.lax.switch", given, {}, call.nid, call.exact), m)


@model("flax.linen.while_loop", over_source=True)
def while_loop(call: Call, m: Parts) -> Value:
    test, body = call.get(0, "cond_fn"), call.get(1, "body_fn")
    module, init = call.get(2, "mdl"), call.get(3, "init")
    if test is None or body is None or module is None or init is None:
        return UNKNOWN
    given = [within(test, module), within(body, module), init]
    return jax_lax.while_loop(Call("jax.lax.while_loop", given, {}, call.nid, call.exact), m)


@model("flax.linen.grad", "flax.linen.value_and_grad", over_source=True)
def grad(call: Call, m: Parts) -> Value:
    """The gradient with respect to all arguments but the module: a tuple also of one."""
    if len(call.args) < 3:
        return UNKNOWN
    func, module, *primals = call.args
    numbers = Tuple(tuple([Const(place) for place in range(len(primals))]))
    options = (("argnums", numbers), *(each for each in call.keywords.items() if each[0] == "has_aux"))
    kind = call.name.rpartition(".")[2]
    made = Transformed(kind, within(func, module), options, (m.flow.module, call.nid))
    return m.transforms.call_transformed(made, primals, {}, call.nid, call.exact)


@model("flax.linen.vjp", over_source=True)
def vjp(call: Call, m: Parts) -> Value:
    if len(call.args) < 2:
        return UNKNOWN
    func, module, *primals = call.args
    has_aux = {name: value for name, value in call.keywords.items() if name == "has_aux"}
    given = [within(func, module), *primals]
    return jax_transforms.vjp(Call("jax.vjp", given, has_aux, call.nid, call.exact), m)


@model("flax.linen.jvp", over_source=True)
def jvp(call: Call, m: Parts) -> Value:
    if len(call.args) < 4:
        return UNKNOWN
    func, module, *given = call.args
    return jax_transforms.jvp(Call("jax.jvp", [within(func, module), *given], {}, call.nid, call.exact), m)
