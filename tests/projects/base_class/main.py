"""The base class jits a method that a subclass in another module overrides; self is a pytree."""

import jax.numpy as jnp

from layers import Dense, Gate

Dense(jnp.ones(3), "tanh").apply(jnp.ones(3))
Gate(jnp.ones(3), "none").apply(jnp.ones(3))
