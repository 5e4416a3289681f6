import jax
import jax.numpy as jnp

@jax.jit
def soft(x):
    return jnp.exp(x) / jnp.sum(jnp.exp(x))
print(soft(jnp.arange(3.0)))
