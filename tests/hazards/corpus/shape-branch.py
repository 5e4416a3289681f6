import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    if x.ndim == 2 and x.shape[0] > 1 and x.dtype == jnp.float32 and x.size and len(x): return x.sum()
    return x
print(f(jnp.ones((2, 2))))
