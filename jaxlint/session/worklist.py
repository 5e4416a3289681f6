"""The order in which the driver does what waits.

In: what waits, and the rank of each: modules, traces that nothing may call, functions that no call
reaches, and function contexts of a later round. Out: the same, in the order in which it is done. Ranks are
made of names, so the order of files and definitions does not matter. What is found does not depend on the
order either, as long as none of the limits is reached of which `ir.limits` says that the first keep theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, TypeVar

from jaxlint.analysis.core import rank_of
from jaxlint.domain.objects import Class, Function, Module

Waiting = TypeVar("Waiting")


def in_order(waiting: Iterable[Waiting], rank: Callable[[Waiting], Any]) -> list[Waiting]:
    """What waits, by its rank."""
    return sorted(waiting, key=rank)


def name_of(module: Module) -> tuple[str, str]:
    return module.name, module.path


def rank_of_inherited(each: tuple[Function, Class]) -> tuple[Hashable, ...]:
    func, cls = each
    return cls.module.name, cls.module.path, cls.code.qualname, rank_of(func)
