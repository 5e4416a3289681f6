import time
from functools import partial

import jax


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


@partial(jax.jit, static_argnames="i")
def f(x, i): return x + i
g = jax.jit(lambda x, i: x + i)
a = timed(lambda: [f(1.0, i) for i in range(20)]); g(1.0, 0); b = timed(lambda: [g(1.0, i) for i in range(20)])
print(f"static: {f._cache_size()} entries {a:.0f}ms; traced: {g._cache_size()} entries {b:.1f}ms")
