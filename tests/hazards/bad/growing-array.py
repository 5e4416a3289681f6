import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


def grow(n):
    x = jnp.zeros((0,))
    for i in range(n): x = jnp.append(x, i)
    return x
def ok(n):
    xs = []
    for i in range(n): xs.append(i)
    return jnp.array(xs)
a = timed(lambda: grow(60)); a2 = timed(lambda: grow(60)); b = timed(lambda: ok(60))
print(f"append loop cold {a:.0f}ms warm {a2:.1f}ms; list+array {b:.2f}ms; ratio {a/b:.0f}x")
