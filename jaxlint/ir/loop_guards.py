"""Which tests in a loop, by their text, may hold at one of its turns only (`if step == 0`, a flag that the
loop clears).

In: tests, and the loops around a place. Out: whether what is done there may be done once for all their turns.
It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import Turns, parts
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ConstExpr,
    ContinueStmt,
    Expr,
    ForStmt,
    IfStmt,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SetExpr,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
    WithStmt,
)
from jaxlint.ir.walks import calls_in, heads, last_name, nodes_of, number_of, suites, walk

_EQUAL = frozenset(("==", "is", "in"))
_UNEQUAL = frozenset(("!=", "is not", "not in"))
# what a comparison of a number with the one that it is counted up from gives later
_LATER = {"==": False, "!=": True, ">": True, "<=": False}


class Held(NamedTuple):
    """A test in force, and which way. depth: how many loops of its function are around it."""

    test: Expr
    truth: bool
    depth: int


def may_be_once(tests: Sequence[Held], loops: Sequence[Turns], depth: int) -> bool:
    """Whether one of the tests inside the first of these loops, which `depth` loops are around, may hold
    at one turn only."""
    inner = [held for held in tests if held.depth > depth and singles_out(held.test, held.truth)]
    if not inner:
        return False
    varying = {name for loop in loops for name in bound_by(loop)}
    return any(mentions(held.test, varying) and not _is_default(held, loops) for held in inner)


def answer_later(test: Expr, loop: Turns, body: Sequence[Stmt]) -> bool | None:
    """What a test gives in all turns of a loop but the first, where the first one alone may answer otherwise:
    of a number that the loop counts up from the one that is asked for, or of a flag that it sets there. body:
    of the function that the loop is in."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        answer = answer_later(test.operand, loop, body)
        return None if answer is None else not answer
    if isinstance(test, BoolExpr):
        decisive = test.operator == "or"
        answers = (answer_later(each, loop, body) for each in (test.left, test.right))
        return decisive if any(answer is decisive for answer in answers) else None
    if isinstance(test, NameExpr):
        first = _counted_from(test.name, loop, body)
        return True if first == 0 else _flag_after(test, loop) if first is None else None
    if not isinstance(test, CompareExpr) or len(test.rest) != 1:
        return None
    ((operator, right),) = test.rest
    left = test.left
    if isinstance(left, ConstExpr) and operator in ("==", "!="):
        left, right = right, left
    if not isinstance(left, NameExpr) or not isinstance(right, ConstExpr) or type(right.value) is not int:
        return None
    if operator not in _LATER or _counted_from(left.name, loop, body) != right.value:
        return None
    return _LATER[operator]


def _counted_from(name: str, loop: Turns, body: Sequence[Stmt]) -> int | None:
    """The number that a variable has in the first turn of a loop, which counts it up in each turn."""
    bound = [each for each in _assigned(loop.body) if each == name]
    if loop.iterable is not None and loop.target is not None and not bound:
        return _first_number(loop.iterable, loop.target, name)
    if len(bound) != 1 or any(isinstance(each, ContinueStmt) for each in nodes_of(loop.body)):
        return None
    if not any(_counts_up(each, name) for each in loop.body):
        return None
    before = [(target, value) for target, value in assigned(body) if name in names_in(target)]
    within = {id(target) for target, _ in assigned(loop.body)}
    values = [value for target, value in before if id(target) not in within]
    first = values[0].value if len(values) == 1 and isinstance(values[0], ConstExpr) else None
    return first if type(first) is int else None


