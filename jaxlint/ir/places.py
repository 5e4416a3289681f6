"""What the text of a program says of a number: which function it is in, whether a loop is around it, whether
nothing ever runs it, which variables its value goes into and which it mentions.

In: a lowered program. Out: `Places`, with answers by number. It refuses to know what names mean;
`TYPE_CHECKING` and constants are all that it knows of tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from jaxlint.ir.loop_carried import statements
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    BreakStmt,
    CallExpr,
    ClassStmt,
    CompareExpr,
    ComprehensionExpr,
    ConstExpr,
    ContinueStmt,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    FromStmt,
    FStringExpr,
    IfStmt,
    ImportStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TryStmt,
    TupleExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import ClassCode, Code, Program
from jaxlint.ir.walks import children, codes_in, dotted, last_name, nodes_of, number_of, suites, walk

_TEXTS = frozenset("str repr format hex oct bin ascii join".split())  # what makes texts
_NUMBERS = frozenset("int float complex hash eval len ord".split())  # and what makes numbers of them
_KEPT = 64  # functions of which an index is kept


class Places:
    """The numbers of one program.

    home: the function, or the module's body, that runs a number. looped: the numbers that a `for`, a `while`
    or a comprehension of their own function repeats. dead: the numbers that come after what always leaves
    their block, or stand under a test that is never true. checks: the numbers of asserts, and of tests of
    which one arm does no more than to raise. failing: the numbers of blocks, but for functions' bodies, that
    always end with an error.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.home: dict[int, Code] = {}
        self.looped: set[int] = set()
        self.dead: set[int] = set()
        self.checks: set[int] = set()
        self.failing: set[int] = set()
        self.outer: dict[Code, Code] = {}  # the function, or the module's body, that a function is made in
        self._code = program.body
        self._block(program.body.body, False, False)

    # ---- statements

    def _block(self, body: Sequence[Stmt], is_looped: bool, is_dead: bool) -> bool:
        """Gives whether the end of the block is never reached."""
        ends = False
        for statement in body:
            ends = self._statement(statement, is_looped, is_dead or ends) or ends
        return ends

    def _statement(self, statement: Stmt, is_looped: bool, is_dead: bool) -> bool:
        for inner in suites(statement):
            if always_raises(inner):
                self.failing.update(_numbers(inner))
        number = number_of(statement)
        if number is not None:
            self._mark(number, is_looped, is_dead)
        if isinstance(statement, IfStmt):
            self._note(statement.test, is_looped, is_dead)
            if any(len(arm) == 1 and isinstance(arm[0], RaiseStmt) for arm in suites(statement)):
                self._note_check(statement.test)
            truth = _truth(statement.test)
            then = self._block(statement.body, is_looped, is_dead or truth is False)
            other = self._block(statement.orelse, is_looped, is_dead or truth is True)
            return (then or truth is False) and (other or truth is True)
        if isinstance(statement, (ForStmt, WhileStmt)):
            return self._loop(statement, is_looped, is_dead)
        if isinstance(statement, TryStmt):
            body = self._block(statement.body, is_looped, is_dead)
            self._note_all((handler.kind for handler in statement.handlers), is_looped, is_dead)
            handlers = [self._block(handler.body, is_looped, is_dead) for handler in statement.handlers]
            if not all(always_raises(handler.body) for handler in statement.handlers):
                self.failing.difference_update(_numbers(statement.body))  # a handler may go on after it
            other = self._block(statement.orelse, is_looped, is_dead or body)
            last = self._block(statement.final, is_looped, is_dead)
            return last or ((body or other) and all(handlers))
        if isinstance(statement, WithStmt):
            for item in statement.items:
                self._note_all(item, is_looped, is_dead)
            self._block(statement.body, is_looped, is_dead)  # it may go on where its body raises
        elif isinstance(statement, MatchStmt):
            self._note(statement.subject, is_looped, is_dead)
            for case in statement.cases:
                self._mark(case.nid, is_looped, is_dead)
                self._note_all((case.pattern, case.guard), is_looped, is_dead)
                self._block(case.body, is_looped, is_dead)
        else:
            self._note_inside(statement, is_looped, is_dead)
            if isinstance(statement, AssertStmt):
                self._note_check(statement.test)
        return isinstance(statement, (ReturnStmt, RaiseStmt, BreakStmt, ContinueStmt))

    def _loop(self, statement: ForStmt | WhileStmt, is_looped: bool, is_dead: bool) -> bool:
        if isinstance(statement, ForStmt):
            self._note(statement.iterable, is_looped, is_dead)
            self._note(statement.target, True, is_dead)
            truth = None
        else:
            self._note(statement.test, True, is_dead)
            truth = _truth(statement.test)
        self._block(statement.body, True, is_dead or truth is False)
        has_break = _breaks(statement.body)
        other = self._block(statement.orelse, is_looped, is_dead or truth is True)
        return not has_break and (other or truth is True)

    def _note_check(self, test: Expr) -> None:
        self.checks.update(_numbers((test,)))

    # ---- numbers

    def _note_all(self, nodes: Iterable[Node | None], is_looped: bool, is_dead: bool) -> None:
        for node in nodes:
            if node is not None:
                self._note(node, is_looped, is_dead)

    def _note(self, node: Node, is_looped: bool, is_dead: bool) -> None:
        number = number_of(node)
        if number is not None:
            self._mark(number, is_looped, is_dead)
        self._note_inside(node, is_looped, is_dead)

    def _note_inside(self, node: Node, is_looped: bool, is_dead: bool) -> None:
        """Marks what is in a node, in the functions and classes that it makes too."""
        if isinstance(node, (LambdaExpr, DefStmt)):
            self._function(self.program.codes[node.index], is_looped, is_dead)
        elif isinstance(node, ClassStmt):
            self._class(self.program.classes[node.index], is_looped, is_dead)
        elif isinstance(node, ComprehensionExpr):
            self._comprehension(node, is_looped, is_dead)
        elif isinstance(node, (ImportStmt, FromStmt)):
            for number, _, _ in node.items or ():
                self._mark(number, is_looped, is_dead)
        else:
            for part in children(node):
                self._note(part, is_looped, is_dead)

    def _comprehension(self, node: ComprehensionExpr, is_looped: bool, is_dead: bool) -> None:
        for position, clause in enumerate(node.clauses):
            self._note(clause.iterable, is_looped or position > 0, is_dead)
            self._mark(clause.nid, True, is_dead)
            self._note(clause.target, True, is_dead)
            for number, test in clause.tests:
                self._mark(number, True, is_dead)
                self._note(test, True, is_dead)
        self._note_all((node.key, node.element), True, is_dead)

    def _class(self, record: ClassCode, is_looped: bool, is_dead: bool) -> None:
        keywords = [value for _, value in record.keywords]
        self._note_all((*record.bases, *keywords, *record.decorators), is_looped, is_dead)
        self._block(record.body, is_looped, is_dead)

    def _function(self, code: Code, is_looped: bool, is_dead: bool) -> None:
        heads = [each for param in code.params for each in (param.default, param.annotation)]
        self._note_all((*code.decorators, code.returns, *heads), is_looped, is_dead)
        around, self._code = self._code, code
        self.outer[code] = around
        for param in code.params:
            self._mark(param.nid, False, is_dead)
        self._block(code.body, False, is_dead)
        self._code = around

    def _mark(self, number: int, is_looped: bool, is_dead: bool) -> None:
        self.home[number] = self._code
        if is_looped:
            self.looped.add(number)
        if is_dead:
            self.dead.add(number)


