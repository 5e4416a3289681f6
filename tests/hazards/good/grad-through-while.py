import jax
import jax.numpy as jnp
from jax import lax

def f(x, n, max_n=8):
    return lax.scan(lambda v, i: (jnp.where(i < n, v * x, v), None), 1.0, jnp.arange(max_n))[0]
print(jax.grad(f)(2.0, 3))
