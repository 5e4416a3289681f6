from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

@partial(jax.jit, static_argnames="size")
def crop(x, lo, size):
    return lax.dynamic_slice_in_dim(x, lo, size)
print(crop(jnp.arange(10.0), 2, size=3))
