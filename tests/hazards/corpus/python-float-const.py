import math

import jax.numpy as jnp

print((jnp.ones(1, jnp.bfloat16) * 2.5 + math.pi).dtype)
