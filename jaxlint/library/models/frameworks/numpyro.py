"""numpyro: inference runs a model while JAX traces, on values that it samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, level_of
from jaxlint.domain.objects import Bound, Function, Key, Partial
from jaxlint.domain.questions import level_of_all
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
from jaxlint.library.models.frameworks.distributions import level_of_samples

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_OPTIONS = frozenset(
    "extra_fields init_params collect_warmup progress_bar stable_update forward_mode_differentiation "
    "init_state".split()
)
_STREAM = "numpyro.sample"  # of what gives a model its samples


def _function_of(value: Value | None) -> Value:
    """The user's function in a kernel or a handler, or in some that hold one another."""
    while isinstance(value, Product) and len(value.parts) > 1 and value.kind in ("object", "handler"):
        value = value.parts[-1 if value.kind == "handler" else 1]
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
    """What is observed, or an array that the inference has chosen, or that is drawn."""
    observed, key = call.get(2, "obs") or NONE, call.get(3, "rng_key")
    if observed != NONE:
        return observed
    level = m.core.arrays_level(call.args[1:2])
    if key is None or key == NONE:
        drawn = call.get(1, "fn")
        if call.exact and isinstance(drawn, Product) and drawn.kind == "distribution":
            m.consumption.draw(_STREAM)
        return Array(level | (m.flow.context.given or 0))
    m.consumption.consume(key, call.nid, "sample")
    return Array(level | level_of(key) | level_of_samples(call.args[1] if len(call.args) > 1 else UNKNOWN))


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


_HANDLER = "numpyro.$handler"


def _handler(call: Call, level: int | None, key: Value | None = None) -> Value:
    """With a function, one that does the same; without, a context manager. level: which tracers the samples
    are that it chooses, if it does. key: what it draws them with."""
    func = call.get(0, "fn")
    is_known = func is not None and isinstance(_function_of(func), (Function, Bound, Partial))
    return Product("handler", _HANDLER, level, key, func) if is_known else UNKNOWN


@model(
    "numpyro.handlers.trace",
    "numpyro.handlers.scope",
    "numpyro.handlers.scale",
    "numpyro.handlers.mask",
    "numpyro.handlers.block",
)
def handler(call: Call, m: Parts) -> Value:
    return _handler(call, None)


@model("numpyro.handlers.substitute", "numpyro.handlers.condition")
def choosing(call: Call, m: Parts) -> Value:
    """A model that is given values of its samples."""
    given = call.get(1, "data")
    return _handler(call, 0 if given is None else level_of_all(given))


@model("numpyro.handlers.seed")
def seeding(call: Call, m: Parts) -> Value:
    """A model that is given the key, or a number, that its samples are drawn with, at each call anew; without
    a model a context manager for what is drawn in it."""
    given = call.get(1, "rng_seed")
    key = given if isinstance(given, Key) else None
    if call.get(0, "fn") in (None, NONE):
        m.consumption.consume(key, call.nid, "handlers.seed")
    return _handler(call, 0 if given is None else level_of_all(given), key)


def _run(
    func: Value, args: Sequence[Value], keywords: Mapping[str, Value], given: list[int], call: Call, m: Parts
) -> Value:
    """Runs a model. given: which tracers the samples are in what is given; any handler may give a sample. The
    innermost key is the one that they are drawn with, where nothing else gives any."""
    levels, keys, is_own = list(given), [], not given
    while isinstance(func, Product) and func.kind == "handler":
        _, level, key, func = func.parts
        levels += [] if level is None else [level]
        keys += [] if key is None else [key]
        is_own = is_own and (level is None or key is not None)
    with m.modules.handing(reduce(and_, levels) if levels else 0), m.modules.drawing() as streams:
        result = m.calls.call(func, list(args), dict(keywords), call.nid, call.exact)
    if keys and is_own and _STREAM in streams:
        m.consumption.consume(keys[-1], call.nid, "handlers.seed")
    return result


@model(f"{_HANDLER}.__call__")
def handled(call: Call, m: Parts) -> Value:
    return _run(call.args[0], call.args[1:], call.keywords, [], call, m)


@model(f"{_HANDLER}.get_trace")
def traced(call: Call, m: Parts) -> Value:
    _run(call.args[0], call.args[1:], call.keywords, [], call, m)
    return UNKNOWN


@model("numpyro.infer.util.log_density", "numpyro.infer.util.potential_energy")
def log_density(call: Call, m: Parts) -> Value:
    """The density of a model at values of its samples."""
    func, params = call.get(0, "model"), call.get(3, "params")
    args, named = call.get(1, "model_args"), call.get(2, "model_kwargs")
    level = 0 if params is None else level_of_all(params)
    items = None if args is None else m.expressions.known_items(args)
    is_known = func is not None and isinstance(_function_of(func), (Function, Bound, Partial))
    if is_known and items is not None and isinstance(named, MutableContainer) and named.elem is None:
        _run(func or UNKNOWN, items, named.entries, [level], call, m)
    density = m.core.made([Array(level)])
    return Tuple((density, UNKNOWN)) if call.name.endswith("log_density") else density


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
    found = [_function_of(call.get(0, "model")), _function_of(call.get(1, "guide"))]
    return Product("object", call.name, *found)


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
    # what samples it is given it does not draw
    own = call.exact and call.get(1, "posterior_samples") in (None, NONE) and "guide" not in call.keywords
    return Product("object", call.name, func, Const(own)) if is_mapped else UNKNOWN


@model("numpyro.infer.Predictive.__call__")
def predict(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    func = _function_of(owner)
    keywords = {name: value for name, value in call.keywords.items() if name != "rng_key"}
    with m.modules.drawing() as streams:
        _traced(func, call.args[2:], keywords, "map", STAGED, call, m)
    if _STREAM in streams and isinstance(owner, Product) and owner.parts[1:] == (func, Const(True)):
        m.consumption.consume(
            m.keys.handed_on(call.get(1, "rng_key"), (func, "model")), call.nid, "Predictive"
        )
    return TracerPytree(m.core.arrays_level(call.args[1:]))
