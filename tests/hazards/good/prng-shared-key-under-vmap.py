import jax
import jax.numpy as jnp

keys = jax.random.split(jax.random.key(0), 3)
print(jax.vmap(lambda x, k: x + jax.random.normal(k))(jnp.zeros(3), keys))
