import jax
import jax.numpy as jnp
from jax import lax

print(jax.jit(lambda x: lax.fori_loop(0, 1000, lambda i, v: jnp.sin(v) + i, x))(1.0))