def always_raises(body: Sequence[Stmt]) -> bool:
    """Whether a block ends with an error, and nothing in it leaves it before."""
    if not body or not isinstance(body[-1], RaiseStmt):
        return False
    return not any(isinstance(each, (BreakStmt, ContinueStmt, ReturnStmt)) for each in nodes_of(body))


def _numbers(nodes: Sequence[Node]) -> Iterator[int]:
    numbers = map(number_of, walk(*nodes))
    return (number for number in numbers if number is not None)


def _truth(test: Expr) -> bool | None:
    """Whether a test always, or never, holds."""
    if isinstance(test, ConstExpr):
        return bool(test.value)
    return False if last_name(test) == "TYPE_CHECKING" else None


def _breaks(body: Sequence[Stmt]) -> bool:
    """Whether a `break` of this loop is in its body."""
    for statement in body:
        if isinstance(statement, BreakStmt):
            return True
        inner = [statement.orelse] if isinstance(statement, (ForStmt, WhileStmt)) else [*suites(statement)]
        if any(map(_breaks, inner)):
            return True
    return False


def trial(program: Program) -> frozenset[int]:
    """The numbers below `if __name__ == "__main__":`, where no loop is: what is done there in a module that
    others import tries it out."""
    found: set[int] = set()
    for body in _main_bodies(program):
        parts = nodes_of(body)
        if not any(isinstance(each, (ForStmt, WhileStmt)) for each in parts):
            found.update(_numbers(body))
    return frozenset(found)


