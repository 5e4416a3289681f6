"""The project's own names for what JAX offers."""

import functools

import jax


def compiled(fn=None, *, static=()):
    if fn is None:
        return functools.partial(compiled, static=static)
    return functools.wraps(fn)(jax.jit(fn, static_argnames=static))


def counted(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return fn(*args, **kwargs)

    wrapper.calls = 0
    return wrapper
