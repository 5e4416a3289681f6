import jax.numpy as jnp

print(jnp.zeros(3).at[jnp.array([0])].add(1.0), jnp.fill_diagonal(jnp.zeros((2, 2)), 1.0, inplace=False))
