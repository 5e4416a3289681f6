"""The operation is three calls and two modules below the jit; a twin is called with static values only."""

import jax
import jax.numpy as jnp

from physics import solver

field = jnp.ones((4, 4))
solver.relax(field)
step = jax.jit(solver.advance)
step(field, 0.1)
