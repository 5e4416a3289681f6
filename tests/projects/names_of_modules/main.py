"""A module has names that its text does not write; of others it is known that it lacks them."""

import jax
import jax.numpy as jnp

import pack
from pack import state


def of_package(x):
    print(x)  #! JAX202
    return x


def of_cache(x):
    print(x)  #! JAX202
    return x


def of_part(x):
    print(x)  #! JAX202
    return x


def on_host(x):
    print(x)
    return x


state.start()
if hasattr(pack, "__path__"):
    jax.jit(of_package)(jnp.ones(3))
if hasattr(state, "CACHE"):
    jax.jit(of_cache)(jnp.ones(3))
if hasattr(pack, "state"):
    jax.jit(of_part)(jnp.ones(3))
if hasattr(state, "MISSING"):
    jax.jit(on_host)(jnp.ones(3))
on_host(1.0)
