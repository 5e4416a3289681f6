import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def f(x):
    return x * np.ndim(x) + np.shape(x)[0] + (1 if np.issubdtype(x.dtype, np.floating) else 0) + np.size(x)
print(f(jnp.ones(3)), np.result_type(jnp.float32))
