import jax
import jax.numpy as jnp

@jax.jit
def flat(x):
    return x.reshape(jnp.array(x.shape).prod())  #! JAX113
flat(jnp.ones((2, 3)))
