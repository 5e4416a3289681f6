import jax.numpy as jnp
from jax import lax

x = 2.0
lax.cond(x > 0, jnp.sin(x), jnp.cos(x))
