import jax
import numpy as np

import functools
@functools.lru_cache(None)
def table(n):
    return np.arange(n) * 2.0
f = jax.jit(lambda x: x + table(3)); g = jax.jit(lambda x: x - table(3))
print(f(1.0), g(1.0))
