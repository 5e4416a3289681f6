"""Methods that anyone may call: public ones that the project never calls, and private ones that these call.

In: the contexts of functions that were analyzed. Out: those of which the writes may happen at any time after
the object was made. It refuses to know what they write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import CONSTRUCTION, Function
from jaxlint.ir.mentions import reads_own

_PREPARES = ("setup", "set_up", "init", "build", "configure", "compile", "load", "restore", "reset", "main")


def setters(order: Iterable[FunctionContext]) -> list[FunctionContext]:
    """The runs of functions that the project itself never calls, and which anyone may; and of private methods
    that these call.

    Args:
        order: The function contexts in the order in which they were analyzed.
    """
    analyzed = [*order]
    called = {each.code for each in analyzed if each.link and each.link.parent}
    found = [each for each in analyzed if each.code not in called and _is_setter(each)]
    return [*found, *_steps(found)]


def _steps(callers: Iterable[FunctionContext]) -> Iterator[FunctionContext]:
    """The runs of private methods that do a part of what these do, each once."""
    known = dict.fromkeys(callers)
    waiting = [*known]
    while waiting:
        for step in filter(_is_step, waiting.pop().callees):
            if step not in known:
                known[step] = None
                waiting.append(step)
                yield step


def prepares(name: str) -> bool:
    """Whether the name of a function says that it prepares an object before it is used: `setUp`, too."""
    return name.lower().startswith(_PREPARES)


def _is_setter(activation: FunctionContext) -> bool:
    """Whether users of the project are meant to call this when they like. Functions of a module that set its
    variables configure it before anything is traced."""
    return _may_come_later(activation) and not activation.code.name.startswith(("_", "test"))


def _is_step(activation: FunctionContext) -> bool:
    """Whether this is a private method, which does a part of what a public one does."""
    name = activation.code.name
    return _may_come_later(activation) and name.startswith("_") and not name.startswith("__")


def _may_come_later(activation: FunctionContext) -> bool:
    """Whether this is a method, run outside of traces, that neither makes nor prepares its object."""
    func = activation.func
    if func is None or func.cls is None or func.env.parent is not None or activation.context.depth:
        return False
    if prepares(func.code.name.lstrip("_")) or func.code.is_generator:
        return False
    return not _is_for_constructor(func)


def _is_for_constructor(func: Function) -> bool:
    """Whether a constructor of the class has a method by its name: which one that calls depends on the class
    of the object, and one that a class below replaces is not called."""
    makers = [
        made
        for each in (func.cls.lineage() if func.cls is not None else ())
        for name, made in each.attributes.items()
        if name in CONSTRUCTION
    ]
    return any(isinstance(each, Function) and reads_own(each.code, func.code.name) for each in makers)
