import jax
import jax.numpy as jnp

@jax.jit
def f(x): x += 1; x *= 2; return x
a = jnp.ones(2); print(f(a), a)
