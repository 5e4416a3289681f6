import jax
import numpy as np

np.asarray(jax.random.key(0))
