import jax
import jax.numpy as jnp
from jax import lax

print(jax.vmap(lambda x: lax.psum(x, "i"), axis_name="i")(jnp.ones(3)))
