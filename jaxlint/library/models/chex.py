"""chex: variants of tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("chex.$variant")
def variant(call: Call, m: Parts) -> Value:
    """`self.variant` of a test that is run with `jax.jit`."""
    return m.transforms.wrap("jax.jit", call.args, call.keywords, call.nid, call.exact)
