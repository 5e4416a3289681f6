import jax
import numpy as np

print(np.asarray(jax.random.key_data(jax.random.key(0))))
