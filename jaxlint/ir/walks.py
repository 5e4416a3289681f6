"""What can be asked of nodes without knowing what they stand for."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, lru_cache, wraps
from itertools import chain
from typing import Any, TypeVar, overload

from msgspec.structs import astuple, replace

from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AwaitExpr,
    BoolExpr,
    CallExpr,
    Clause,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DictExpr,
    Expr,
    ExprStmt,
    FormattedPart,
    ForStmt,
    IfStmt,
    ListExpr,
    MatchStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    SetExpr,
    StarExpr,
    Stmt,
    TryStmt,
    UnaryExpr,
    WalrusExpr,
    WhileStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.program import Code, Program

_PLAIN = frozenset(
    ("int", "str", "None", "tuple", "Any")
)  # what the types of fields without nodes are made of
Answer = TypeVar("Answer")
Body = TypeVar("Body", bound=Sequence[Any])

_DISPLAYS: dict[type[Node], str] = {ListExpr: "list", DictExpr: "dict", SetExpr: "set"}
_KEPT = 4096  # bodies of which is kept what is in them
_WORD = re.compile(r"\w+")
_CLOCKS = frozenset(
    "time time_ns perf_counter perf_counter_ns monotonic monotonic_ns process_time default_timer".split()
)
_CHANGING = (WalrusExpr, AwaitExpr, YieldExpr, YieldFromExpr, ComprehensionExpr)
_WITH_SUITES = frozenset((IfStmt, WhileStmt, ForStmt, WithStmt, TryStmt, MatchStmt))
_QUESTIONS = frozenset(("isinstance", "hasattr", "len"))
_ANSWERING = (ReturnStmt, IfStmt, ForStmt, ExprStmt)  # what functions are made of that answer a question
_ASKS = frozenset("isinstance issubclass hasattr callable type".split())
_TRUTHS = frozenset("isinstance issubclass hasattr callable bool all any tree_all".split())


def kind_of(node: type[Node]) -> str:
    """What handlers of a class of nodes are named for: `SubscriptExpr` is `subscript`."""
    return str(node.__struct_config__.tag).lower()


@overload
def plain(node: Stmt) -> Stmt: ...


@overload
def plain(node: Node) -> Node: ...


def plain(node: Node) -> Node:
    """A node, of an assignment that is annotated the one without the annotation."""
    if isinstance(node, AnnotatedStmt) and node.value is not None:
        return AssignStmt(node.nid, (node.target,), node.value)
    return node


def children(node: Node) -> list[Node]:
    """The nodes directly in a node, in the order of their fields: expressions, statements, and the parts that
    are neither (`Keyword`, `Clause`, ...). What a function or a class holds is in its `Code`, not here."""
    found: list[Node] = []
    for name in _holders(type(node)):
        value = getattr(node, name)
        if type(value) is tuple:
            _gather(value, found)
        elif value is not None:
            found.append(value)
    return found


def _gather(values: tuple[Any, ...], found: list[Node]) -> None:
    for value in values:
        if isinstance(value, Node):
            found.append(value)
        elif type(value) is tuple:
            _gather(value, found)


@cache
def _holders(kind: type[Node]) -> tuple[str, ...]:
    """The fields that hold nodes, by their annotations."""
    written: dict[str, str] = kind.__annotations__
    return tuple(
        [name for name in kind.__struct_fields__ if not _PLAIN.issuperset(_WORD.findall(written[name]))]
    )


def walk(*roots: Node | None) -> Iterator[Node]:
    """These nodes and all in them, in no order that means anything."""
    stack: list[Node] = [root for root in roots if root is not None]
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


class _Same:
    """Statements, told by their identity: to compare them would cost more than to walk them."""

    __slots__ = ("body",)

    def __init__(self, body: Sequence[Any]) -> None:
        self.body = body

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.body is self.body

    def __hash__(self) -> int:
        return id(self.body)


def once_for_body(question: Callable[[Body], Answer]) -> Callable[[Body], Answer]:
    """A question of the body of a function, a loop or a branch, whose answer is kept."""
    kept = lru_cache(maxsize=_KEPT)(lambda same: question(same.body))

    @wraps(question)
    def ask(body: Body) -> Answer:
        return kept(_Same(body))

    return ask


@once_for_body
def nodes_of(body: Sequence[Node]) -> Sequence[Node]:
    """`walk` of the statements of a body."""
    return tuple(walk(*body))


@once_for_body
def calls_of(body: Sequence[Node]) -> Sequence[CallExpr]:
    """The calls in a body, in no order that means anything."""
    return tuple([each for each in nodes_of(body) if isinstance(each, CallExpr)])


@once_for_body
def calls_by_number(body: Sequence[Node]) -> Mapping[int, CallExpr]:
    """The calls in a body, by their numbers."""
    return {each.nid: each for each in calls_of(body)}


@once_for_body
def numbers_of(body: Sequence[Node]) -> Set[int]:
    """The numbers of the nodes in a body."""
    return frozenset([number for each in nodes_of(body) if (number := number_of(each)) is not None])


def number_of(node: Node) -> int | None:
    """The number of a node; None where it has none."""
    number: int | None = getattr(node, "nid", None)
    return number


def nid_of(node: Expr, default: int) -> int:
    """The number of an expression, where it has one."""
    while isinstance(node, (StarExpr, AwaitExpr, YieldExpr, YieldFromExpr)):
        node = node.value
    number = number_of(node)
    return default if number is None else number


def structure_of(node: object) -> Hashable:
    """An expression without the numbers of its nodes. Comprehensions and formatted strings keep those of
    their parts: each makes another thing."""
    if isinstance(node, Node):
        parts = astuple(node)
        is_numbered = number_of(node) is not None and not isinstance(node, (Clause, FormattedPart))
        return (type(node), *map(structure_of, parts[1:] if is_numbered else parts))
    return tuple(map(structure_of, node)) if isinstance(node, tuple) else node


def substituted(node: Any, given: Mapping[str, Expr]) -> Any:
    """An expression, or a tuple of them, in which others stand for variables."""
    if isinstance(node, NameExpr):
        return given.get(node.name, node)
    if isinstance(node, tuple):
        return tuple([substituted(each, given) for each in node])
    if not isinstance(node, Node):
        return node
    fields = {name: getattr(node, name) for name in node.__struct_fields__}
    return replace(node, **{name: substituted(value, given) for name, value in fields.items()})


def last_name(node: Node) -> str:
    """What a variable or the end of a dotted name is called; nothing of what is neither."""
    return node.name if isinstance(node, (NameExpr, AttrExpr)) else ""


def builtin_called(node: Node, code: Code) -> str:
    """The plain name that a function calls and does not bind: one of Python's functions, or one of its
    module's; "" for anything else."""
    func = node.func if isinstance(node, CallExpr) else None
    return func.name if isinstance(func, NameExpr) and func.name not in code.bound else ""


