"""A module that functions import runs once, before what they trace: its registrations change nothing later."""

import jax
import jax.numpy as jnp

import env


@jax.jit
def up(x):
    return env.view(x)


x = jnp.ones(3)
print(up(x))
env.call(jnp.sin, x)
print(up(5 * x))
