import jax.numpy as jnp

x = jnp.zeros(4, dtype=int)
print(x.at[0].set(1.7))
