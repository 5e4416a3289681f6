"""Folklore: claims that no rule rests on, each with its source, its programs and its verdict.

Five notes about JAX, here called by their numbers 000 to 004, make 96 statements. Every one has an
entry in the modules beside this one, which are grouped by subject; those that nothing can decide by
running say why. Data only: nothing here imports JAX.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from jaxlint.confirm.folklore.entry import Case, Folklore, Verdict

STATEMENTS = 96


def _collected() -> tuple[Folklore, ...]:
    entries: list[Folklore] = []
    for module in iter_modules(__path__):
        if module.name not in ("entry", "trial"):
            entries += import_module(f"{__name__}.{module.name}").ENTRIES
    return tuple(sorted(entries, key=lambda entry: entry.number))


ENTRIES: tuple[Folklore, ...] = _collected()

__all__ = ["ENTRIES", "STATEMENTS", "Case", "Folklore", "Verdict"]
