import time

import jax


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


f = jax.jit(lambda x: x * 2); f(1.0).block_until_ready()
print(timed(lambda: f(1.0)) < 50)
