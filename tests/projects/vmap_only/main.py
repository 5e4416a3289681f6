"""Batched but never staged: closures, constants and unmapped arguments are concrete in every module."""

import jax
import jax.numpy as jnp

from kernels import gram, rbf
from tables import THRESHOLD

points = jnp.ones((3, 2))
gram(points, jnp.float32(0.5))
assert THRESHOLD > 0
jax.vmap(rbf, in_axes=(None, None, 0))(points[0], points[1], jnp.array([0.5, 1.0]))
