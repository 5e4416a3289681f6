"""Memory: what is alive, who frees it and when, what vmap asks for, and how to look at it."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_BACKEND = """
from importlib.util import find_spec

import jax
from jax.extend import backend

found = find_spec("jax.lib") is not None and find_spec("jax.lib.xla_bridge") is not None
platform = backend.get_backend().platform
"""

_LIVE = """
import gc

import jax
import jax.numpy as jnp
from jax.extend.backend import get_backend

gc.collect()
client = get_backend()
count = len(client.live_buffers())
kept = [jnp.ones((100, 100)), jnp.ones(7)]
found = sorted((buffer.shape, buffer.nbytes) for buffer in client.live_buffers())[-2:]
public = sorted((array.shape, array.nbytes) for array in jax.live_arrays())[-2:]
grown = len(client.live_buffers()) - count
"""

_PROFILE = """
import gzip

import jax.numpy as jnp
from jax import profiler

kept = jnp.ones(1000)
packed = profiler.device_memory_profile()
profile = gzip.decompress(packed)
units = [word for word in (b"space", b"bytes", b"buffer") if word in profile]
"""

_MAPPED = """
import jax
import jax.numpy as jnp
from jax import lax


def spread(row):
    table = jnp.outer(row, row)
    return jnp.sort(jnp.sin(table) @ table, axis=0)[0].sum()


all_at_once = jax.jit(jax.vmap(spread))
one_by_one = jax.jit(lambda rows: lax.map(spread, rows))
in_batches = jax.jit(lambda rows: lax.map(spread, rows, batch_size=8))
rows = jnp.ones((64, 64))
all_at_once(rows)
one_by_one(rows)
"""

_GARBAGE = """
import gc

import jax
import jax.numpy as jnp


class Holder:
    pass


def hold(shape, cycle):
    holder = Holder()
    holder.array = jnp.ones(shape)
    if cycle:
        holder.itself = holder


def alive(shape):
    return sum(array.shape == shape for array in jax.live_arrays())


gc.collect()
gc.disable()
for _ in range(8):
    hold((10, 1001), cycle=False)
    hold((10, 1002), cycle=True)
without_cycle, with_cycle = alive((10, 1001)), alive((10, 1002))
gc.enable()
gc.collect()
after = alive((10, 1002))
"""

_SIZE = """
import sys

import jax.numpy as jnp

x = jnp.ones((1000, 1000))
"""

_PRESSURE = """
import gc

runs = []


def notice(phase, info):
    if phase == "start":
        runs.append(info["generation"])


gc.collect()
gc.callbacks.append(notice)
blocks = [bytearray(2**20) for _ in range(100)]
by_memory = len(runs)
lists = [[] for _ in range(100_000)]
by_number = len(runs) - by_memory
gc.callbacks.remove(notice)
"""

ENTRIES = (
    Folklore(
        1,
        "backend-from-xla-bridge",
        "The client of the backend is had from `jax.lib.xla_bridge.get_backend()`.",
        "note 000, Memory",
        "false",
        "The module was removed; `jax.extend.backend.get_backend()` gives the client.",
        (Case(Claim("same", calls=("found", "True"), since="0.8.0"), _BACKEND, holds=False),),
        rule="JAX901",
    ),
    Folklore(
        2,
        "live-buffers-of-the-client",
        "The client's `live_buffers()` lists the allocated device buffers, with `nbytes` and `shape`.",
        "note 000, Memory",
        "true",
        "Two new arrays were two new buffers with their shapes and bytes, and `jax.live_arrays()`, which is "
        "public, lists the same.",
        (
            Case(Claim("same", calls=("grown", "2")), _LIVE),
            Case(Claim("same", calls=("found", "[((7,), 28), ((100, 100), 40000)]")), _LIVE),
            Case(Claim("same", calls=("found", "public")), _LIVE, when="jax.live_arrays"),
        ),
    ),
    Folklore(
        5,
        "memory-profile-is-for-pprof",
        "JAX's profile of device memory is read by the Go program pprof.",
        "note 000, Memory",
        "true",
        "The profile unpacks, and has the units of pprof's format in its table of strings.",
        (
            Case(Claim("same", calls=("packed[:2].hex()", "'1f8b'")), _PROFILE),
            Case(Claim("same", calls=("units", "[b'space', b'bytes', b'buffer']")), _PROFILE),
        ),
    ),
    Folklore(
        5,
        "pprof-is-hosted",
        "A hosted pprof shows the memory profile in the browser.",
        "note 000, Memory",
        "not-executable",
        "It is about a web site; programs here run without network.",
    ),
    Folklore(
        6,
        "vmap-costs-memory",
        "`vmap` can be dangerous for memory: it does not order its work so as to need little.",
        "note 000, Memory",
        "true",
        "The temporary memory of the mapped program is a large multiple of that of `lax.map`, and of "
        "`lax.map` in batches.",
        (
            Case(
                Claim(
                    "memory",
                    calls=("all_at_once(rows)",),
                    good_calls=("one_by_one(rows)",),
                    what="temp",
                    ratio=10.0,
                ),
                _MAPPED,
                _MAPPED,
            ),
            Case(
                Claim(
                    "memory",
                    calls=("all_at_once(rows)",),
                    good_calls=("in_batches(rows)",),
                    what="temp",
                    ratio=3.0,
                ),
                _MAPPED,
                _MAPPED,
                when="lax.map in batches",
            ),
        ),
    ),
    Folklore(
        8,
        "python-does-not-know-the-size",
        "To Python an array looks tiny, whatever it holds on the device.",
        "note 000, Memory",
        "true",
        "Python's size of the object is less than a thousandth of the bytes that the array holds.",
        (
            Case(Claim("differs", calls=("sys.getsizeof(x)", "x.nbytes")), _SIZE),
            Case(Claim("same", calls=("1000 * sys.getsizeof(x) < x.nbytes", "True")), _SIZE),
        ),
    ),
    Folklore(
        8,
        "arrays-leak-until-garbage-is-collected",
        "Arrays that are no longer used stay on the device until Python's garbage collector runs.",
        "note 000, Memory",
        "depends",
        "Only those in reference cycles: they all stayed until the collector ran, and were freed then. "
        "Arrays outside of cycles were freed at once, the collector being off.",
        (
            Case(
                Claim("same", calls=("(with_cycle, after)", "(8, 0)")), _GARBAGE, when="in a reference cycle"
            ),
            Case(Claim("same", calls=("without_cycle", "8")), _GARBAGE, when="no cycle", holds=False),
        ),
    ),
    Folklore(
        8,
        "collector-runs-by-memory-pressure",
        "Python's garbage collector runs when memory gets scarce.",
        "note 000, Memory",
        "false",
        "Large blocks of bytes did not start it, many empty lists did: it goes by the number of containers.",
        (Case(Claim("same", calls=("by_memory > 0", "True")), _PRESSURE, holds=False),),
    ),
)
