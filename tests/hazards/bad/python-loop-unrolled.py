import time

import jax
import jax.numpy as jnp
from jax import lax


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


def body(n):
    def f(x):
        for i in range(n):  #! JAX703
            x = jnp.sin(x) + i
        return x
    return f
x = jnp.ones(4)
r = {n: timed(lambda: jax.jit(body(n))(x)) for n in (10, 100, 1000)}  #! JAX404
g = timed(lambda: jax.jit(lambda x: lax.fori_loop(0, 1000, lambda i, v: jnp.sin(v) + i, x))(x))
print("unrolled compile+run ms", {k: round(v) for k, v in r.items()}, f"fori_loop(1000) {g:.0f}ms")