def dotted(node: Expr) -> str:
    """The text of a name or an attribute; empty for anything else."""
    if isinstance(node, NameExpr):
        return node.name
    if not isinstance(node, AttrExpr):
        return ""
    owner = dotted(node.value)
    return f"{owner}.{node.name}" if owner else ""


def container_written(node: Node) -> str:
    """Which of Python's containers that have no hash an expression writes out, or makes by a comprehension:
    `list`, `dict` or `set`; "" for anything else."""
    if isinstance(node, ComprehensionExpr):
        return "" if node.kind == "generator" else node.kind
    return _DISPLAYS.get(type(node), "")


def suites(statement: Node) -> Iterator[tuple[Stmt, ...]]:
    """The blocks directly in a compound statement, in the order of the text."""
    if type(statement) not in _WITH_SUITES:
        return
    if isinstance(statement, (IfStmt, WhileStmt, ForStmt)):
        yield statement.body
        yield statement.orelse
    elif isinstance(statement, WithStmt):
        yield statement.body
    elif isinstance(statement, TryStmt):
        yield statement.body
        for handler in statement.handlers:
            yield handler.body
        yield statement.orelse
        yield statement.final
    elif isinstance(statement, MatchStmt):
        for case in statement.cases:
            yield case.body


def leaves(body: Sequence[Stmt]) -> bool:
    """Whether a block that comes to its end leaves the function there."""
    last = body[-1] if body else None
    if isinstance(last, IfStmt):
        return leaves(last.body) and leaves(last.orelse)
    return isinstance(last, (ReturnStmt, RaiseStmt))


def loop_around(body: Sequence[Stmt], nid: int) -> Sequence[Stmt] | None:
    """The statements of the innermost loop around a call, by its number; none of a comprehension."""
    for statement in body:
        for block in suites(statement):
            found = loop_around(block, nid)
            if found is not None:
                return found
        if isinstance(statement, (ForStmt, WhileStmt)) and has_call(statement.body, nid):
            loops = (each for each in walk(*statement.body) if isinstance(each, ComprehensionExpr))
            return () if any(has_call((each,), nid) for each in loops) else statement.body
    return None


def innermost_loop(body: Sequence[Stmt], nid: int) -> ForStmt | WhileStmt | ComprehensionExpr | None:
    """The innermost loop or comprehension around a call, by its number."""
    loops = [part for part in walk(*body) if isinstance(part, (ForStmt, WhileStmt, ComprehensionExpr))]
    around = [part for part in loops if any(call.nid == nid for call in calls_in(part))]
    is_outer = [any(other is not part and other in walk(part) for other in around) for part in around]
    return next((part for part, outer in zip(around, is_outer, strict=True) if not outer), None)


def has_call(nodes: Sequence[Node], nid: int) -> bool:
    """Whether the call of a number is among some nodes, or in one."""
    return any(isinstance(part, CallExpr) and part.nid == nid for part in walk(*nodes))


def bound_in(node: Expr) -> frozenset[str]:
    """The variables that an expression gives a value by `:=`, whatever of it is evaluated."""
    return frozenset([each.target.name for each in walk(node) if isinstance(each, WalrusExpr)])


