"""chex: variants of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Partial
from jaxlint.domain.values import UNKNOWN, External, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("chex.variants", "chex.all_variants")
def variants(call: Call, m: Parts) -> Value:
    """A decorator of tests, which unittest calls; with options alone it waits for its test."""
    if call.args or "test_method" in call.keywords:
        return UNKNOWN
    return Partial(External(call.name), (), tuple(sorted(call.keywords.items())))


@model("chex.$variant")
def variant(call: Call, m: Parts) -> Value:
    """`self.variant` of a test that is run with `jax.jit`."""
    return m.transforms.wrap("jax.jit", call.args, call.keywords, call.nid, call.exact)
