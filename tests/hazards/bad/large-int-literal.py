import jax.numpy as jnp

jnp.arange(3) + 2**40
