import jax.numpy as jnp

x = jnp.float32(1e-8); print(jnp.log(1 + x), jnp.exp(x) - 1)
