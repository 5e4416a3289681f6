"""Where what calls give goes in the body of a function or a module, and whether two of them meet there.

In: lowered code, its definitions and uses, and two calls by their numbers. Out: whether one value may come to
hold something of both calls: a statement reads what comes from both, one call is given what comes from the
other, or what comes from both leaves the body. Values that are only looked at end there: what a function of a
library does for its effect, as `print` and `plot`, what an `assert` tests. It refuses to know what the calls
do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from jaxlint.ir.def_use import DefUse
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ClassStmt,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    Node,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TryStmt,
    WalrusExpr,
    WhileStmt,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import walk


class Step(NamedTuple):
    """A statement without its blocks.

    calls: the numbers of the calls and lambdas in it. binds: the numbers of the names that it binds. changes:
    the variables of which it may change what they hold. leaves: what it reads leaves the body, or decides
    what else is run. made_for: the number of the call that is all of it; 0 where it is no such statement.
    """

    calls: frozenset[int]
    binds: tuple[int, ...]
    changes: frozenset[str]
    leaves: bool
    made_for: int


class ValueFlow:
    """One body. `is_library`: whether a variable that the body does not bind is a library's, or a builtin;
    `is_shared`: whether other modules may read its variables."""

    def __init__(
        self, code: Code, program: Program, is_library: Callable[[str], bool], is_shared: bool
    ) -> None:
        self.code = code
        self.program = program
        self.is_library = is_library
        self.is_shared = is_shared
        self.uses = DefUse(code, program)
        self.steps: list[Step] = []
        self.reader: dict[int, int] = {}  # the step that a name is read in
        self.reads: dict[str, list[int]] = {}  # by variable: the steps that read it
        self.local = {param.name for param in code.params} | {*self.uses.names.values()}
        for statement in statements(code.body):
            self._add(statement)

    def meet(self, first: int, second: int) -> bool:
        """Whether what two calls give, by their numbers in the order in which they are made, may meet. The
        calls change nothing themselves. The first one may be given what came from the second one in an
        earlier iteration of a loop."""
        one, other = self._slice(first), self._slice(second)
        if one is None or other is None or self._leaves(one) and self._leaves(other):
            return True
        own = {
            each for each in one if first in self.steps[each].calls and second not in self.steps[each].calls
        }
        return not (one - own).isdisjoint(other)

    def is_dropped(self, call: int) -> bool:
        """Whether a call is a statement of its own."""
        return any(step.made_for == call for step in self.steps)

    def is_read(self, call: int) -> bool:
        """Whether the statement that a call is in does something with what it gives, or what it binds is
        read."""
        found = [step for step in self.steps if call in step.calls]
        return bool(found) and all(not step.binds or any(self._readers(step)) for step in found)

    def changes_nothing(self) -> bool:
        """Whether running the body changes nothing that others hold, as far as its text says."""
        return not any(map(self._is_seen, self.steps))

    # ---- steps

    def _add(self, statement: Stmt) -> None:
        number = len(self.steps)
        read, targets = _parts_of(statement)
        nodes = [*self._walk(read)]
        for node in nodes:
            if isinstance(node, NameExpr):
                self.reader[node.nid] = number
                self.reads.setdefault(node.name, []).append(number)
        binds = [each.nid for target in targets for each in parts(target) if isinstance(each, NameExpr)]
        binds += [node.target.nid for node in nodes if isinstance(node, WalrusExpr)]
        if isinstance(statement, DefStmt):
            binds.append(self.program.codes[statement.index].nid)
        elif isinstance(statement, ClassStmt):
            binds.append(self.program.classes[statement.index].nid)
        changes = {*self._changed(statement, targets)}
        leaves = isinstance(statement, (ReturnStmt, IfStmt, WhileStmt, MatchStmt)) or any(
            isinstance(node, (YieldExpr, YieldFromExpr)) for node in nodes
        )
        calls = frozenset([node.nid for node in nodes if isinstance(node, (CallExpr, LambdaExpr))])
        value = statement.value if isinstance(statement, ExprStmt) else None
        made_for = value.nid if isinstance(value, CallExpr) else 0
        self.steps.append(Step(calls, tuple(binds), frozenset(changes), leaves, made_for))

    def _walk(self, nodes: Iterable[Node]) -> Iterator[Node]:
        """The nodes in these, in the functions and classes made there too."""
        stack = [*nodes]
        while stack:
            for node in walk(stack.pop()):
                yield node
                if isinstance(node, (LambdaExpr, DefStmt)):
                    stack += self.program.codes[node.index].body
                elif isinstance(node, ClassStmt):
                    stack += self.program.classes[node.index].body

    def _changed(self, statement: Stmt, targets: Sequence[Expr]) -> Iterator[str]:
        """The variables of which a statement may change what they hold: attributes and items that it assigns,
        and what is handed to a call that is made for what it does, but for those of libraries."""
        for target in targets:
            for each in parts(target):
                if isinstance(each, (AttrExpr, SubscriptExpr)):
                    yield _root(each)
        value = statement.value if isinstance(statement, ExprStmt) else None
        if isinstance(value, CallExpr) and not self._is_of_library(value.func):
            for node in (value.func, *value.args, *(each.value for each in value.keywords)):
                for part in walk(node):
                    if isinstance(part, NameExpr) and part.name in self.local:
                        yield part.name

    def _is_of_library(self, func: Expr) -> bool:
        """Whether a function is a library's, or a method of what functions of libraries have made."""
        name = _root(func)
        if name not in self.local:
            return self.is_library(name)
        made = self._made_by.get(name, [])
        return bool(made) and all(
            isinstance(each, CallExpr)
            and _root(each.func) not in self.local
            and self.is_library(_root(each.func))
            for each in made
        )

    @cached_property
    def _made_by(self) -> dict[str, list[Expr | None]]:
        """By variable: what it is bound to; None for what is not known."""
        found: dict[str, list[Expr | None]] = {param.name: [None] for param in self.code.params}
        for statement in statements(self.code.body):
            _, targets = _parts_of(statement)
            value = statement.value if isinstance(statement, (AssignStmt, AnnotatedStmt)) else None
            if isinstance(statement, WithStmt):
                for item, target in statement.items:
                    for each in parts(target) if target is not None else ():
                        found.setdefault(_root(each), []).append(item)
                continue
            for target in targets:
                for each in parts(target):
                    if isinstance(each, NameExpr):
                        found.setdefault(each.name, []).append(value)
        return found

    # ---- what is reached

    def _slice(self, call: int) -> set[int] | None:
        """The steps that what a call gives reaches, with that of the call; None where it is not there."""
        stack = [number for number, step in enumerate(self.steps) if call in step.calls]
        if not stack:
            return None
        found: set[int] = set()
        while stack:
            number = stack.pop()
            if number not in found:
                found.add(number)
                step = self.steps[number]
                stack += [self.reader[read] for read in self._readers(step) if read in self.reader]
                for name in () if step.made_for == call else step.changes:
                    stack += self.reads.get(name, ())
        return found

    def _readers(self, step: Step) -> Iterator[int]:
        for binding in step.binds:
            yield from self.uses.reads.get(binding, ())

    def _leaves(self, found: Iterable[int]) -> bool:
        """Whether what is reached leaves the body."""
        return any(self.steps[number].leaves or self._is_seen(self.steps[number]) for number in found)

    def _is_seen(self, step: Step) -> bool:
        """Whether a step binds or changes what others hold: parameters, and variables of other bodies."""
        outer = self.code.global_names | self.code.nonlocal_names
        given = {param.name for param in self.code.params}
        if any(name in given or name not in self.local or name in outer for name in step.changes):
            return True
        return any(self.is_shared or self.uses.names.get(binding) in outer for binding in step.binds)


