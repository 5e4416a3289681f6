from functools import partial

import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames="n")
def window(n):
    return jnp.arange(n)
print(window(4))
