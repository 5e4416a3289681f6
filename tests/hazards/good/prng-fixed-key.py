import jax
import jax.numpy as jnp

@jax.jit
def dropout(key, x):
    return x * jax.random.bernoulli(key, 0.5, x.shape)
k1, k2 = jax.random.split(jax.random.key(0))
print(dropout(k1, jnp.ones(5)), dropout(k2, jnp.ones(5)))
