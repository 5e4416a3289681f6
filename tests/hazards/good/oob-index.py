import jax.numpy as jnp

x = jnp.arange(4.0)
print(x.at[10].get(mode="fill", fill_value=jnp.nan))
