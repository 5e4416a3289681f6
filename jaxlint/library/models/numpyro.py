"""numpyro: inference runs a model while JAX traces, on values that it samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Bound, Function, Partial
from jaxlint.domain.values import (
    DIFFERENTIATED,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    Product,
    TracerPytree,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_OPTIONS = frozenset(
    "extra_fields init_params collect_warmup progress_bar stable_update forward_mode_differentiation "
    "init_state".split()
)


def _function_of(value: Value | None) -> Value:
    """The user's function in a kernel, or in kernels that hold one another."""
    while isinstance(value, Product) and value.kind == "object" and len(value.parts) > 1:
        value = value.parts[1]
    return value if isinstance(value, (Function, Bound, Partial)) else UNKNOWN


def _traced(
    func: Value, args: list[Value], keywords: Mapping[str, Value], kind: str, level: int, call: Call, m: Parts
) -> Value:
    """Runs a model, whose arguments are no tracers because of that: what it samples is."""
    given = {name: value for name, value in keywords.items() if name not in _OPTIONS}
    return m.transforms.enter_trace(func, list(args), given, call.nid, kind, level, call.exact)


# ---- what a model says


@model("numpyro.sample")
def sample(call: Call, m: Parts) -> Value:
    """What is observed, or an array that the inference has chosen."""
    observed = call.get(2, "obs") or NONE
    return m.core.made(call.args[1:2]) if observed == NONE else observed


@model("numpyro.param")
def param(call: Call, m: Parts) -> Value:
    level = m.core.arrays_level(())
    return TracerPytree(level) if level else UNKNOWN


@model("numpyro.deterministic")
def deterministic(call: Call, m: Parts) -> Value:
    return call.get(1, "value") or UNKNOWN


@model("numpyro.subsample")
def subsample(call: Call, m: Parts) -> Value:
    data = call.get(0, "data")
    return UNKNOWN if data is None else m.lifting.lower(data, m.core.arrays_level([data]))


@model("numpyro.handlers.seed", "numpyro.handlers.trace", "numpyro.handlers.scope", "numpyro.handlers.scale")
def handler(call: Call, m: Parts) -> Value:
    """With a function, one that does the same; without, a context manager."""
    func = call.get(0, "fn")
    return func if isinstance(func, (Function, Bound, Partial)) else UNKNOWN


# ---- what runs it


@model(
    "numpyro.infer.NUTS",
    "numpyro.infer.HMC",
    "numpyro.infer.SA",
    "numpyro.infer.BarkerMH",
    "numpyro.infer.ESS",
    "numpyro.infer.AIES",
    "numpyro.infer.HMCECS",
    "numpyro.infer.MixedHMC",
    "numpyro.infer.DiscreteHMCGibbs",
    "numpyro.infer.MCMC",
)
def made(call: Call, m: Parts) -> Value:
    """A kernel of a model, or a chain of a kernel."""
    names = ("sampler",) if call.name.endswith("MCMC") else ("model", "inner_kernel")
    held = next((each for name in names if (each := call.get(0, name)) is not None), UNKNOWN)
    return Product("object", call.name, held)


@model("numpyro.infer.MCMC.run", "numpyro.infer.MCMC.warmup")
def run_chain(call: Call, m: Parts) -> Value:
    func = _function_of(call.args[0])
    _traced(func, call.args[2:], call.keywords, "while_loop", STAGED, call, m)
    return NONE


@model("numpyro.infer.MCMC.get_samples")
def samples(call: Call, m: Parts) -> Value:
    return TracerPytree(0)


@model("numpyro.infer.SVI")
def svi(call: Call, m: Parts) -> Value:
    found = [call.get(0, "model"), call.get(1, "guide")]
    return Product("object", call.name, *[UNKNOWN if each is None else each for each in found])


def _model_and_guide(owner: Value) -> list[Value]:
    parts = owner.parts[1:] if isinstance(owner, Product) else ()
    return [each for each in reversed(parts) if isinstance(each, (Function, Bound, Partial))]


@model("numpyro.infer.SVI.run")
def run_svi(call: Call, m: Parts) -> Value:
    for each in _model_and_guide(call.args[0]):
        _traced(each, call.args[3:], call.keywords, "scan", STAGED, call, m)
    return UNKNOWN


@model("numpyro.infer.SVI.update", "numpyro.infer.SVI.stable_update", "numpyro.infer.SVI.evaluate")
def update_svi(call: Call, m: Parts) -> Value:
    """One step: the gradient of the loss, and the loss."""
    is_step = not call.name.endswith("evaluate")
    for each in _model_and_guide(call.args[0]):
        if is_step:
            _traced(each, call.args[2:], call.keywords, "value_and_grad", DIFFERENTIATED, call, m)
        else:
            m.calls.call(each, call.args[2:], call.keywords, call.nid, call.exact)
    loss = Array(m.core.arrays_level(call.args[1:]), "f", 0)
    return Tuple((UNKNOWN, loss)) if is_step else loss


@model("numpyro.infer.Predictive")
def predictive(call: Call, m: Parts) -> Value:
    func = call.get(0, "model") or UNKNOWN
    is_mapped = call.keywords.get("parallel", Const(False)) == Const(False)
    return Product("object", call.name, func) if is_mapped else UNKNOWN


@model("numpyro.infer.Predictive.__call__")
def predict(call: Call, m: Parts) -> Value:
    func = _function_of(call.args[0])
    _traced(func, call.args[2:], call.keywords, "map", STAGED, call, m)
    return TracerPytree(m.core.arrays_level(call.args[1:]))
