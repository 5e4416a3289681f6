import jax
import jax.numpy as jnp

@jax.jit
def band(x):
    return jnp.where(0.0 < x < 1.0, x, 0.0)  #! JAX103
band(jnp.float32(0.5))
