"""Differentiated in one module, compiled in another: only the compiled loss may not branch."""

import jax.numpy as jnp

from compiled import fit
from explore import landscape

landscape(jnp.array([0.5, 2.0]))
fit(jnp.array([0.5, 2.0]))
