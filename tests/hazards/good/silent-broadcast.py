import jax.numpy as jnp

y = jnp.arange(4.0)[:, None]; p = jnp.arange(4.0)[:, None]
print("mse",((y - p) ** 2).mean())
