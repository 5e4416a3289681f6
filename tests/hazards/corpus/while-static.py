import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    n = x.shape[0]
    while n > 1: x = x[: n // 2] + x[n // 2 : n]; n //= 2
    return x
print(f(jnp.arange(8.0)))
