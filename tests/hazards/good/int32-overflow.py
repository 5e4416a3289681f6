import jax.numpy as jnp
import numpy as np

print(jnp.array(100000.0) * 100000, np.arange(70000).sum())
