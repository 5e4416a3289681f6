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


n = 400_000
def eager(k):
    x = jnp.zeros(n)
    for i in range(k): x = x.at[i].set(1.0)  #! JAX702
    return x
@jax.jit
def inside(x): return lax.fori_loop(0, 100, lambda i, x: x.at[i].set(1.0), x)
eager(2); z = jnp.zeros(n); inside(z)
a = bench(lambda: eager(100), 3); b = bench(lambda: inside(z), 5); print(f"100 updates of 400k: eager {a:.1f}ms jit fori {b:.2f}ms ratio {a/b:.0f}x")
d = jax.jit(lambda x, i: x.at[i].set(1.0), donate_argnums=0)
def don(k):
    x = jnp.zeros(n)
    for i in range(k): x = d(x, i)
    return x
don(2); print(f"jit+donate step loop {bench(lambda: don(100), 3):.1f}ms")
