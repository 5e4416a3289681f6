import jax.numpy as jnp
import numpy as np

h = np.asarray(jnp.zeros(3))
h[0] = 1.0  #! JAX501
