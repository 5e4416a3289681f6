import jax.numpy as jnp

acc = jnp.zeros(3)
print(acc.at[0].add(1.0))
