import time

import jax
import jax.numpy as jnp


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


s = jnp.ones((500, 500))
a = jax.jit(lambda s: s * 0.9 + 1).lower(s).compile().memory_analysis()
b = jax.jit(lambda s: s * 0.9 + 1, donate_argnums=0).lower(s).compile().memory_analysis()
print("alias bytes", a.alias_size_in_bytes, b.alias_size_in_bytes, "output", a.output_size_in_bytes)
f = jax.jit(lambda s: s * 0.9 + 1); g = jax.jit(lambda s: s * 0.9 + 1, donate_argnums=0)
def loop(h):
    s = jnp.ones((2000, 500))
    for _ in range(30): s = h(s)
    return s
loop(f); loop(g); print(f"30 steps no-donate {bench(lambda: loop(f), 3):.1f}ms donate {bench(lambda: loop(g), 3):.1f}ms")
