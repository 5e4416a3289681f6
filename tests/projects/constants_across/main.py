"""Constants, enums and configuration from other modules are static: nothing to report."""

import jax.numpy as jnp

from model import forward
from settings import CONFIG, Mode

forward(jnp.ones((2, 3)), Mode.TRAIN)
forward(jnp.ones((2, 3)), Mode.EVAL)
assert CONFIG["depth"] == 2
