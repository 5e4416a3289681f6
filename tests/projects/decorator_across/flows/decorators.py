import functools

import jax


def traced(*, static=()):
    def decorate(function):
        compiled = jax.jit(function, static_argnames=static)

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            return compiled(*args, **kwargs)

        return wrapper

    return decorate
