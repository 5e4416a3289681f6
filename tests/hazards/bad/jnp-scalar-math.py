import math
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


a = bench(lambda: jnp.sqrt(2.0), 200); t = time.perf_counter(); [math.sqrt(2.0) for _ in range(1000)]; b = (time.perf_counter() - t)
t = time.perf_counter(); [np.sqrt(2.0) for _ in range(1000)]; c = (time.perf_counter() - t)
print(f"jnp.sqrt(2.0) {a*1e3:.1f}us np {c:.3f}us math {b:.3f}us")
