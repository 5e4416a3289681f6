"""functools.partial across modules: one binds the mode as a Python value, one leaves it to be traced."""

import jax
import jax.numpy as jnp

from pipelines import blur, resize_any, sharpen

image = jnp.ones((4, 4))
jax.jit(blur)(image)
jax.vmap(sharpen)(jnp.ones((2, 4, 4)))
jax.jit(resize_any)(image, 2)
