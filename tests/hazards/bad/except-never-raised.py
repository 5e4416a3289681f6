import jax.numpy as jnp

x = jnp.zeros(2)
try:
    r = 1.0 / x[9]
except (ZeroDivisionError, IndexError):
    r = -1.0
print("r =", r)
