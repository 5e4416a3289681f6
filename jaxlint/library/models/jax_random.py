"""Random keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Key
from jaxlint.domain.values import Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("jax.random.key", "jax.random.PRNGKey")
def random_source(call: Call, m: Parts) -> Value:
    if not call.exact or "impl" in call.keywords:
        return m.keys.random_source(call.args, call.nid)
    return m.keys.key_of_seed(call.get(0, "seed"), call.args, m.calls.written(call.nid, 0, "seed"), call.nid)


@model("jax.random.wrap_key_data")
def random_wrapped(call: Call, m: Parts) -> Value:
    return m.keys.random_source(call.args, call.nid)


@model("jax.random.split")
def random_split(call: Call, m: Parts) -> Value:
    return m.keys.random_split(call.get(0, "key"), call.get(1, "num"), call.nid)


@model("jax.random.fold_in")
def random_fold(call: Call, m: Parts) -> Value:
    return m.keys.random_fold(call.get(0, "key"), call.get(1, "data"), m.calls.written(call.nid, 1, "data"))


@model("jax.random.clone")
def random_clone(call: Call, m: Parts) -> Value:
    return Key(m.core.fresh(), m.core.arrays_level(call.args))


@model("jax.random.key_data", "jax.random.key_impl")
def random_read(call: Call, m: Parts) -> Value:
    return m.core.made(call.args, "i")
