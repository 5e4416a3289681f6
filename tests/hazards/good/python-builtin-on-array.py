import jax
import jax.numpy as jnp

@jax.jit
def clip(x, lo):
    return jnp.maximum(x, lo)
print(clip(2.0, 1.0), jnp.sum(jnp.ones(200)))
