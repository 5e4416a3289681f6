import jax
import jax.numpy as jnp

print(jax.vmap(lambda a, b: a + b, in_axes=(0, None))(jnp.ones(3), 1.0))
