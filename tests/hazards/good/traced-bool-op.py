import jax
import jax.numpy as jnp

@jax.jit
def band(x):
    return jnp.where((0.0 < x) & (x < 1.0), x, 0.0)
print(band(jnp.float32(0.5)))
