import jax.numpy as jnp

x = jnp.zeros(4).at[jnp.arange(3)].set(1.0); print(x)
