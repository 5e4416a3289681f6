import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


f = jax.jit(lambda x: jnp.tanh(x @ x)); x = jnp.ones((200, 200))  #! JAX712
a = timed(lambda: f(x)); b = timed(lambda: f(x)); print(f"first {a:.1f}ms second {b:.2f}ms ratio {a/b:.0f}x")
