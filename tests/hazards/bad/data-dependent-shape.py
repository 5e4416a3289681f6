import jax
import jax.numpy as jnp

@jax.jit
def hits(x):
    return jnp.nonzero(x)[0]  #! JAX110
hits(jnp.array([0, 3, 0, 4]))