def _first_number(iterable: Expr, target: Expr, name: str) -> int | None:
    """The first number that `range`, `enumerate` or `count` gives a variable, also by a bar of progress."""
    while isinstance(iterable, CallExpr) and last_name(iterable.func) == "tqdm" and iterable.args:
        iterable = iterable.args[0]
    if not isinstance(iterable, CallExpr) or any(isinstance(each, StarExpr) for each in iterable.args):
        return None
    kind, args = last_name(iterable.func), iterable.args
    if kind == "enumerate" and isinstance(target, TupleExpr) and target.items:
        target, args = target.items[0], args[1:]
        starts = [*args, *(each.value for each in iterable.keywords)]
    elif kind in ("range", "trange", "count"):
        starts = [*args] if kind == "count" or len(args) > 1 else []
        if kind != "count" and not args:
            return None
    else:
        return None
    steps = starts[1:] if kind == "count" else starts[2:]
    if not isinstance(target, NameExpr) or target.name != name or not all(map(_is_positive, steps)):
        return None
    first = starts[0].value if starts and isinstance(starts[0], ConstExpr) else None if starts else 0
    return first if type(first) is int else None


def _counts_up(statement: Stmt, name: str) -> bool:
    """Whether a statement adds a positive number to a variable."""
    if isinstance(statement, AugmentedStmt):
        target, value, operator = statement.target, statement.value, statement.operator
        is_own = isinstance(target, NameExpr) and target.name == name
        return is_own and operator in ("+", "+=") and _is_positive(value)
    if not isinstance(statement, AssignStmt) or not isinstance(statement.value, BinaryExpr):
        return False
    added = statement.value
    names = [each.name for each in (*statement.targets, added.left) if isinstance(each, NameExpr)]
    return added.operator == "+" and names == [name, name] and _is_positive(added.right)


def _is_positive(node: Expr) -> bool:
    return isinstance(node, ConstExpr) and type(node.value) is int and node.value > 0


def _flag_after(test: NameExpr, loop: Turns) -> bool | None:
    """What a flag is once the branch was run that asks for it, where that sets it and nothing else in the
    loop does."""
    if len([each for each in _assigned(loop.body) if each == test.name]) != 1:
        return None
    if loop.target is not None and test.name in names_in(loop.target):
        return None
    for statement in loop.body:
        if isinstance(statement, ContinueStmt) or any(isinstance(e, ContinueStmt) for e in walk(statement)):
            return None
        if isinstance(statement, IfStmt) and any(part is test for part in walk(statement.test)):
            asked = statement.test
            is_plain = asked is test or (isinstance(asked, UnaryExpr) and asked.operand is test)
            set_to = [
                each.value.value
                for each in statement.body
                if isinstance(each, AssignStmt) and isinstance(each.value, ConstExpr)
                if test.name in {name for target in each.targets for name in names_in(target)}
            ]
            if is_plain and set_to == [asked is not test]:
                return bool(set_to[0])
    return None


def is_in_some_turns(loop: Turns, number: int) -> bool:
    """Whether a test inside of a loop says in which of its turns a call is made: one that asks for what the
    loop gives or changes, or for what a call gives, which may be something else each time."""
    varying = {*bound_by(loop)}

    def varies(test: Expr) -> bool:
        return mentions(test, varying) or any(calls_in(test))

    def is_chosen(body: Sequence[Stmt]) -> bool | None:
        """None where the call is not in this block."""
        is_passed_over = False
        for statement in body:
            if any(call.nid == number for call in calls_in(*heads(statement))):
                return is_passed_over
            test = statement.test if isinstance(statement, IfStmt) and varies(statement.test) else None
            for block in suites(statement):
                found = is_chosen(block)
                if found is not None:
                    return found or is_passed_over or test is not None
                if test is not None and block and isinstance(block[-1], ContinueStmt):
                    is_passed_over = True
        return None

    return bool(is_chosen(loop.body))


def _is_default(held: Held, loops: Sequence[Turns]) -> bool:
    """Whether a flag has, where a test asks for it, what each turn of a loop gives it to begin with."""
    test, truth = held.test, held.truth
    while isinstance(test, UnaryExpr) and test.operator == "not":
        test, truth = test.operand, not truth
    if not isinstance(test, NameExpr):
        return False
    return any(
        isinstance(statement, AssignStmt)
        and statement.nid < test.nid
        and isinstance(statement.value, ConstExpr)
        and bool(statement.value.value) == truth
        and test.name in {name for target in statement.targets for name in names_in(target)}
        for loop in loops
        for statement in loop.body
    )


