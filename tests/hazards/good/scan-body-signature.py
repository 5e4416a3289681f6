import jax.numpy as jnp
from jax import lax

print(lax.scan(lambda c, x: (c + x, c), 0.0, jnp.arange(3.0)), lax.fori_loop(0, 3, lambda i, v: v + 1, 0))
