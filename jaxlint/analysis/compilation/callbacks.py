"""Functions that the project hands to its own traced code: nothing calls them by name, and code in a trace
calls a function that it was given with as many arguments as they take, and with whatever keywords there are.

In: the function contexts of a program. Out: whether a function that nothing calls is such a callback. It
refuses to know which table or setting it is taken from.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from jaxlint.domain.join import options_of
from jaxlint.domain.objects import Instance
from jaxlint.domain.values import Const, Unknown, Value
from jaxlint.ir.nodes import AttrExpr, CallExpr, Expr, NameExpr, StarExpr
from jaxlint.ir.repetition import is_in_test
from jaxlint.ir.walks import calls_in

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import FunctionContext
    from jaxlint.domain.objects import Environment
    from jaxlint.ir.program import Code

_LEAST = 2  # functions of one argument are too many to tell a callback by it


class Callbacks:
    """Answers from the calls of functions that are not known."""

    def __init__(self, contexts: Collection[FunctionContext]) -> None:
        self._traced = {id(each.code) for each in contexts if each.func and each.context.depth}
        inside: set[int] = set()
        outside: set[int] = set()
        for context in contexts:
            is_staged = context.context.staged
            if context.func is None or (not is_staged and id(context.code) in self._traced):
                continue
            if not is_in_test(context.module.path, context.code):
                (inside if is_staged else outside).update(_counts(context))
        self.counts = inside - outside

    def is_traced(self, code: Code) -> bool:
        """Whether traces reach a function, or it takes what traced code, and no other, gives a function that
        it was handed."""
        if id(code) in self._traced:
            return True
        if not self.counts or not any(each.kind == "**" for each in code.params):
            return False
        taken = [each for each in code.params[code.in_class :] if each.kind in "pn"]
        needed = sum(each.default is None for each in taken)
        return any(needed <= count <= len(taken) for count in self.counts)


def _counts(context: FunctionContext) -> Iterator[int]:
    """How many arguments by position calls have that pass on all other keywords to a function that is not
    known."""
    for call in _passing_on(context.code):
        if _is_handed(call.func, context.env):
            yield len(call.args)


@lru_cache(maxsize=8192)
def _passing_on(code: Code) -> tuple[CallExpr, ...]:
    calls = calls_in(*code.body)
    return tuple([each for each in calls if len(each.args) >= _LEAST and _passes_on(each)])


def _passes_on(call: CallExpr) -> bool:
    is_counted = not any(isinstance(each, StarExpr) for each in call.args)
    return is_counted and any(each.name is None for each in call.keywords)


def _is_handed(func: Expr, env: Environment | None) -> bool:
    """Whether what is called is a parameter of the function, or of one around it, or is kept in its object,
    and nothing is known of it."""
    is_kept = isinstance(func, AttrExpr)
    name = func.value if isinstance(func, AttrExpr) else func
    while env is not None and isinstance(name, NameExpr):
        code = env.code
        if code is not None and any(each.name == name.name for each in code.params):
            return _is_own(name.name, func, code, env) if is_kept else _is_unknown(env.vars.get(name.name))
        if name.name in env.vars and (code is None or name.name not in code.free):
            return False  # a test of a variable from around the function is kept in the function
        env = env.parent
    return False


def _is_own(name: str, func: Expr, code: Code, env: Environment) -> bool:
    """Whether an attribute of the object of a method is no method of it."""
    owner = env.vars.get(name)
    if not (code.in_class and name == code.params[0].name and isinstance(func, AttrExpr)):
        return False
    return isinstance(owner, Instance) and owner.cls.lookup(func.name) is None


def _is_unknown(value: Value | None) -> bool:
    """Whether nothing is known of a value, but that it may be None."""
    return value is None or all(isinstance(each, (Unknown, Const)) for each in options_of(value))