def singles_out(test: Expr, truth: bool) -> bool:
    """Whether a test picks out one value of what it looks at. A remainder comes again."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return singles_out(test.operand, not truth)
    if isinstance(test, BoolExpr):
        return singles_out(test.left, truth) or singles_out(test.right, truth)
    if isinstance(test, WalrusExpr):
        return singles_out(test.value, truth)
    if isinstance(test, CompareExpr):
        if has_remainder(test):
            return False
        operators = {operator for operator, _ in test.rest}
        if isinstance(test.left, ConstExpr) and not operators.isdisjoint(("in", "not in")):
            return True  # what is not there yet may be put there
        return not operators.isdisjoint(_EQUAL if truth else _UNEQUAL)
    return isinstance(test, (NameExpr, AttrExpr))


def mentions(node: Node, names: Collection[str]) -> bool:
    """Whether an expression reads one of these variables, or an attribute of one of these names."""
    for part in walk(node):
        if isinstance(part, NameExpr) and part.name in names:
            return True
        if isinstance(part, AttrExpr) and f".{part.name}" in names:
            return True
    return False


def has_remainder(node: Node) -> bool:
    """Whether a test looks at the remainder of a division, as those do that hold now and then."""
    return any(isinstance(part, BinaryExpr) and part.operator == "%" for part in walk(node))


def bound_by(loop: Turns) -> Iterator[str]:
    """The variables, and the names of attributes behind a dot, that a loop binds."""
    if loop.target is not None:
        yield from names_in(loop.target)
    yield from _assigned(loop.body)


def _assigned(body: Sequence[Stmt]) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, AssignStmt):
            for target in statement.targets:
                yield from names_in(target)
        elif isinstance(statement, (AnnotatedStmt, AugmentedStmt, ForStmt)):
            yield from names_in(statement.target)
        elif isinstance(statement, WithStmt):
            for _, bound in statement.items:
                if bound is not None:
                    yield from names_in(bound)
        for block in suites(statement):
            yield from _assigned(block)


def names_in(target: Expr) -> Iterator[str]:
    for each in parts(target):
        if isinstance(each, NameExpr):
            yield each.name
        elif isinstance(each, AttrExpr):
            yield f".{each.name}"
        elif isinstance(each, SubscriptExpr):
            yield from names_in(each.value)


def written_out(node: Expr) -> tuple[Any, ...] | None:
    """The constants that a tuple, a list or a set is written with; None for anything else."""
    if not isinstance(node, (TupleExpr, ListExpr, SetExpr)):
        return None
    values = tuple([each.value for each in node.items if isinstance(each, ConstExpr)])
    return values if len(values) == len(node.items) else None


def is_done_once(body: Sequence[Stmt], nids: Collection[int]) -> bool:
    """Whether a place is run under a test of an attribute, or after a return under one, and an attribute of
    that name, of whatever object, is then set to what the test asks for, or to a constant that is true."""
    tests: list[Expr] = []
    for position, statement in enumerate(body):
        if not any(number_of(part) in nids for part in walk(statement)):
            if (
                isinstance(statement, IfStmt)
                and statement.body
                and isinstance(statement.body[-1], ReturnStmt)
            ):
                tests.append(statement.test)
        elif isinstance(statement, IfStmt):
            return _sets(body[position:], (*tests, statement.test))
        else:
            return _sets(body[position:], tests) or any(
                is_done_once(each, nids) for each in suites(statement)
            )
    return False


def _sets(block: Sequence[Stmt], tests: Iterable[Expr]) -> bool:
    """Whether statements set an attribute that one of the tests reads to what makes it hold. A property is
    taken to show the private attribute of its name."""
    for test in tests:
        asked = {each.name.lstrip("_") for each in walk(test) if isinstance(each, AttrExpr)}
        for target, value in assigned(block):
            is_held = isinstance(value, ConstExpr) and bool(value.value)
            is_held = is_held or (isinstance(value, NameExpr) and mentions(test, (value.name,)))
            if is_held and isinstance(target, AttrExpr) and target.name.lstrip("_") in asked:
                return True
    return False
