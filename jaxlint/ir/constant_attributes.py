"""Whether an assignment gives an attribute again what the constructor gave it; which attributes hold what no
text changes in place; which ones a function reads.

In: the bodies of a class's methods, and an assignment `self.name = expression` in one of them. Out: whether
the constructor assigns the same expression, and whether that is made of things that do not change: constants,
names of the module, and attributes that only the constructor assigns. It refuses to know what the values are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeGuard

from msgspec.structs import astuple

from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    Clause,
    ConditionalExpr,
    ConstExpr,
    DeleteStmt,
    Expr,
    ExprStmt,
    FormattedPart,
    ForStmt,
    IfStmt,
    Keyword,
    ListExpr,
    NameExpr,
    Node,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, in_bool, last_name, nodes_of, number_of, suites, walk
from jaxlint.tables.jax_functions import FUNCTIONS

_KEPT = 1024  # files and functions of which is kept what they change and read


class Assignments:
    """What the methods of a class assign to attributes of their first parameter.

    by_init: the values that constructors give, and methods that they call without arguments, each with the
    name of that parameter, by attribute. later: the attributes that other methods assign.
    """

    def __init__(self, methods: Iterable[Code]) -> None:
        self.by_init: dict[str, list[tuple[str, Expr]]] = {}
        self.later: set[str] = set()
        methods = list(methods)
        called = {name for code in methods if code.name == "__init__" for name in _called_of_own(code)}
        for code in methods:
            owner = code.params[0].name if code.params else ""
            for place, given in assigned(code.body):
                if is_of(place, owner):
                    if code.name != "__init__":
                        self.later.add(place.name)
                    if code.name == "__init__" or code.name in called:
                        self.by_init.setdefault(place.name, []).append((owner, given))


def _called_of_own(code: Code) -> Iterator[str]:
    """The methods of its object that a method calls without arguments, under no test."""
    owner = code.params[0].name if code.params else ""
    for statement in code.body:
        call = statement.value if isinstance(statement, ExprStmt) else None
        if isinstance(call, CallExpr) and not (call.args or call.keywords) and is_of(call.func, owner):
            yield call.func.name


def gives_again(
    target: Expr, value: Expr, method: Code, assignments: Assignments, is_changing: Callable[[str], bool]
) -> bool:
    """Whether `self.name = value` in a method repeats what `__init__` says, of what does not change.

    assignments: those of the class. is_changing: of variables of the method, and of the module that functions
    bind.
    """
    own = method.params[0].name if method.params else ""
    if not is_of(target, own) or method.name == "__init__":
        return False
    given = assignments.by_init.get(target.name, [])
    if not given or any(owner != own or not is_alike(each, value) for owner, each in given):
        return False
    return _lasts(value, own, assignments.later, is_changing)


def is_of(place: Node, owner: str) -> TypeGuard[AttrExpr]:
    """Whether this is an attribute of a variable."""
    return isinstance(place, AttrExpr) and isinstance(place.value, NameExpr) and place.value.name == owner


def assigned(body: Sequence[Stmt]) -> Iterator[tuple[Expr, Expr]]:
    """What the statements of a body and of all blocks in it assign to, with the value where that is known."""
    for statement in body:
        if isinstance(statement, AssignStmt):
            for target in statement.targets:
                pairs = paired(target, statement.value)
                yield from pairs or ((each, OPAQUE) for each in parts(target))
        elif isinstance(statement, AnnotatedStmt):
            yield statement.target, OPAQUE if statement.value is None else statement.value
        elif isinstance(statement, (AugmentedStmt, ForStmt)):
            yield from ((each, OPAQUE) for each in parts(statement.target))
        elif isinstance(statement, WithStmt):
            bound = (target for _, target in statement.items if target is not None)
            yield from ((each, OPAQUE) for target in bound for each in parts(target))
        for block in suites(statement):
            yield from assigned(block)


def paired(target: Expr, value: Expr) -> list[tuple[Expr, Expr]]:
    """What is assigned to each part of a target, where it is written out."""
    if not isinstance(target, (TupleExpr, ListExpr)):
        return [(target, value)]
    if not isinstance(value, (TupleExpr, ListExpr)) or len(value.items) != len(target.items):
        return []
    if any(isinstance(each, (StarExpr, TupleExpr, ListExpr)) for each in (*target.items, *value.items)):
        return []
    return [*zip(target.items, value.items, strict=True)]


def is_alike(a: object, b: object) -> bool:
    """Whether two expressions are written alike: numbers of nodes apart. Keywords, values in formatted
    strings and clauses of comprehensions are only like themselves."""
    if type(a) is not type(b):
        return False
    if isinstance(a, Node) and isinstance(b, Node):
        is_part = isinstance(a, (Keyword, FormattedPart, Clause))
        first = int(number_of(a) is not None and not is_part)  # behind the number
        return all(map(is_alike, astuple(a)[first:], astuple(b)[first:]))
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(is_alike, a, b))
    return a == b


def _lasts(value: Node, own: str, assigned: Container[str], is_changing: Callable[[str], bool]) -> bool:
    """Whether an expression has one value as long as the object is there."""
    if isinstance(value, ConstExpr):
        return True
    if isinstance(value, NameExpr):
        return not is_changing(value.name) and value.name != own
    if isinstance(value, AttrExpr):
        if is_of(value, own):
            return value.name not in assigned
        return _lasts(value.value, own, assigned, is_changing)
    if isinstance(value, CallExpr):
        called = value.func.value if _is_numpys(value.func) else value.func
        if called is value.func and not (isinstance(called, NameExpr) and called.name[:1].isupper()):
            return False  # what a class makes again is made as before
        if not _lasts(called, own, assigned, is_changing):
            return False
        given = (*value.args, *(each.value for each in value.keywords))
        return all(_lasts(each, own, assigned, is_changing) for each in given)
    if isinstance(value, (BinaryExpr, UnaryExpr, ListExpr, TupleExpr, SubscriptExpr)):
        return all(_lasts(part, own, assigned, is_changing) for part in children(value))
    return False


def _is_numpys(func: Expr) -> TypeGuard[AttrExpr]:
    """Whether this is the name of a function that makes arrays of its arguments and of nothing else."""
    return (
        isinstance(func, AttrExpr)
        and isinstance(func.value, NameExpr)
        and f"jax.numpy.{func.name}" in FUNCTIONS
    )


@lru_cache(maxsize=_KEPT)
def changed_attributes(program: Program) -> frozenset[str]:
    """The names of attributes with which a file does more than to set them, to ask for their truth and to
    read items of them."""
    mentions: Counter[str] = Counter()
    harmless: Counter[str] = Counter()
    bodies = [code.body for code in program.codes] + [cls.body for cls in program.classes]
    for node in (each for body in bodies for each in nodes_of(body)):
        if isinstance(node, AttrExpr):
            mentions[node.name] += 1
        elif isinstance(node, SubscriptExpr):
            harmless[_item_of(node)] += 1
        elif isinstance(node, (IfStmt, WhileStmt, ConditionalExpr, AssertStmt)):
            harmless.update(_tested_in(node.test))
        elif isinstance(node, (AssignStmt, DeleteStmt)):
            harmless.subtract(map(_item_of, walk(*node.targets)))
            if isinstance(node, AssignStmt):
                harmless.update(each.name for each in node.targets if isinstance(each, AttrExpr))
        elif isinstance(node, AugmentedStmt):
            harmless[_item_of(node.target)] -= 1
    return frozenset([name for name, count in mentions.items() if count != harmless[name]])


class Given(NamedTuple):
    """What a file may give to attributes. names: those that it sets, and the texts in it, but for what it
    asks for by `hasattr` and `getattr`; own: by class, those that its methods set of their own object, which
    are not among them. owners: the classes whose methods set others of it. is_any: others of any object."""

    names: frozenset[str]
    own: frozenset[tuple[str, str]]
    owners: frozenset[str]
    is_any: bool

    def may_have(self, classes: Collection[str], name: str) -> bool:
        """Whether an object of classes with these names may get an attribute."""
        if self.is_any or name in self.names or not self.owners.isdisjoint(classes):
            return True
        return any((each, name) in self.own for each in classes)


@lru_cache(maxsize=_KEPT)
def given_attributes(program: Program) -> Given:
    """The names that attributes of objects may get in a file."""
    texts: Counter[str] = Counter()
    names: set[str] = set()
    own: set[tuple[str, str]] = set()
    owners: set[str] = set()
    is_any = False
    bodies = [(code.body, _owner_of(code)) for code in program.codes]
    for body, (owner, cls) in bodies + [(each.body, ("", "")) for each in program.classes]:
        for node in nodes_of(body):
            if isinstance(node, ConstExpr) and isinstance(node.value, str):
                texts[node.value] += 1
            elif isinstance(node, CallExpr):
                texts[_asked_by(node)] -= 1
                if isinstance(node.func, AttrExpr) and node.func.name == "set_value":  # of a variable of nnx
                    names.update(each.name for each in walk(node.func.value) if isinstance(each, AttrExpr))
            for part in walk(*_bound_in(node)):
                if isinstance(part, AttrExpr) and is_of(part, owner):
                    own.add((cls, part.name))
                elif isinstance(part, AttrExpr):
                    names.add(part.name)
            changed = _set_by_name(node)
            if isinstance(changed, NameExpr) and changed.name == owner:
                owners.add(cls)
            else:
                is_any |= changed is not None
    names.update(text for text, count in texts.items() if count > 0)
    return Given(frozenset(names), frozenset(own), frozenset(owners), is_any)


def _owner_of(code: Code) -> tuple[str, str]:
    """What a method calls its object, and the name of its class; empty for other functions."""
    is_static = any(last_name(each) == "staticmethod" for each in code.decorators)
    if not code.in_class or not code.params or is_static:
        return "", ""
    return code.params[0].name, code.qualname.split(".")[-2]


def _asked_by(call: CallExpr) -> str:
    """The attribute that a call of `hasattr` or `getattr` asks for; empty where it is another one."""
    is_question = isinstance(call.func, NameExpr) and call.func.name in ("hasattr", "getattr")
    name = call.args[1] if is_question and len(call.args) > 1 else None
    return name.value if isinstance(name, ConstExpr) and isinstance(name.value, str) else ""


def _bound_in(node: Node) -> Iterable[Expr]:
    """What a statement or a clause binds."""
    if isinstance(node, AssignStmt):
        return node.targets
    if isinstance(node, (AnnotatedStmt, AugmentedStmt, ForStmt, Clause)):
        return (node.target,)
    if isinstance(node, WithStmt):
        return [target for _, target in node.items if target is not None]
    return ()


def _set_by_name(node: Node) -> Expr | None:
    """The object of which an expression may set attributes whose names are not written there."""
    if isinstance(node, AttrExpr):
        return node.value if node.name == "__dict__" else None
    if not isinstance(node, CallExpr) or not node.args:
        return None
    if last_name(node.func) == "vars":
        return node.args[0]
    is_setting = last_name(node.func) in ("setattr", "__setattr__")
    names = [each for each in node.args[:2] if isinstance(each, ConstExpr)]
    return node.args[0] if is_setting and not names else None


def _tested_in(test: Expr) -> Iterator[str]:
    """The attributes of which a test asks no more than their truth."""
    if isinstance(test, AttrExpr):
        yield test.name
    elif isinstance(test, UnaryExpr) and test.operator == "not":
        yield from _tested_in(test.operand)
    elif isinstance(test, BoolExpr):
        yield from (*_tested_in(test.left), *_tested_in(test.right))
    elif (inner := in_bool(test)) is not None:
        yield from _tested_in(inner)


def _item_of(node: Node) -> str:
    """The attribute of which an item is read; empty where it is none."""
    is_item = isinstance(node, SubscriptExpr) and isinstance(node.value, AttrExpr)
    return node.value.name if is_item else ""  # type: ignore[attr-defined]


def reads_attribute(code: Code, name: str) -> bool:
    """Whether a function reads an attribute of this name, or has the name as a text."""
    return name in _reads_by_name(code)


def names_read(code: Code) -> Collection[str]:
    """The names of the attributes that a function reads, and its texts."""
    return _reads_by_name(code).keys()


def reads_of(code: Code, name: str) -> Sequence[AttrExpr | ConstExpr]:
    """Where a function reads an attribute of this name, or has the name as a text."""
    return _reads_by_name(code).get(name, ())


@lru_cache(maxsize=_KEPT)
def _reads_by_name(code: Code) -> dict[str, list[AttrExpr | ConstExpr]]:
    """The attributes that a function reads, and its texts, by name."""
    set_there = {id(target) for target, value in assigned(code.body) if value is not OPAQUE}
    found: dict[str, list[AttrExpr | ConstExpr]] = {}
    for part in nodes_of(code.body):
        if isinstance(part, AttrExpr) and id(part) not in set_there:
            found.setdefault(part.name, []).append(part)
        elif isinstance(part, ConstExpr) and isinstance(part.value, str):
            found.setdefault(part.value, []).append(part)
    return found
