import time

import jax
import jax.numpy as jnp
import numpy as np


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


xs = [jnp.float32(i) for i in range(300)]
print(f"jnp.array(list of 300 jax scalars) {timed(lambda: jnp.array(xs)):.1f}ms then {bench(lambda: jnp.array(xs), 3):.1f}ms; jnp.stack {bench(lambda: jnp.stack(xs), 3):.1f}ms; np.array(list)->jnp {bench(lambda: jnp.asarray(np.array(xs)), 3):.1f}ms")
big = list(range(100000)); print(f"jnp.array(100k ints) {bench(lambda: jnp.array(big), 3):.1f}ms via np {bench(lambda: jnp.asarray(np.array(big)), 3):.1f}ms")
f = jax.jit(lambda *v: jnp.array(v)); print("eqns inside jit", len(jax.make_jaxpr(lambda *v: jnp.array(v))(*xs).eqns))
