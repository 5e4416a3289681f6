import time

import jax
import jax.numpy as jnp
from jax import lax


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


f = lambda: jax.jit(lambda x: lax.fori_loop(0, 50, lambda i, v: jnp.sin(v) * 1.1, x))
x = jnp.ones(10); g = f(); base = bench(lambda: g(x), 20)
jax.config.update("jax_debug_nans", True); h = f(); nan = bench(lambda: h(x), 20); jax.config.update("jax_debug_nans", False)
with jax.disable_jit(): k = f(); dis = bench(lambda: k(x), 3)
print(f"base {base*1e3:.0f}us debug_nans {nan*1e3:.0f}us disable_jit {dis*1e3:.0f}us ({dis/base:.0f}x)")
