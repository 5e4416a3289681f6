import jax
import jax.numpy as jnp

jax.vmap(lambda a, b: a + b, in_axes=(0, None, 0))(jnp.ones(3), 1.0)
