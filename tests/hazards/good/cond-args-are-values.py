import jax.numpy as jnp
from jax import lax

print(lax.cond(2.0 > 0, jnp.sin, jnp.cos, 2.0))
