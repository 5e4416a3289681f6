"""The engine's table of transforms is what the installed JAX does, and the frameworks, row by row: names,
parameters, levels.

Each transform is applied, and the function that it is given says what it sees: whether its
argument is a tracer, whether what jax.numpy makes from constants is one, and whether a condition can be read.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from verify_cases import ready_jax

from jaxlint.calling.control_primitives import ALIASES
from jaxlint.calling.transforms import WRAPPERS
from jaxlint.domain.values import BATCHED, DIFFERENTIATED, STAGED
from jaxlint.library.modelled import models_in
from jaxlint.library.models import jax_lax, jax_transforms
from jaxlint.tables import deprecation

DEPRECATIONS = Path(deprecation.__file__).with_name("deprecations.csv").read_text(encoding="utf-8")


def found(name: str) -> Any:
    """What a dotted name stands for in the installed JAX.

    Raises:
        AttributeError: nothing.
    """
    module, _, last = name.rpartition(".")
    try:
        holder = importlib.import_module(module)
    except ModuleNotFoundError:
        holder = found(module)
    return getattr(holder, last)


def is_there(name: str) -> bool:
    try:
        found(name)
    except (AttributeError, ImportError):
        return False
    return True


class Seen:
    """A function for a transform to be given, and what it saw when it ran last."""

    def __init__(self) -> None:
        self.level: int | None = None
        self.is_traced = False

    def __call__(self, x: Any, *others: Any) -> Any:
        import jax
        import jax.numpy as jnp

        tracer = jax.core.Tracer
        self.is_traced = isinstance(x, tracer)
        if isinstance(jnp.zeros(2), tracer):
            self.level = STAGED
        elif not self.is_traced:
            self.level = 0
        else:
            try:
                bool(x.ravel()[0] > 0)
                self.level = DIFFERENTIATED
            except jax.errors.TracerBoolConversionError:
                self.level = BATCHED
        return x * 2.0


def applied(name: str, seen: Seen) -> None:
    """Apply a transform to `seen`, and call the result."""
    import jax
    import jax.numpy as jnp
    import numpy as np

    transform = found(name)
    x = jnp.float32(1.0)
    if "map" in name or "vectorize" in name or "pallas" in name:
        x = jnp.ones(2 if name == "jax.numpy.vectorize" else 1)  # it takes no lanes where there is one

    def function(x: Any) -> Any:
        return seen(x)

    if name == "jax.shard_map":
        mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("i",))
        spec = jax.sharding.PartitionSpec("i")
        transform(function, mesh=mesh, in_specs=spec, out_specs=spec)(x)
    elif name.endswith("pallas_call"):

        def kernel(x_ref: Any, out_ref: Any) -> None:
            out_ref[...] = seen(x_ref[...])

        transform(kernel, out_shape=jax.ShapeDtypeStruct(x.shape, x.dtype), interpret=True)(x)
    elif name == "jax.custom_gradient":
        transform(lambda x: (seen(x), lambda g: g))(x)
    elif name == "jax.custom_batching.custom_vmap":
        made = transform(function)
        made.def_vmap(lambda size, batched, x: (x, batched[0]))
        made(x)
    elif name in ("jax.custom_jvp", "jax.custom_vjp"):
        made = transform(function)
        if name.endswith("jvp"):
            made.defjvp(lambda primals, tangents: (primals[0], tangents[0]))
        else:
            made.defvjp(lambda x: (x, None), lambda residue, g: (g,))
        made(x)
    elif name.startswith("equinox.filter_custom_"):
        made = transform(function)
        if name.endswith("jvp"):
            made.def_jvp(lambda primals, tangents: (primals[0], tangents[0]))
        else:
            made.def_fwd(lambda perturbed, x: (x, None))
            made.def_bwd(lambda residue, g, perturbed, x: g)
        made(x)
    elif name == "flax.nnx.scan":
        transform(lambda carry, x: (seen(carry), x))(x, jnp.ones(3))
    elif name.startswith("haiku."):
        in_haiku(lambda: transform(function)(x))
    else:
        transform(function)(x)


def in_haiku(body: Callable[[], Any]) -> None:
    """Run once the parameters are there, as `init` may leave a transform out."""
    import haiku as hk

    hk.transform(body).apply({}, None)


@pytest.fixture(scope="module", autouse=True)
def jax_is_ready() -> None:
    ready_jax()


@pytest.mark.parametrize("name", sorted(WRAPPERS))
def test_level(name: str) -> None:
    seen = Seen()
    applied(name, seen)
    assert seen.level is not None, "the function did not run"
    assert seen.level == WRAPPERS[name].level


@pytest.mark.parametrize("name", sorted(WRAPPERS))
def test_parameters(name: str) -> None:
    """The positional parameters that the table names are the first ones, in their order."""
    parameters = inspect.signature(found(name)).parameters
    wanted = WRAPPERS[name].params
    assert all(each in parameters for each in wanted), list(parameters)
    positional = [
        each.name for each in parameters.values() if each.kind is not inspect.Parameter.KEYWORD_ONLY
    ]
    shared = [each for each in positional if each in wanted]
    assert shared == [each for each in wanted if each in positional]
    assert positional[0] == wanted[0]


@pytest.mark.parametrize("name", sorted(name for name in ALIASES if name.startswith("jax.")))
def test_alias(name: str) -> None:
    """Another name for a transform takes the same function first, or is gone from JAX."""
    if not is_there(name):
        module = name.rpartition(".")[0]
        assert f"\n{name}," in DEPRECATIONS or f"\n{module},module," in DEPRECATIONS
        return
    canonical = found(ALIASES[name])
    if found(name) is not canonical:
        first, wanted = (next(iter(inspect.signature(each).parameters)) for each in (found(name), canonical))
        assert first == wanted


def runs() -> dict[str, Callable[[Seen], Any]]:
    """How each runner is given a function."""
    import haiku as hk
    import jax
    import jax.numpy as jnp
    from flax import nnx
    from jax import lax
    from numpyro.contrib import control_flow

    x, xs = jnp.float32(1.0), jnp.ones(3)
    shape = jax.ShapeDtypeStruct((), jnp.float32)
    return {
        "jax.lax.scan": lambda f: lax.scan(lambda c, each: (f(c), each), x, xs),
        "jax.lax.while_loop": lambda f: lax.while_loop(lambda c: c < 4.0, f, x),
        "jax.lax.fori_loop": lambda f: lax.fori_loop(0, 3, lambda i, c: f(c), x),
        "jax.lax.cond": lambda f: lax.cond(x > 0, f, f, x),
        "jax.lax.switch": lambda f: lax.switch(0, [f, f], x),
        "jax.lax.map": lambda f: lax.map(f, xs),
        "jax.eval_shape": lambda f: jax.eval_shape(f, x),
        "jax.jvp": lambda f: jax.jvp(f, (x,), (x,)),
        "jax.vjp": lambda f: jax.vjp(f, x),
        "jax.linearize": lambda f: jax.linearize(f, x),
        "jax.pure_callback": lambda f: jax.pure_callback(f, shape, x).block_until_ready(),
        "jax.experimental.io_callback": lambda f: found("jax.experimental.io_callback")(f, shape, x),
        "jax.debug.callback": lambda f: (jax.debug.callback(f, x), jax.effects_barrier()),
        "flax.nnx.cond": lambda f: nnx.cond(x > 0, f, f, x),
        "flax.nnx.switch": lambda f: nnx.switch(0, [f, f], x),
        "flax.nnx.while_loop": lambda f: nnx.while_loop(lambda c: c < 4.0, f, x),
        "flax.nnx.fori_loop": lambda f: nnx.fori_loop(0, 3, lambda i, c: f(c), x),
        "haiku.scan": lambda f: in_haiku(lambda: hk.scan(lambda c, each: (f(c), each), x, xs)),
        "haiku.while_loop": lambda f: in_haiku(lambda: hk.while_loop(lambda c: c < 4.0, f, x)),
        "haiku.fori_loop": lambda f: in_haiku(lambda: hk.fori_loop(0, 3, lambda i, c: f(c), x)),
        "haiku.cond": lambda f: in_haiku(lambda: hk.cond(x > 0, f, f, x)),
        "numpyro.contrib.control_flow.scan": lambda f: control_flow.scan(lambda c, each: (f(c), each), x, xs),
        "numpyro.contrib.control_flow.cond": lambda f: control_flow.cond(x > 0, f, f, x),
        "haiku.switch": lambda f: in_haiku(lambda: hk.switch(0, [f, f], x)),
        "haiku.map": lambda f: in_haiku(lambda: hk.map(f, xs)),
    }


# What a transform gives has no name of its own.
RUNS_NOTHING = ("jax.lax.axis_index",)
RUNNERS = sorted(
    name for name in models_in([jax_lax, jax_transforms]) if "$" not in name and name not in RUNS_NOTHING
)
LEVELS = dict.fromkeys(RUNNERS, STAGED) | {
    "jax.lax.associative_scan": 0,
    "jax.jvp": DIFFERENTIATED,
    "jax.vjp": DIFFERENTIATED,
    "jax.linearize": DIFFERENTIATED,
    "jax.pure_callback": 0,
    "jax.experimental.io_callback": 0,
    "jax.debug.callback": 0,
    "jax.experimental.host_callback.call": 0,
}


@pytest.mark.parametrize("name", RUNNERS)
def test_runner(name: str) -> None:
    import jax
    import jax.numpy as jnp

    if not is_there(name):
        assert name == "jax.experimental.host_callback.call"
        return
    seen = Seen()
    if name == "jax.lax.associative_scan":
        jax.lax.associative_scan(lambda a, b: seen(a) + b, jnp.ones(3))
    else:
        runs()[name](seen)
    assert seen.level == LEVELS[name]
