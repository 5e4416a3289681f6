import jax.numpy as jnp
from jax import lax

print(lax.scan(lambda c, x: (c + x, None), jnp.array(0.0), jnp.arange(3.0))[0])
