import jax.numpy as jnp

z = jnp.add(jnp.ones(3), 1)
print(z)
