"""Which classes below a generic one a type with arguments may mean.

In: a class of the project, the arguments that an annotation gives it, and the classes below it. Out: the
class whose objects are meant; None where several may be, or none that is known. It refuses to know what
objects do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlint.domain.objects import Class
from jaxlint.domain.values import External, Value
from jaxlint.ir.nodes import Expr, SubscriptExpr, TupleExpr

Evaluate = Callable[[Expr, Class], Value]  # what an expression is in the module of a class
_ANYTHING = frozenset(("typing.Any", "builtins.object"))


def arguments_of(node: SubscriptExpr) -> tuple[Expr, ...]:
    """The arguments of a type as it is written."""
    return node.index.items if isinstance(node.index, TupleExpr) else (node.index,)


def meant_of(
    base: Class, wanted: Sequence[Value], below: Sequence[Class], evaluate: Evaluate
) -> Class | None:
    """The class whose objects are those of a generic one with these arguments: the generic one, where each
    class below it may be of these arguments, else the one below it that may, of which the others derive."""
    fitting = [each for each in below if _may_be(each, base, wanted, evaluate)]
    if len(fitting) == len(below):
        return base
    return next((each for each in fitting if all(each in other.lineage() for other in fitting)), None)


def _may_be(cls: Class, base: Class, wanted: Sequence[Value], evaluate: Evaluate) -> bool:
    """Whether a class below a generic one may be derived from it with these arguments."""
    for each in cls.lineage():
        for node in each.code.bases:
            if isinstance(node, SubscriptExpr) and evaluate(node.value, each) is base:
                given = [evaluate(argument, each) for argument in arguments_of(node)]
                if len(given) == len(wanted):
                    return not any(map(_differ, given, wanted))
    return True


def _differ(given: Value, wanted: Value) -> bool:
    """Whether no object of one of two types is of the other, as far as their names tell."""
    for each in (given, wanted):
        if not isinstance(each, (Class, External)) or (isinstance(each, External) and each.name in _ANYTHING):
            return False
    if isinstance(given, Class) and isinstance(wanted, Class):
        return wanted not in given.lineage() and given not in wanted.lineage()
    return given != wanted
