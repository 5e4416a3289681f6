import jax
import jax.numpy as jnp
from jax import lax

@jax.jit
def step(x): return lax.fori_loop(0, 5, lambda i, v: v * 1.01, x)
print(step(jnp.ones(2)))
