"""What nobody has moved yet."""

import jax.numpy as jnp
from jax.experimental.pjit import pjit  #! JAX902


@pjit
def double(x):
    return jnp.add(x, x)
