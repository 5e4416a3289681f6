import time

import jax
import jax.numpy as jnp


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


f = jax.jit(lambda x: jnp.tanh(x * 1.01) + 0.1)
x0 = jnp.ones(16)
def sync(k):
    x = x0
    for _ in range(k): x = f(x); v = float(x[0])
    return x
def lazy(k):
    x = x0; vs = []
    for _ in range(k): x = f(x); vs.append(x)
    return x
sync(5); lazy(5); a = bench(lambda: sync(300), 3); b = bench(lambda: lazy(300), 3); print(f"300 iters float() each {a:.1f}ms; lazy {b:.1f}ms ratio {a/b:.1f}x")
