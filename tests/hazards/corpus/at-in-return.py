import jax.numpy as jnp

f = lambda x: x.at[0].set(1.0)
print(f(jnp.zeros(2)))
