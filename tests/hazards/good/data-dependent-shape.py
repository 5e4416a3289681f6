import jax
import jax.numpy as jnp

@jax.jit
def hits(x):
    return jnp.nonzero(x, size=4, fill_value=-1)[0]
print(hits(jnp.array([0, 3, 0, 4])))
