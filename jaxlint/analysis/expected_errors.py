"""Which code is run for the error that it raises, by the text of what runs it.

In: the lowered statements of a `try` and of the block that it is in, or what a `with` enters. Out: whether
that goes on after an error, and for a `try` whether it fails where there was none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from functools import lru_cache

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import Function, Instance
from jaxlint.domain.values import Product, Value
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.nodes import (
    AssertStmt,
    AssignStmt,
    AttrExpr,
    BoolExpr,
    BreakStmt,
    CallExpr,
    CompareExpr,
    ConstExpr,
    ContinueStmt,
    Expr,
    ExprStmt,
    Handler,
    IfStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    Stmt,
    TryStmt,
    UnaryExpr,
    WithStmt,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import last_name, nodes_of, suites, walk

_LEAVE = (BreakStmt, ContinueStmt, ReturnStmt)
_KINDS = frozenset(("issubclass", "isinstance"))
_ASSERTS = frozenset(("AssertionError", "Failed", "failureException"))


def wants_error(node: TryStmt, code: Code) -> bool:
    """Whether a `try` in a function is run for an error: after one its handlers go on, and what follows where
    there was none fails, or says so."""
    return id(node) in _wanting(code)


@lru_cache(maxsize=1024)
def _wanting(code: Code) -> frozenset[int]:
    """The `try` statements of a function that are run for an error, by their identity."""
    found = [each for each in nodes_of(code.body) if isinstance(each, TryStmt)]
    return frozenset([id(each) for each in found if _wants_error(each, code.body)])


def _wants_error(node: TryStmt, body: Sequence[Stmt]) -> bool:
    if not node.handlers or any(_fails(each) for handler in node.handlers for each in handler.body):
        return False
    if any(map(_fails, node.orelse)) or (node.body and _asserts(node.body[-1])):
        return True
    rest = (*node.orelse, *_after(node, body))
    if all(handler.body and isinstance(handler.body[-1], _LEAVE) for handler in node.handlers):
        says = all(_gives(handler.body[-1], True) for handler in node.handlers)
        return any(map(_fails, rest)) or (says and any(_gives(each, False) for each in (*node.body, *rest)))
    noted = set.intersection(*({*_noted_by(handler)} for handler in node.handlers))
    return any(_fails_unless(each, noted) for each in rest)


def run_for_error(body: Sequence[Stmt]) -> ExprStmt | None:
    """The first statement of a `try`, where it is run for the error that it may raise: nothing else is run,
    or nothing but what notes that there was none. Updates by `.at[...]` raise none."""
    first = body[0] if body else None
    if not isinstance(first, ExprStmt):
        return None
    is_update = any(isinstance(each, AttrExpr) and each.name == "at" for each in walk(first.value))
    noted = not is_update and not any(isinstance(each, CallExpr) for each in walk(*body[1:]))
    return first if noted or len(body) == 1 else None


def run_for_errors(
    generics: Iterable[FunctionContext], reached: Set[FunctionContext], is_test: Callable[[str], bool]
) -> set[FunctionContext]:
    """Those of the contexts that stand for unknown calls of a function where an error is expected at all
    calls that there are, and where no others come from outside: it is a test's, or a function makes it."""
    asked = {each.code for each in reached if each.context.expects}
    called = [
        each
        for each in (reached if asked else ())
        if each.code in asked and any(link.parent in reached for link in each.links)
    ]
    expected = {each.code for each in called} - {each.code for each in called if not each.context.expects}
    found = set()
    for each in generics if expected else ():
        func = each.func
        if func is not None and func.code in expected and not each.context.expects:
            is_own = func.env.code is not None or func.code.name.startswith("test")
            if is_own or is_test(func.module.path):
                found.add(each)
    return found


def takes_errors(manager: Value) -> bool:
    """Whether the program goes on after an error inside of a `with`."""
    if isinstance(manager, Product):
        return manager.kind == "context" and manager.parts[0] == "raises"
    found = manager.cls.lookup("__exit__") if isinstance(manager, Instance) else None
    return found is not None and isinstance(found[0], Function) and suppresses(found[0].code)


