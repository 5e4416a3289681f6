import jax
import numpy as np

@jax.jit
def noisy(x):
    return x + np.random.uniform()  #! JAX204
print([float(noisy(0.0)) for _ in range(3)])
