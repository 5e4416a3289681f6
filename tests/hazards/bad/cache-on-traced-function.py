import jax
import jax.numpy as jnp

import functools
@functools.lru_cache(None)
def table(n):
    return jnp.arange(n) * 2.0
f = jax.jit(lambda x: x + table(3)) #! JAX203
f(1.0)
g = jax.jit(lambda x: x - table(3))
print("cached type after jit:", type(table(3)).__name__)
g(1.0)
