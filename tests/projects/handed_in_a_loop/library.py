"""Calls what it is handed: some of it in a loop of a script, some under jit only."""

from functools import partial

import jax
import jax.numpy as jnp


def forces(energy):
    def force(x):
        return -energy(x)

    return force


def simulate(energy, shift):
    force = forces(energy)

    def step(x):
        return shift(x, force(x))

    return step


@partial(jax.jit, static_argnums=(1,))
def masked(mask, fn, x):
    return jnp.where(mask, fn(x), 0.0)


def harmonic(x):
    return jnp.sum(x**2)


def coulomb(charges, x):
    return jnp.sum(masked(x > 0, lambda y: charges / (y + 1.0), x))


def screened(charges, x):
    return jnp.sum(masked(x > 0, lambda y: charges * jnp.exp(-y), x))  #! JAX404


def coulomb_list(charges):
    def energy(x):
        return coulomb(charges, x)

    return energy


def screened_list(charges):
    def energy(x):
        return screened(charges, x)

    return energy
