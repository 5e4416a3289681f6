import jax.numpy as jnp
import numpy as np

h = np.zeros(1024, np.float32)
x = jnp.array(h)       # copies
h[0] = 7.0
print(float(x[0]))
