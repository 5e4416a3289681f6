import math

import jax
import jax.numpy as jnp

@jax.jit
def f(x): return x * float(x.shape[0]) + int(x.ndim) + bool(x.size) + round(x.shape[0] / 2) + math.ceil(x.shape[0] / 2) + max(x.shape) + sum(x.shape) + math.prod(x.shape)
print(f(jnp.ones(3)))
