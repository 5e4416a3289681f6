"""What functions of libraries do to values, a module a library: see `library.modelled`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from jaxlint.library.modelled import ModelFunction, models_in


@cache
def models() -> Mapping[str, ModelFunction]:
    """The models of all modules here, by dotted names."""
    names = sorted(each.name for each in iter_modules(__path__))
    return models_in(import_module(f"{__name__}.{name}") for name in names)
