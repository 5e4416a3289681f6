import jax.numpy as jnp
from jax import lax

print("python literal 0 is promoted:", lax.scan(lambda c, x: (c + x, None), 0, jnp.arange(3.0))[0], lax.fori_loop(0, 3, lambda i, v: v + 0.5, 0))
lax.scan(lambda c, x: (c + x, None), jnp.zeros((), int), jnp.arange(3.0))
