"""`from .compat import jit`: the transform is reached under a name of the project's own."""

import jax.numpy as jnp

from optim.adam import adam_step, warmup

state = (jnp.zeros(2), jnp.zeros(2))
warmup(jnp.ones(2), scale=2.0)
adam_step(jnp.ones(2), state)
