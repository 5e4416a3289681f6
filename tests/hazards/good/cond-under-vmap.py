import jax
import jax.numpy as jnp

f = lambda x: jnp.where(x > 0, jnp.sin(x), x)
print(jax.vmap(f)(jnp.arange(-1.0, 2.0)))
