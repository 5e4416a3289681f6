import functools

try:
    from jax import jit as _jit
except ImportError:
    _jit = None


def jit(function=None, *, static=()):
    if function is None:
        return functools.partial(jit, static=static)
    return _jit(function, static_argnames=static)


def eager(function):
    return function
