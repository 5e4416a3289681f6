import jax
import jax.numpy as jnp
import numpy as np

x = jnp.ones(2)
print(isinstance(x, np.ndarray), type(x) is jax.Array, isinstance(x, jax.Array), jax.jit(lambda v: isinstance(v, jax.Array))(x))
def norm(v):
    return v / 2 if isinstance(v, np.ndarray) else v
print(norm(x))
