"""functools, and decorators that change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import callees_of, join_all
from jaxlint.domain.key_tokens import is_quiet
from jaxlint.domain.objects import Bound, Function, Partial, Transformed
from jaxlint.domain.tokens import PYTREE
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import NONE, UNKNOWN, Candidates, External, Product, Unknown, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("functools.partial", "jax.tree_util.Partial", "equinox.Partial")
def partial(call: Call, m: Parts) -> Value:
    func = call.args[0] if call.args else UNKNOWN
    if isinstance(func, Unknown) and not isinstance(func, Candidates):
        return func if is_quiet(func.token) else UNKNOWN
    if not call.exact and "**" in call.keywords:
        target = call.args[0]
        known = {name: value for name, value in call.keywords.items() if name != "**"}
        if isinstance(target, External) and target.name in WRAPPERS:
            return Partial(
                target,
                tuple(call.args[1:]),
                tuple(sorted({**known, "**": UNKNOWN}.items(), key=lambda kv: kv[0])),
            )
        return Partial(
            target, tuple(call.args[1:]), (*sorted(known.items(), key=lambda kv: kv[0]), ("**", UNKNOWN))
        )
    made = [_with(each, call) for each in callees_of(func)] if _is_of_partials(func) else [_with(func, call)]
    for each in made:
        m.freshness.note_birth(each, "partial" if call.name == "functools.partial" else PYTREE, call.nid)
    return join_all(made)


def _is_of_partials(func: Value) -> bool:
    return any(isinstance(each, Partial) for each in callees_of(func))


def _with(func: Value, call: Call) -> Partial:
    """A function with the arguments of a call; of a partial its function, with these and its own, as Python
    does it: one that replaces itself by a partial of it in each turn of a loop comes to an end."""
    args, keywords = tuple(call.args[1:]), call.keywords
    if isinstance(func, Partial):
        args, keywords = (*func.args, *args), {**dict(func.keywords), **keywords}
        func = func.func
    return Partial(func, args, tuple(sorted(keywords.items(), key=lambda item: item[0])))


@model("functools.partialmethod")
def partialmethod(call: Call, m: Parts) -> Value:
    if not call.args:
        return UNKNOWN
    return Product(
        "partialmethod",
        call.args[0],
        tuple(call.args[1:]),
        tuple(sorted(call.keywords.items(), key=lambda i: i[0])),
    )


@model("types.MethodType")
def method(call: Call, m: Parts) -> Value:
    """A method of an object, also by `function.__get__(owner)`, which for no object gives the function."""
    if len(call.args) < 2 or not call.exact:
        return UNKNOWN
    func, owner = call.args[:2]
    if owner == NONE:
        return func
    is_plain = all(isinstance(each, (Function, Transformed)) for each in callees_of(func))
    return m.attributes.bind_method(func, owner, call.nid) if is_plain else Partial(func, (owner,), ())


@model("functools.wraps")
def wraps(call: Call, m: Parts) -> Value:
    wrapped = call.get(0, "wrapped")
    named = () if wrapped is None else (("wrapped", wrapped),)
    return Partial(External("functools.update_wrapper"), (), named)


@model("functools.update_wrapper")
def update_wrapper(call: Call, m: Parts) -> Value:
    """`inspect` and with it JAX take the signature of the function that is wrapped for its own."""
    wrapper, wrapped = call.get(0, "wrapper"), call.get(1, "wrapped")
    if isinstance(wrapper, Function) and wrapped is not None:
        wrapper.attributes["__wrapped__"] = wrapped
    return UNKNOWN if wrapper is None else wrapper


@model(
    "builtins.$identity",
    "flax.linen.compact",
    "flax.linen.nowrap",
    "haiku.transparent",
    "typing.final",
    "typing.override",
    "typing.no_type_check",
    "abc.abstractmethod",
    "typing.overload",
)
def identity(call: Call, m: Parts) -> Value:
    return call.args[0] if call.args else External("builtins.$identity")


@model("functools.singledispatch", "functools.singledispatchmethod")
def generic_function(call: Call, m: Parts) -> Value:
    return Product("dispatcher", call.args[0], call.name.endswith("method")) if call.args else UNKNOWN


@model("functools.reduce")
def reduce(call: Call, m: Parts) -> Value:
    if len(call.args) < 2:
        return UNKNOWN
    start = call.args[2] if len(call.args) > 2 else None
    items = m.containers.exact_items(call.args[1])
    each = join_all(items) if items else m.containers.iterate(call.args[1], call.nid)
    return m.calls.fold(call.args[0], items, each, start, call.nid)


@model("functools.lru_cache", "functools.cache")
def cache(call: Call, m: Parts) -> Value:
    """A cached function is analyzed as if it were not cached."""
    target = call.args[0] if call.args else None
    if isinstance(target, Function):
        m.staleness.memoised[id(target.code)] = True
        return target
    if isinstance(target, (Bound, Partial, Transformed, External)):
        return Partial(External("functools.$memoised"), (target,), ())
    return Partial(External(call.name), (), ())


@model("functools.$memoised")
def memoised(call: Call, m: Parts) -> Value:
    """A call of what is cached that is no plain function: its arguments are hashed."""
    target, *args = call.args
    m.expressions.hashing.hash_any((*args, *call.keywords.values()), "memo", call.nid)
    return m.calls.call(target, args, dict(call.keywords), call.nid)


@model("functools.cached_property")
def cached_property(call: Call, m: Parts) -> Value:
    if call.args and isinstance(call.args[0], Function):
        m.staleness.memoised[id(call.args[0].code)] = False  # the object keeps it itself
    return Product("property", call.args[0], True, NONE) if call.args else UNKNOWN


@model("typing.cast")
def typing_cast(call: Call, m: Parts) -> Value:
    return call.args[1] if len(call.args) > 1 else UNKNOWN


@model("jaxtyping.jaxtyped")
def decorator(call: Call, m: Parts) -> Value:
    target = call.args[0] if call.args else None
    return target if isinstance(target, Function) else External("builtins.$identity")