def main_blocks(program: Program) -> Sequence[Stmt]:
    """The statements directly below `if __name__ == "__main__":`."""
    return [each for body in _main_bodies(program) for each in body]


def _main_bodies(program: Program) -> Iterator[tuple[Stmt, ...]]:
    for statement in program.body.body:
        if isinstance(statement, IfStmt) and _is_main(statement.test) and not statement.orelse:
            yield statement.body


def _is_main(test: Expr) -> bool:
    if not isinstance(test, CompareExpr) or len(test.rest) != 1 or last_name(test.left) != "__name__":
        return False
    return test.rest[0] == ("==", ConstExpr("__main__"))


def is_only_shown(code: Code, program: Program, nid: int) -> bool:
    """Whether the value of a call is kept in variables alone that nothing reads but what an `if` does with
    calls of which nobody takes the result, as a log does that a flag turns on; and callbacks, each of which
    puts another value there."""
    every = [*statements(code.body)]
    assigned = [each for each in every if isinstance(each, AssignStmt)]
    targets = [target for each in assigned if number_of(each.value) == nid for target in each.targets]
    names = {target.name for target in targets if isinstance(target, NameExpr)}
    shown = [part for each in every if _only_shows(each) for part in walk(each)]
    while (
        more := {
            target.name
            for each in shown
            if isinstance(each, AssignStmt) and names & _read_in(each.value)
            for target in each.targets
            if isinstance(target, NameExpr)
        }
        - names
    ):
        names |= more
    if not all(isinstance(target, NameExpr) for target in targets):
        return False
    if (
        not names
        or names & (code.global_names | code.nonlocal_names)
        or not all(_overwrites(each, names, code, program) for each in codes_in(code, program))
    ):
        return False
    known = {id(each) for each in shown} | {id(target) for each in assigned for target in each.targets}
    reads = (part for part in nodes_of(code.body) if isinstance(part, NameExpr) and part.name in names)
    return all(id(part) in known for part in reads)


def becomes_text(code: Code, program: Program, nid: int) -> bool:
    """Whether the value of a call goes into texts alone, itself or from variables of the function: not into
    one that a statement only shows, that is looked up or compared, or of which a number is made again."""
    every = [*statements(code.body)]
    holder = next((each for each in every if any(_is_at(part, nid) for part in read_by(each))), None)
    if holder is None:
        return False
    if any(_is_written(part, lambda node: number_of(node) == nid) for part in read_by(holder)):
        return not isinstance(holder, ExprStmt)
    if not isinstance(holder, AssignStmt) or number_of(holder.value) != nid or code is program.body:
        return False
    names = {each.name for each in holder.targets if isinstance(each, NameExpr)}
    if len(names) < len(holder.targets) or names & (code.global_names | code.nonlocal_names):
        return False
    if any(names.intersection(each.free) for each in codes_in(code, program)):
        return False
    readers = [each for each in every if any(names & _read_in(part) for part in read_by(each))]
    return bool(readers) and all(
        not isinstance(each, ExprStmt)
        and all(
            _is_written(part, lambda node: isinstance(node, NameExpr) and node.name in names)
            for part in read_by(each)
            if names & _read_in(part)
        )
        for each in readers
    )


def _is_at(node: Node, nid: int) -> bool:
    return any(number_of(part) == nid for part in walk(node))


def _is_written(node: Node, is_one: Callable[[Node], bool], within: bool = False) -> bool:
    """Whether all the nodes in an expression of which this is true are parts of texts, and there are some.
    `within`: it is one."""
    if is_one(node):
        return within
    inner = [each for each in children(node) if any(map(is_one, walk(each)))]
    name = last_name(node.func) if isinstance(node, CallExpr) else ""
    if not inner or name in _NUMBERS or isinstance(node, (CompareExpr, SubscriptExpr)):
        return False
    makes = isinstance(node, FStringExpr) or name in _TEXTS
    makes |= isinstance(node, BinaryExpr) and node.operator == "%" and isinstance(node.left, ConstExpr)
    return all(_is_written(each, is_one, within or makes) for each in inner)


def _read_in(value: Node) -> set[str]:
    return {part.name for part in walk(value) if isinstance(part, NameExpr)}


def _overwrites(inner: Code, names: set[str], code: Code, program: Program) -> bool:
    """Whether a function in another one reads none of its variables, or is a callback that sets those that it
    reads."""
    read = names & {part.name for part in nodes_of(inner.body) if isinstance(part, NameExpr)} - {*inner.bound}
    read |= names & inner.nonlocal_names
    if not read:
        return True
    assigned = (each for each in inner.body if isinstance(each, AssignStmt))
    written = {target.name for each in assigned for target in each.targets if isinstance(target, NameExpr)}
    return read <= inner.nonlocal_names & written and _is_callback(inner, code, program)


