import jax.numpy as jnp

NORM = jnp.ones(3)
