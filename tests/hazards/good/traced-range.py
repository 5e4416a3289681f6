import jax
from jax import lax

@jax.jit
def power(x, n):
    return lax.fori_loop(0, n, lambda i, y: y * x, 1.0)
print(power(2.0, 5))
