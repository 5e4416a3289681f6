"""Devices: where data goes, what happens behind one's back, threads of control, and several of them."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_ASYNC_DEF = """
import asyncio
import warnings

import jax

warnings.simplefilter("ignore")


@jax.jit
def step(x):
    return x + 1.0


async def later(x):
    return x + 1.0


async def main():
    return await asyncio.to_thread(lambda: float(step(1.0)))


awaited = asyncio.run(main())
"""

_PLACED = """
import jax

implied, named = jax.device_put(1.0), jax.device_put(1.0, jax.devices()[1])
spelled = jax.device_put(1.0, device=None)
"""

_DISPATCHED = """
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@jax.jit
def heavy(x):
    return lax.fori_loop(0, 300, lambda _, x: jnp.sin(x @ x), x)


x = jnp.ones((200, 200))
heavy(x).block_until_ready()
first = heavy(x)
at_once = first.is_ready()
first.block_until_ready()
blocked = first.is_ready()
second = heavy(x)
np.asarray(second)
converted = second.is_ready()
"""

_PARALLEL = """
import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

mesh = Mesh(jax.devices()[:4], ("rows",))
spread = jax.device_put(jnp.arange(8.0), NamedSharding(mesh, PartitionSpec("rows")))


@jax.jit
def step(x):
    return 2.0 * x


result = step(spread)
places = len(result.sharding.device_set)
values = result.tolist()
summed = jax.pmap(lambda x: lax.psum(x, "i"), axis_name="i")(jnp.arange(4.0)).tolist()
"""

ENTRIES = (
    Folklore(
        18,
        "jax-with-async",
        "JAX can be used with async and await.",
        "notes 000 and 001, other things",
        "depends",
        "Awaiting a thread that calls a jitted function works; jit of an `async def` raises, for it returns "
        "a coroutine.",
        (
            Case(Claim("same", calls=("awaited", "2.0")), _ASYNC_DEF, when="await around the call"),
            Case(
                Claim("same", calls=("coroutine_is_jitted", "True")),
                _ASYNC_DEF
                + """
try:
    jax.jit(later)(1.0)
    coroutine_is_jitted = True
except TypeError:
    coroutine_is_jitted = False
""",
                when="jit of an async def",
                holds=False,
            ),
        ),
    ),
    Folklore(
        66,
        "good-at-parallelism",
        "JAX has good support for parallel work, with pmap and its relatives.",
        "note 002, transforms",
        "true",
        "A jitted function left its result on all four devices over which its argument was spread, with the "
        "right values, and pmap summed over four.",
        (
            Case(Claim("same", calls=("places", "4"), devices=4), _PARALLEL, when="jit of a spread array"),
            Case(
                Claim("same", calls=("values", "[0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]"), devices=4),
                _PARALLEL,
                when="jit of a spread array",
            ),
            Case(Claim("same", calls=("summed", "[6.0, 6.0, 6.0, 6.0]"), devices=4), _PARALLEL, when="pmap"),
        ),
    ),
    Folklore(
        70,
        "device-put-to-the-first-device",
        "`jax.device_put` without a device puts data on the first of `jax.devices()`.",
        "note 003, device_put",
        "true",
        "With None and with nothing it was the first device, and the array is not committed to it; a device "
        "that is named is obeyed.",
        (
            Case(
                Claim(
                    "same",
                    calls=("implied.devices() == spelled.devices() == {jax.devices()[0]}", "True"),
                    devices=2,
                ),
                _PLACED,
            ),
            Case(
                Claim("same", calls=("(implied.committed, named.committed)", "(False, True)"), devices=2),
                _PLACED,
            ),
            Case(
                Claim("same", calls=("named.devices() == {jax.devices()[1]}", "True"), devices=2),
                _PLACED,
                when="a device named",
            ),
        ),
    ),
    Folklore(
        75,
        "calls-return-before-they-are-done",
        "A call returns at once with an array that is still being computed; `block_until_ready`, or using "
        "it, waits.",
        "note 003, block_until_ready",
        "true",
        "The array was not ready when the call returned. After blocking it was, and after conversion to "
        "NumPy.",
        (
            Case(Claim("same", calls=("at_once", "False")), _DISPATCHED, when="on return"),
            Case(Claim("same", calls=("blocked", "True")), _DISPATCHED, when="after block_until_ready"),
            Case(Claim("same", calls=("converted", "True")), _DISPATCHED, when="after np.asarray"),
        ),
    ),
)
