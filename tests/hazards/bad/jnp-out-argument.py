import jax.numpy as jnp

z = jnp.zeros(3)
jnp.add(jnp.ones(3), 1, out=z)
