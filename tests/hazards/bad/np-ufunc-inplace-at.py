import jax.numpy as jnp
import numpy as np

x = jnp.zeros(3)
try: jnp.fill_diagonal(jnp.zeros((2, 2)), 1.0)
except Exception as e: print(type(e).__name__, str(e)[:100])
np.add.at(x, [0], 1.0)  #! JAX501
