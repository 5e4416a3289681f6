import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def soft(x):
    return np.exp(x) / np.sum(np.exp(x))  #! JAX106
soft(jnp.arange(3.0))
