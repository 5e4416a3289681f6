"""Context managers of the standard library, pytest and JAX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Function
from jaxlint.domain.values import NONE, UNKNOWN, Product, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_CONTEXTS = {
    "jax.ensure_compile_time_eval": "eager",
    "pytest.raises": "raises", "pytest.warns": "warns", "contextlib.suppress": "raises",
    "numpy.testing.assert_raises": "raises", "numpy.testing.assert_raises_regex": "raises",
    "pytest.deprecated_call": "warns", "warnings.catch_warnings": "warns",
}  # fmt: skip


@model("contextlib.contextmanager", "contextlib.asynccontextmanager")
def manager(call: Call, m: Parts) -> Value:
    func = call.args[0] if call.args else UNKNOWN
    if isinstance(func, Function):
        m.effects.managers.add(id(func.code))
    return func


@model("contextlib.ExitStack", "contextlib.AsyncExitStack")
def exit_stack(call: Call, m: Parts) -> Value:
    return Product("exit-stack", m.core.box("list", call.nid, "callbacks"))


@model(
    "jax.ensure_compile_time_eval",
    "pytest.raises",
    "contextlib.suppress",
    "pytest.warns",
    "pytest.deprecated_call",
    "warnings.catch_warnings",
    "numpy.testing.assert_raises",
    "numpy.testing.assert_raises_regex",
)
def context(call: Call, m: Parts) -> Value:
    first = 2 if call.name.endswith("_regex") else 1
    if _CONTEXTS[call.name] == "raises" and call.name != "contextlib.suppress" and len(call.args) > first:
        with m.statements.expecting():
            m.calls.call(call.args[first], list(call.args[first + 1 :]), dict(call.keywords), call.nid)
        return UNKNOWN
    return Product("context", _CONTEXTS[call.name])


@model("contextlib.nullcontext")
def nullcontext(call: Call, m: Parts) -> Value:
    return Product("nullcontext", call.get(0, "enter_result") or NONE)
