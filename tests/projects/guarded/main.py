"""Checks for tracers, host callbacks and metadata that live in other modules: nothing to report."""

import jax
import jax.numpy as jnp

import limits
from checks import require_positive, shape_of
from hostside import lookup


@jax.jit
def likelihood(rate, counts):
    require_positive("rate", rate)
    rows, columns = shape_of(counts)
    if rows > columns:
        counts = counts.T
    return jnp.sum(counts * jnp.log(rate)) + lookup(rate) + bound()


def bound():
    if not isinstance(limits.NORM, jax.core.Tracer):
        return limits.NORM[0]
    return 1.0 if jnp.any(limits.NORM > 1.0) else 2.0


likelihood(jnp.float32(2.0), jnp.ones((3, 2)))
require_positive("rate", jnp.float32(1.0))