def _is_callback(inner: Code, code: Code, program: Program) -> bool:
    """Whether calls by whose names it is a callback are all that a function is handed to, or named in."""
    nodes = [part for each in (code, *codes_in(code, program)) for part in nodes_of(each.body)]
    handed = [
        each.args[0].nid
        for each in nodes
        if isinstance(each, CallExpr) and each.args and "callback" in dotted(each.func)
        if isinstance(each.args[0], NameExpr) and each.args[0].name == inner.name
    ]
    named = [each.nid for each in nodes if isinstance(each, NameExpr) and each.name == inner.name]
    return bool(named) and sorted(named) == sorted(handed)


def _only_shows(statement: Stmt) -> bool:
    """Whether an `if` does nothing but to call, and to keep in variables what it is then called with."""
    if not isinstance(statement, IfStmt):
        return False
    return all(
        isinstance(each, ExprStmt)
        or (isinstance(each, AssignStmt) and all(isinstance(target, NameExpr) for target in each.targets))
        for arm in suites(statement)
        for each in arm
    )


def mentions(program: Program) -> Counter[str]:
    """How often a program mentions each name, be it as a variable, an attribute, an import or a text."""
    found: Counter[str] = Counter(name for _, _, names in program.imports for name in names or ())
    heads: list[Node | None] = []
    for code in program.codes:
        heads += [*code.body, *code.decorators, code.returns]
        heads += [each for param in code.params for each in (param.default, param.annotation)]
    for record in program.classes:
        heads += [*record.bases, *(value for _, value in record.keywords)]
        heads += [*record.decorators, *record.body]
    for node in walk(*heads):
        if isinstance(node, (NameExpr, AttrExpr)):
            found[node.name] += 1
        elif isinstance(node, ConstExpr) and isinstance(node.value, str):
            found[node.value] += 1
    return found


class Binding(NamedTuple):
    """A variable that gets a value, or a part of it.

    nid: the number of the name. path: the positions that lead to the part: `(1,)` for the second of a pair;
    -1 where a star takes several.
    """

    name: str
    nid: int
    path: tuple[int, ...] = ()


def bindings_of(code: Code, nid: int) -> tuple[Binding, ...]:
    """The variables that the value of the expression with this number goes into, whole or in parts: it is all
    of what an assignment assigns, or a constant item of it is."""
    return tuple([each for target, index in _targets(code).get(nid, ()) for each in _parts(target, index)])


@lru_cache(maxsize=_KEPT)
def _targets(code: Code) -> Mapping[int | None, Sequence[tuple[Expr, tuple[int, ...]]]]:
    """By the number of an expression what it is assigned to, and which item of it."""
    found: dict[int | None, list[tuple[Expr, tuple[int, ...]]]] = {}
    for statement in statements(code.body):
        targets: Sequence[Expr] = ()
        value: Expr | None = None
        if isinstance(statement, AssignStmt):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, AnnotatedStmt):
            targets, value = (statement.target,), statement.value
        index: tuple[int, ...] = ()
        while value is not None:
            found.setdefault(number_of(value), []).extend([(target, index) for target in targets])
            if not isinstance(value, SubscriptExpr) or not isinstance(value.index, ConstExpr):
                break
            item = value.index.value
            if type(item) is not int:
                break
            index, value = (item, *index), value.value
    return found


def _parts(target: Expr, index: tuple[int, ...]) -> Iterator[Binding]:
    if isinstance(target, NameExpr):
        yield Binding(target.name, target.nid, index)
    elif isinstance(target, StarExpr):
        yield from _parts(target.value, (*index[:-1], -1))
    elif isinstance(target, TupleExpr):
        items = target.items
        stars = [number for number, each in enumerate(items) if isinstance(each, StarExpr)]
        for number, each in enumerate(items):
            # Behind a star positions count from the end.
            own = number if not stars or number <= stars[0] else number - len(items)
            yield from _parts(each, (*index, own))


def names_in(code: Code, nid: int) -> frozenset[str]:
    """The variables that the expression with this number mentions, outside functions in it."""
    return frozenset([node.name for node in walk(_by_number(code).get(nid)) if isinstance(node, NameExpr)])


@lru_cache(maxsize=_KEPT)
def _by_number(code: Code) -> Mapping[int | None, Node]:
    """The first node of each number that a walk over the body meets."""
    found: dict[int | None, Node] = {}
    for node in nodes_of(code.body):
        found.setdefault(number_of(node), node)
    return found
