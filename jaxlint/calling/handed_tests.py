"""The tests of a function as they are where it is called: arguments stand for its parameters.

In: tests of a function that is called, and the expression of the call. Out: tests of the function that calls
it; the arguments that the called function names. It refuses to know the values of the arguments.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from jaxlint.domain.objects import Function, Module
from jaxlint.ir.mentions import set_by
from jaxlint.ir.nodes import (
    NONE,
    OPAQUE,
    AttrExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ComprehensionExpr,
    ConstExpr,
    Expr,
    LambdaExpr,
    NameExpr,
    StarExpr,
    UnaryExpr,
)
from jaxlint.ir.walks import codes_in, dotted, last_name, substituted, walk

Test = tuple[Expr, bool]  # and whether it holds
IsThere: TypeAlias = Callable[[AttrExpr, bool], bool]
_EQUALS = {"==": True, "is": True, "!=": False, "is not": False}


def handed(tests: Sequence[Test], func: Function, call: CallExpr | None, caller: Module) -> tuple[Test, ...]:
    """Those tests of a function that a call in a module answers with its arguments, in terms of these."""
    if not tests or call is None:
        return ()
    given = _arguments(func, call)
    if given is None:
        return ()
    kept = [(test, truth) for test, truth in tests if _is_of(test, given, func, func.module is caller)]
    return tuple([(substituted(test, given), truth) for test, truth in kept])


def is_ruled_out(tests: Sequence[Test], is_there: IsThere) -> bool:
    """Whether one of these tests, as it is where a function is called, is known to have the other answer:
    what is done under it is not done there. `is_there`: whether an attribute has been set, and if
    that is asked to what is not None."""
    return any(_answer(test, is_there) is (not truth) for test, truth in tests)


def _answer(test: Expr, is_there: IsThere) -> bool | None:
    """The truth of a test that is made of constants, or asks if an attribute is there; None where it does
    not."""
    if isinstance(test, ConstExpr):
        return bool(test.value)
    if isinstance(test, UnaryExpr) and test.operator == "not":
        inner = _answer(test.operand, is_there)
        return None if inner is None else not inner
    if isinstance(test, BoolExpr):
        answers = _answer(test.left, is_there), _answer(test.right, is_there)
        decides = test.operator == "or"
        return decides if decides in answers else None if None in answers else not decides
    if isinstance(test, CompareExpr) and len(test.rest) == 1:
        (operator, right), left = test.rest[0], test.left
        if isinstance(left, ConstExpr) and isinstance(right, ConstExpr) and operator in _EQUALS:
            return (left.value == right.value) is _EQUALS[operator]
        if isinstance(left, AttrExpr) and right == NONE and operator in _EQUALS and is_there(left, True):
            return not _EQUALS[operator]
    asked = _asked_attribute(test)
    return True if asked is not None and is_there(asked, False) else None


def _asked_attribute(test: Expr) -> AttrExpr | None:
    """What `hasattr` with a literal asks for."""
    if not isinstance(test, CallExpr) or len(test.args) != 2 or last_name(test.func) != "hasattr":
        return None
    owner, name = test.args
    if not isinstance(name, ConstExpr) or not isinstance(name.value, str):
        return None
    return AttrExpr(test.nid, owner, name.value)


def named_arguments(func: Function, call: CallExpr) -> CallExpr:
    """The call with the arguments for parameters that the function names, and without what is called; with
    all arguments where it is not known which parameters get them."""
    given = _arguments(func, call)
    if given is None:
        return CallExpr(call.nid, OPAQUE, call.args, call.keywords)
    code = func.code
    named = {part.name for part in walk(*code.body) if isinstance(part, NameExpr)}
    named.update(*(each.free for each in codes_in(code, func.module.program)))
    own = {param.name for param in code.params[: func.cls is not None]}
    kept = [value for name, value in given.items() if name in named - own]
    return CallExpr(call.nid, OPAQUE, tuple(kept), ())


def _arguments(func: Function, call: CallExpr) -> Mapping[str, Expr] | None:
    """The expressions of arguments by parameters; None where the call may give other ones."""
    code = func.code
    if last_name(call.func) != code.name or any(isinstance(each, StarExpr) for each in call.args):
        return None
    names = [param.name for param in code.params if param.kind in ("p", "n")]
    given: dict[str, Expr] = {
        param.name: param.default for param in code.params if isinstance(param.default, ConstExpr)
    }
    args: Sequence[Expr] = call.args
    if func.cls is not None:
        if not isinstance(call.func, AttrExpr) or dotted(call.func.value)[:1].isupper():
            return None
        args = (call.func.value, *args)
    given |= dict(zip(names, args, strict=False))
    for keyword in call.keywords:
        if keyword.name is None:
            return None
        given[keyword.name] = keyword.value
    return given


def _is_of(test: Expr, given: Mapping[str, Expr], func: Function, is_at_home: bool) -> bool:
    """Whether a test is one of parameters that are given and not changed by the function, or of what the
    caller sees as well. `is_at_home`: both see the same variables of a module."""
    changed = set_by(func.code)
    for node in walk(test):
        if isinstance(node, (LambdaExpr, ComprehensionExpr)):
            return False
        if isinstance(node, (NameExpr, AttrExpr)) and dotted(node) in changed:
            return False
        if isinstance(node, NameExpr) and node.name not in given and not hasattr(builtins, node.name):
            if node.name in func.code.bound or not is_at_home:
                return False
    return True