def suppresses(code: Code) -> bool:
    """Whether an `__exit__` says that the program goes on after an error: always, or after one of a kind."""
    params = {each.name for each in code.params}
    return any(_takes(each.value, params) for each in nodes_of(code.body) if isinstance(each, ReturnStmt))


def _takes(value: Expr, params: set[str]) -> bool:
    if isinstance(value, BoolExpr):
        return _takes(value.left, params) or _takes(value.right, params)
    if isinstance(value, CallExpr):
        return last_name(value.func) in _KINDS and _mentions(value.args[0] if value.args else value, params)
    if isinstance(value, CompareExpr):
        is_absent = any(sign in ("is", "==") and _is(other, None) for sign, other in value.rest)
        return _mentions(value.left, params) and not is_absent
    return _is(value, True)


def _after(node: TryStmt, block: Sequence[Stmt]) -> Sequence[Stmt]:
    """What follows a statement in its own block, and behind a `with` around it."""
    for place, each in enumerate(block):
        if each is node:
            return block[place + 1 :]
        for inner in suites(each):
            if any(part is node for part in walk(*inner)):
                found = _after(node, inner)
                return (*found, *block[place + 1 :]) if isinstance(each, WithStmt) else found
    return ()


def _fails(statement: Stmt) -> bool:
    return isinstance(statement, RaiseStmt) or _asserts(statement)


def _asserts(statement: Stmt) -> bool:
    """Whether a statement says that what was asserted is not so."""
    if isinstance(statement, RaiseStmt):
        raised = statement.value
        return last_name(raised.func if isinstance(raised, CallExpr) else raised) in _ASSERTS
    if isinstance(statement, AssertStmt):
        return isinstance(statement.test, ConstExpr) and not statement.test.value
    value = statement.value if isinstance(statement, ExprStmt) else None
    return isinstance(value, CallExpr) and last_name(value.func) == "fail"


def _noted_by(handler: Handler) -> Iterator[str]:
    """The names of the variables that a handler sets to something that is true."""
    for each in handler.body:
        for targets, value in assignments((each,)):
            if not isinstance(value, ConstExpr) or value.value:
                yield from (target.name for target in targets if isinstance(target, NameExpr))


def _fails_unless(statement: Stmt, noted: set[str]) -> bool:
    """Whether a statement fails where none of the variables was set."""
    if isinstance(statement, AssertStmt):
        return _shows(statement.test, noted)
    if not isinstance(statement, IfStmt) or not any(map(_fails, statement.body)):
        return False
    test = statement.test
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return _shows(test.operand, noted)
    return isinstance(test, CompareExpr) and _mentions(test.left, noted) and test.rest[0][0] == "is"


def _shows(test: Expr, noted: set[str]) -> bool:
    if isinstance(test, BoolExpr):
        return _shows(test.left, noted) or _shows(test.right, noted)
    if isinstance(test, CallExpr):
        return last_name(test.func) in _KINDS and _mentions(test.args[0] if test.args else test, noted)
    if isinstance(test, CompareExpr):
        return _mentions(test.left, noted) and test.rest[0][0] == "is not"
    return _mentions(test, noted)


def _mentions(node: Expr, names: set[str]) -> bool:
    return isinstance(node, NameExpr) and node.name in names


def _gives(statement: Stmt, value: bool) -> bool:
    return isinstance(statement, ReturnStmt) and _is(statement.value, value)


def _is(node: Expr, value: bool | None) -> bool:
    return isinstance(node, ConstExpr) and node.value is value


def asked_by(body: Sequence[Stmt]) -> AttrExpr | None:
    """The attribute that a `try` asks for, where one statement is all that it does."""
    only = body[0] if len(body) == 1 else None
    if not isinstance(only, (AssignStmt, ExprStmt, ReturnStmt)):
        return None
    read = (each for each in walk(only.value) if isinstance(each, AttrExpr))
    return next((each for each in read if isinstance(each.value, NameExpr)), None)
