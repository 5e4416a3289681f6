import jax.numpy as jnp

x = jnp.zeros(2)
r = jnp.where(x[0] == 0, -1.0, 1.0 / jnp.where(x[0] == 0, 1.0, x[0]))
print("r =", r)
