import math

import jax

@jax.jit
def f(x):
    return math.sin(x) + 1  #! JAX107
f(1.0)
