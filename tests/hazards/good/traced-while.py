import jax
from jax import lax

@jax.jit
def halve(x):
    return lax.while_loop(lambda v: v > 1.0, lambda v: v / 2, x)
print(halve(9.0))
