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


def selu(x): return 1.05 * jnp.where(x > 0, x, 1.67 * jnp.exp(x) - 1.67)
j = jax.jit(selu)
for n in (10, 1_000_000):
    x = jnp.ones(n); xn = np.ones(n, np.float32)
    a = bench(lambda: selu(x), 10); b = bench(lambda: j(x), 10)
    t = time.perf_counter(); [1.05 * np.where(xn > 0, xn, 1.67 * np.exp(xn) - 1.67) for _ in range(5)]; c = (time.perf_counter() - t) / 5 * 1e3
    print(f"n={n}: eager {a:.3f}ms jit {b:.3f}ms numpy {c:.3f}ms; eager/jit {a/b:.1f}x")
