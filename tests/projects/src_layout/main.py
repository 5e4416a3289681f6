"""src layout: the package re-exports through __init__, with a star import and __all__."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "src"))

import jax
import jax.numpy as jnp

import orbit
from orbit import kepler_period, propagate

jax.vmap(kepler_period)(jnp.ones(3))
propagate(jnp.ones(3), 0.1, scheme="euler")
orbit.mean_anomaly(jnp.ones(3))
