import time
from functools import partial

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


x = jnp.ones(8)
def run_bad(n):
    for _ in range(n): jax.jit(lambda v: jnp.sin(v) * 2)(x).block_until_ready()  #! JAX403
h = jax.jit(lambda v: jnp.sin(v) * 2)
def run_good(n):
    for _ in range(n): h(x).block_until_ready()
run_bad(1); run_good(1)
a = timed(lambda: run_bad(20)); b = timed(lambda: run_good(20)); print(f"20 calls: fresh jit {a:.1f}ms hoisted {b:.2f}ms ratio {a/b:.0f}x")
def named(v): return jnp.cos(v)
c = timed(lambda: [jax.jit(named)(x) for _ in range(20)]); print(f"jax.jit(module-level fn) in loop {c:.1f}ms (cached by function identity)")
p = timed(lambda: [jax.jit(partial(named))(x) for _ in range(20)]); print(f"jax.jit(partial(fn)) in loop {p:.1f}ms")  #! JAX403
