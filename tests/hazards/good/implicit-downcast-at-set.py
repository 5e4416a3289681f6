import jax.numpy as jnp

x = jnp.zeros(4, dtype=float)
print(x.at[0].set(1.7))
