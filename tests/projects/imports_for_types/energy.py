"""Imports the neighbours for its annotations alone, which import it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from lists import Neighbors


class Base:
    def scaled(self, x):
        if x > 0:  #! JAX101
            return x
        return -x


@partial(jax.jit, static_argnums=(1,))
def masked(mask, fn, operand):
    return jnp.where(mask, fn(operand), 0.0)


def total_energy(species: jax.Array, distances: jax.Array, neighbors: Neighbors, charges: jax.Array):
    return coulomb(species >= 0, distances, charges) + jnp.sum(neighbors.idx)


def coulomb(mask: jax.Array, distances: jax.Array, charges: jax.Array):
    return jnp.sum(masked(mask, lambda x: charges / (x + 1.0), distances))
