import jax
import jax.numpy as jnp
from jax import lax

print(jax.jit(lambda x: lax.cond(True, jnp.sin, jnp.cos, x))(0.0))
