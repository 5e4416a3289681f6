import jax
import jax.numpy as jnp

@jax.jit
def positives(x):
    return x[x > 0].sum()  #! JAX111
positives(jnp.arange(-2.0, 3.0))