def _parts_of(statement: Stmt) -> tuple[Sequence[Node], Sequence[Expr]]:
    """What a statement reads itself, without its blocks, and what it assigns to."""
    if isinstance(statement, AssignStmt):
        held = [each for target in statement.targets for each in parts(target)]
        return (
            statement.value,
            *(each for each in held if not isinstance(each, NameExpr)),
        ), statement.targets
    if isinstance(statement, AnnotatedStmt):
        value = () if statement.value is None else (statement.value,)
        return value, (statement.target,) if value else ()
    if isinstance(statement, AugmentedStmt):
        return (statement.value, statement.read), (statement.target,)
    if isinstance(statement, ForStmt):
        return (statement.iterable,), (statement.target,)
    if isinstance(statement, (IfStmt, WhileStmt, AssertStmt)):
        return (statement.test,), ()
    if isinstance(statement, MatchStmt):
        return (statement.subject,), ()
    if isinstance(statement, WithStmt):
        targets = [target for _, target in statement.items if target is not None]
        return [value for value, _ in statement.items], targets
    return () if isinstance(statement, TryStmt) else (statement,), ()


def _root(node: Expr) -> str:
    """The variable that an attribute, an item or a method's result is of; empty without one."""
    while isinstance(node, (AttrExpr, SubscriptExpr, CallExpr)):
        node = node.func if isinstance(node, CallExpr) else node.value
    return node.name if isinstance(node, NameExpr) else ""
