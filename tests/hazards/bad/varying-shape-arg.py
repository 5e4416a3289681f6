import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


f = jax.jit(lambda x: jnp.sin(x).sum())
x = jnp.ones(32)
a = timed(lambda: [f(x[:i]) for i in range(1, 31)])
print(f"{f._cache_size()} compiles {a:.0f}ms", end=" | ")
g = jax.jit(lambda x, n: jnp.where(jnp.arange(x.shape[0]) < n, jnp.sin(x), 0).sum()); g(x, 1)
b = timed(lambda: [g(x, i) for i in range(1, 31)]); print(f"padded+mask {g._cache_size()} compile {b:.1f}ms ratio {a/b:.0f}x")
