import time

import jax
import jax.numpy as jnp
import numpy as np


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


rng = np.random.default_rng(0); n = 500
U, _ = np.linalg.qr(rng.normal(size=(n, n))); A = jnp.asarray((U * np.logspace(0, -5, n)) @ U.T, jnp.float32); b = A @ jnp.ones(n)  #! JAX712
f = jax.jit(lambda A, b: jnp.linalg.inv(A) @ b); g = jax.jit(jnp.linalg.solve)  #! JAX712
print(f"inv {bench(lambda: f(A, b), 4):.1f}ms resid {float(jnp.abs(A @ f(A, b) - b).max()):.1e} | solve {bench(lambda: g(A, b), 4):.1f}ms resid {float(jnp.abs(A @ g(A, b) - b).max()):.1e}")  #! JAX712
