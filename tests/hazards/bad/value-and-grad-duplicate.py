import time

import jax
import jax.numpy as jnp


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


w = jnp.ones((300, 300))
f = lambda x: jnp.tanh(x @ w @ w @ w).sum()  #! JAX712
x = jnp.ones((300, 300)); ff = jax.jit(f); g = jax.jit(jax.grad(f)); vg = jax.jit(jax.value_and_grad(f))
print(f"f+grad {bench(lambda: (ff(x), g(x)), 8):.2f}ms value_and_grad {bench(lambda: vg(x), 8):.2f}ms")