def is_question(node: Expr) -> bool:
    """Whether an expression changes nothing when it is evaluated again."""
    for part in walk(node):
        if isinstance(part, _CHANGING):
            return False
        if isinstance(part, CallExpr):
            if not isinstance(part.func, NameExpr) or part.func.name not in _QUESTIONS:
                return False
    return True


def without_not(node: Expr, truth: bool) -> tuple[Expr, bool]:
    """A condition without its negations, and which answer of it gives this truth."""
    while isinstance(node, UnaryExpr) and node.operator == "not":
        node, truth = node.operand, not truth
    return node, truth


def in_bool(node: Expr) -> Expr | None:
    """What `bool(x)` asks for its truth."""
    if not isinstance(node, CallExpr) or not isinstance(node.func, NameExpr) or node.func.name != "bool":
        return None
    return node.args[0] if len(node.args) == 1 and not node.keywords else None


def is_clock(node: Node) -> bool:
    """Whether it is a call that by its name tells the time."""
    return isinstance(node, CallExpr) and last_name(node.func) in _CLOCKS


def reads_clock(*nodes: Node) -> bool:
    """Whether something is timed there."""
    return any(map(is_clock, walk(*nodes)))


def heads(statement: Stmt) -> Iterable[Node]:
    """The expressions of a statement that are evaluated before its blocks; a plain one itself."""
    if isinstance(statement, (IfStmt, WhileStmt)):
        return (statement.test,)
    if isinstance(statement, MatchStmt):
        return (statement.subject,)
    if isinstance(statement, WithStmt):
        return (each for item in statement.items for each in item if each is not None)
    return () if isinstance(statement, (ForStmt, TryStmt)) else (statement,)


def calls_in(*nodes: Node) -> Iterator[CallExpr]:
    """The calls in these nodes, in no order that means anything."""
    return (part for part in walk(*nodes) if isinstance(part, CallExpr))


def calls_once(body: Sequence[Stmt], name: str) -> bool:
    """Whether statements without loops call what a variable is, wherever they begin."""
    if any(isinstance(each, (ForStmt, WhileStmt, ComprehensionExpr)) for each in walk(*body)):
        return False
    for statement in body:
        if isinstance(statement, WithStmt) and calls_once(statement.body, name):
            return True
        if not any(suites(statement)):
            called = [last_name(call.func) for call in calls_in(statement) if isinstance(call.func, NameExpr)]
            if name in called:
                return not any(isinstance(each, (ConditionalExpr, BoolExpr)) for each in walk(statement))
        elif any(isinstance(each, (ReturnStmt, RaiseStmt)) for each in walk(statement)):
            return False
    return False


def codes_read(inner: Code, outer: Code, program: Program) -> list[Code]:
    """A function that is written in another one, and those beside it that it reads, or that these read."""
    read = [inner]
    for each in read:
        beside = {f"{outer.qualname}.{name}" for name in each.free}
        read += [other for other in program.codes if other.qualname in beside and other not in read]
    return read


def codes_in(code: Code, program: Program) -> list[Code]:
    """The functions that are written inside of another one."""
    return [each for each in program.codes if each.qualname.startswith(f"{code.qualname}.")]


@lru_cache(8192)
def asks_for_class(code: Code, program: Program) -> bool:
    """Whether all that a function does is to say yes or no, by what its one argument is: `isinstance` and the
    like are asked in it."""
    if len(code.params) - code.in_class != 1:
        return False
    statements = [each for each in walk(*code.body) if isinstance(each, Stmt)]
    if not all(isinstance(each, _ANSWERING) for each in statements):
        return False
    answers = [each.value for each in statements if isinstance(each, ReturnStmt)]
    if not answers or not all(map(_is_truth, answers)):
        return False
    bodies = [code.body, *[each.body for each in codes_in(code, program)]]
    return any(isinstance(each, CallExpr) and last_name(each.func) in _ASKS for each in walk(*chain(*bodies)))


def _is_truth(node: Expr) -> bool:
    """Whether an expression is written as a truth."""
    if isinstance(node, CallExpr):
        return last_name(node.func) in _TRUTHS
    if isinstance(node, BoolExpr):
        return _is_truth(node.left) and _is_truth(node.right)
    if isinstance(node, UnaryExpr):
        return node.operator == "not"
    return isinstance(node, CompareExpr) or (isinstance(node, ConstExpr) and isinstance(node.value, bool))


@lru_cache(maxsize=512)
def is_only_asked(code: Code, name: str) -> bool:
    """Whether a function binds a variable once, and does nothing else with it than to ask what is in it, or
    to go through it: nothing puts more into what it holds."""
    asked = targets = mentions = 0
    for node in walk(*code.body):
        if isinstance(node, NameExpr):
            mentions += node.name == name
        elif isinstance(node, AssignStmt):
            targets += sum(isinstance(each, NameExpr) and each.name == name for each in node.targets)
        elif isinstance(node, CompareExpr):
            held = (each for operator, each in node.rest if operator in ("in", "not in"))
            asked += sum(isinstance(each, NameExpr) and each.name == name for each in held)
        elif isinstance(node, (Clause, ForStmt)):
            asked += isinstance(node.iterable, NameExpr) and node.iterable.name == name
    return targets == 1 and mentions == asked + targets
