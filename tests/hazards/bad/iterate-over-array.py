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


x = jnp.ones((1000, 4))
def rows(x):
    s = 0.0
    for r in x: s = s + r.sum()
    return s
print(f"loop {timed(lambda: rows(x)):.0f}ms first, {timed(lambda: rows(x)):.0f}ms warm; x.sum {bench(lambda: x.sum(), 10):.3f}ms; numpy rows {timed(lambda: sum(r.sum() for r in np.asarray(x))):.1f}ms")
