import jax.numpy as jnp

x = jnp.array([1000.0, 0.0]); print(jnp.log(jnp.sum(jnp.exp(x))))
