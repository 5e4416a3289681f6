import math

import jax.numpy as jnp

x = jnp.ones(2, jnp.bfloat16); print((x * math.sqrt(2.0)).dtype)
