"""Steps compiled by the project's own wrapper."""

import jax.numpy as jnp

from compat import compiled, counted

step_count = 0


@compiled
def plain_step(w):
    global step_count
    step_count += 1  #! JAX201
    return w * 0.9


@compiled(static=("mode",))
def report_step(w, mode):
    print("step in mode", mode)
    print("weights", w)  #! JAX202
    return w - 0.1 * jnp.sign(w)


@counted
@compiled
def counted_step(w):
    return w * 0.5
