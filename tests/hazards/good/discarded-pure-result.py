import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
y = jnp.sort(jnp.array([3, 1, 2]))
print(x, y)
