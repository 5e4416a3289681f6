from functools import partial

import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames=("n", "flag"))
def f(x, n, flag):
    if flag:
        for _ in range(n): x = x * 2
    return x + jnp.zeros(n)[0]
print(f(1.0, 3, True))
