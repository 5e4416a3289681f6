import jax
import jax.numpy as jnp

@jax.jit
def positives(x):
    return jnp.where(x > 0, x, 0).sum()
print(positives(jnp.arange(-2.0, 3.0)))
