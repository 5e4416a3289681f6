import jax.numpy as jnp

print(jnp.sum(jnp.array([1, 2, 3])))
