import jax
import jax.numpy as jnp

key = jax.random.key(0)
print(jax.vmap(lambda x: x + jax.random.normal(key))(jnp.zeros(3)))  #! JAX304
