import jax.numpy as jnp

x = jnp.float32(1e-8); print(jnp.log1p(x), jnp.expm1(x))
