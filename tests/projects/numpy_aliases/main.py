"""`import jax.numpy as np` in one module, NumPy under other names in the others."""

import jax
import jax.numpy as np

from spectra import normalise, power, window

signal = np.arange(8.0)
jax.jit(window)(signal)
jax.jit(normalise)(signal)
jax.jit(power)(signal)
