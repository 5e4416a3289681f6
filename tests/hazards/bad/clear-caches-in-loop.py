import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


f = jax.jit(lambda x: jnp.sin(x)); f(1.0)
def a():
    for _ in range(5): f(1.0); jax.clear_caches()  #! JAX403
def b():
    for _ in range(5): f(1.0)
print(f"none {timed(b):.2f}ms; clear each iter {timed(a):.0f}ms", "size after", f._cache_size()); f(1.0); print(f._cache_size()); f.clear_cache(); print("after f.clear_cache()", f._cache_size())
