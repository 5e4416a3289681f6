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
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import Class, Function, Module

Waiting = TypeVar("Waiting")


def in_order(waiting: Iterable[Waiting], rank: Callable[[Waiting], Any]) -> list[Waiting]:
    """What waits, by its rank."""
    return sorted(waiting, key=rank)


def name_of(module: Module) -> tuple[str, str]:
    return module.name, module.path


def rank_of_caller(func: Function) -> tuple[Hashable, ...]:
    """Functions that need no arguments, and tests, come before others: what they call they call with what is
    known, and of a function that is called in many ways the first ones are told apart."""
    code = func.code
    own = code.params[code.in_class :]
    required = [param for param in own if param.kind in "pnk" and param.default is None]
    return bool(required) and not code.name.startswith("test"), rank_of(func)


def rank_of_inherited(each: tuple[Function, Class]) -> tuple[Hashable, ...]:
    func, cls = each
    return cls.module.name, cls.module.path, cls.code.qualname, rank_of(func)


def callees_first(contexts: Iterable[FunctionContext]) -> dict[FunctionContext, int]:
    """All function contexts by a number: what one calls has a smaller one, but for calls that go round."""
    numbers: dict[FunctionContext, int] = {}
    seen: set[FunctionContext] = set()
    for start in contexts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(start.callees))]
        while stack:
            context, rest = stack[-1]
            callee = next((each for each in rest if each not in seen), None)
            if callee is None:
                numbers[context] = len(numbers)
                stack.pop()
            else:
                seen.add(callee)
                stack.append((callee, iter(callee.callees)))
    return numbers
