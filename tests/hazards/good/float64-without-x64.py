import jax
import jax.numpy as jnp

jax.config.update("jax_enable_x64", True)
print(jnp.ones(2, dtype=jnp.float64).dtype)
