import time

import jax
import jax.numpy as jnp
from jax import lax


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


x = jnp.ones(4)
def step(x): return lax.fori_loop(0, 5, lambda i, v: v * 1.01, x)
step(x); j = jax.jit(step); j(x)
a = timed(lambda: [step(x) for _ in range(10)]); b = timed(lambda: [j(x) for _ in range(10)])
n = [0]
def body(c, t): n[0] += 1; return c, t  #! JAX201
for _ in range(5): lax.scan(body, 0.0, jnp.ones(3))
m = [0]
for _ in range(5): lax.scan(lambda c, t: (m.__setitem__(0, m[0] + 1), (c, t))[1], 0.0, jnp.ones(3))  #! JAX201
print(f"10 eager calls {a:.0f}ms vs inside jit {b:.2f}ms = {a/b:.0f}x; traces in 5 calls: module-level body {n[0]}, lambda {m[0]}")
