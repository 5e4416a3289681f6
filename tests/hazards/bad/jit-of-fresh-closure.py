import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


def loss_step(w, x):
    def loss(w): return jnp.sum((w * x) ** 2)
    return jax.jit(jax.grad(loss))(w)  #! JAX404
w = jnp.ones(8); x = jnp.ones(8); loss_step(w, x)
g = jax.jit(jax.grad(lambda w, x: jnp.sum((w * x) ** 2))); g(w, x)
a = timed(lambda: [loss_step(w, x) for _ in range(10)]); b = timed(lambda: [g(w, x) for _ in range(10)])
print(f"10 calls {a:.0f}ms vs {b:.2f}ms = {a/b:.0f}x")
