import jax
import jax.numpy as jnp
import numpy as np

@jax.jit
def f(x):
    n = np.prod(x.shape); w = np.arange(int(n), dtype=np.float32).reshape(x.shape); w[0] = 9
    return x * w + np.pi + np.sqrt(x.shape[0])
print(f(jnp.ones((2, 2))))
