"""Folders without __init__, and relative imports that climb two levels."""

import jax.numpy as jnp

from lab.models.flow import Flow

flow = Flow(scale=2.0)
flow.log_density(jnp.ones(3))
flow.inverse(jnp.ones(3), 4)
