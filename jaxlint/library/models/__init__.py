"""What functions of libraries do to values, a module a library: see `library.modelled`. Those of JAX and
Python are here, those of the libraries around JAX in `frameworks`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from jaxlint.library.modelled import Models, models_in


@cache
def models() -> Models:
    """The models of all modules here, by dotted names."""
    names = sorted(each.name for each in walk_packages(__path__, f"{__name__}."))
    return models_in(import_module(name) for name in names)
