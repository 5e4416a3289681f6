import functools

import jax


@functools.partial(jax.jit, static_argnames=["scheme"])
def step(state, dt, *, scheme="rk4"):
    if scheme == "euler":
        return state + dt * state
    return state + dt * (state + 0.5 * dt * state)
