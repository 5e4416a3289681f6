import jax
import jax.numpy as jnp

@jax.jit
def dropout(x):
    key = jax.random.key(0)  #! JAX303
    return x * jax.random.bernoulli(key, 0.5, x.shape)
print(dropout(jnp.ones(5)), dropout(jnp.ones(5)))
