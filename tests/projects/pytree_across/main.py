"""A project decorator registers dataclasses as pytrees; meta fields are static in every module."""

import jax.numpy as jnp

from dynamics import advance, kinetic
from state import Body

body = Body(position=jnp.zeros(2), velocity=jnp.ones(2), kind="planet", frozen=False)
advance(body, 0.1)
kinetic(body)
