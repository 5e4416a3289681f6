"""The parameters of the functions of JAX and of the methods of arrays, and which of them are static.

In: the tables. Out: what a function takes, and which parameter a position fills. It refuses to know of calls.
"""

from __future__ import annotations

from functools import cache

from jaxlint.tables.array_methods import METHODS
from jaxlint.tables.jax_functions import ALIASES, FUNCTIONS

METHOD = "jax.Array."


@cache
def signature(name: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The parameters of a function or array method, and which of them are static."""
    if name.startswith((METHOD, "numpy.ndarray.reshape")):
        method = METHODS.get(name.removeprefix(METHOD).removeprefix("numpy.ndarray."))
        return None if method is None else (method[5], _plain(method[6]))
    function = FUNCTIONS.get(ALIASES.get(name, name))
    if function is None or function[0] in ("static", "dtype"):
        return None  # a function that only looks: jnp.finfo takes an array for its dtype
    return function[2], _plain(function[3])


def parameter_at(parameters: tuple[str, ...], position: int) -> str | None:
    """The parameter that a positional argument fills, `*` and all; None where there is none."""
    for index, name in enumerate(parameters):
        if name == "*" or name.startswith("**"):
            return None
        if name.startswith("*") or index == position:
            return name
    return None


def _plain(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name.lstrip("*") for name in names)
