"""What is made of what calls give: which reads of variables see something of it.

In: the lowered code of a function, or of a module's body, and the number of a call in it. Out: the reads
that see what the call gives, or what is computed of that, and the statements that these are in. A collection
that something is put into has it from there on. It does not know what objects keep of what their methods are
given, and follows no test.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from jaxlint.analysis.compilation.recompilation import ADDS
from jaxlint.analysis.draws.texts import pairs_of
from jaxlint.domain.questions import OF_ARRAYS
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.liveness import Liveness, definition_heads
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    ClassStmt,
    CompareExpr,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    FromStmt,
    ImportStmt,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    SliceExpr,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, dotted, last_name

ARRAYS = frozenset("jnp np numpy lax".split())  # modules whose functions compute of arrays alone


class Unit(NamedTuple):
    """A statement, or one of several assignments in it: what is bound, and what of."""

    statement: Stmt
    targets: Sequence[Expr]
    value: Sequence[Node]


class Flow(NamedTuple):
    """What is made of what a call gives. reads: the call, and the reads of variables that see something of
    it; users: what these are in, by identity."""

    reads: set[int]
    users: dict[int, Unit]


class Flows:
    """What a function, or the body of a module, reads and binds."""

    def __init__(self, code: Code, program: Program) -> None:
        self.program = program
        self.flow = def_use_of(code, program)
        self.shaped = Liveness(code, program).shaped
        self.units: dict[int, Unit] = {}  # by the numbers of what they read and call
        self.loops: dict[int, int] = {}  # by statement: the number of the outermost loop around
        self.known: dict[tuple[int, bool], Flow] = {}
        self.imported = {nid for each in statements(code.body) for nid, _ in _imported_by(each)}
        # by name, also what the module imports that a function is in
        self.modules = {name for each in statements(program.body.body) for _, name in _imported_by(each)}
        for each in code.body:
            for loop in statements((each,)):
                if isinstance(loop, (ForStmt, WhileStmt)):
                    for inner in statements((*loop.body, *loop.orelse)):
                        self.loops.setdefault(id(inner), loop.nid)
            for unit in _units_of(each):
                for node in self.nodes(*unit.value):
                    if isinstance(node, (NameExpr, CallExpr)):
                        self.units.setdefault(node.nid, unit)

    def nodes(self, *nodes: Node) -> Iterator[Node]:
        """These nodes and all in them, with the bodies of the functions and classes that they make."""
        stack = [*nodes]
        while stack:
            node = stack.pop()
            yield node
            if isinstance(node, (DefStmt, LambdaExpr)):
                code = self.program.codes[node.index]
                stack += [*definition_heads(code), *code.body]
            elif isinstance(node, ClassStmt):
                record = self.program.classes[node.index]
                stack += [*record.bases, *record.decorators, *record.body]
                stack += [value for _, value in record.keywords]
            else:
                stack += children(node)

    def of(self, number: int, in_objects: bool = True) -> Flow:
        """What is made of what a call gives; `in_objects`: what reads an object that has it in an attribute
        sees it, too."""
        asked = number, in_objects
        found = self.known.get(asked)
        if found is None:
            found = self.known[asked] = Flow({number}, {})
            stack = [self.units[number]] if number in self.units else []
            while stack:
                unit = stack.pop()
                if id(unit) not in found.users:
                    found.users[id(unit)] = unit
                    readers = {*self.readers(unit, in_objects)}
                    found.reads.update(readers)
                    stack += [self.units[read] for read in readers if read in self.units]
        return found

    def readers(self, unit: Unit, in_objects: bool = True) -> Iterator[int]:
        """The reads that see what a statement binds, or puts into a collection, and want its values."""
        found = [each for nid in self.bound_by(unit) for each in self.flow.readers(nid) or ()]
        holder = put_into(unit)
        is_object = any(isinstance(each, AttrExpr) for each in unit.targets)
        if holder is not None and (in_objects or not is_object):
            start = min(holder.nid, self.loops.get(id(unit.statement), holder.nid))
            held = [self.flow.readers(binding) or () for binding in self.flow.seen_by(holder.nid)]
            found += [each for readers in held for each in readers if each > start or self._is_inside(each)]
        return (each for each in found if each not in self.shaped)

    def _is_inside(self, read: int) -> bool:
        """Whether a function or a class that is defined there reads it, at any time."""
        unit = self.units.get(read)
        return unit is not None and isinstance(unit.statement, (DefStmt, ClassStmt))

    def bound_by(self, unit: Unit) -> Iterator[int]:
        """The numbers of the names that are bound."""
        if isinstance(unit.statement, DefStmt):
            yield self.program.codes[unit.statement.index].nid
        elif isinstance(unit.statement, ClassStmt):
            yield self.program.classes[unit.statement.index].nid
        for target in unit.targets:
            yield from (part.nid for part in parts(target) if isinstance(part, NameExpr))
        yield from (each.target.nid for each in self.nodes(*unit.value) if isinstance(each, WalrusExpr))


def is_made_of(code: Code, program: Program, first: int, second: int) -> bool:
    """Whether a call is given what is computed of what another one gives, for certain: by variables that hold
    this alone, and no collection or object in which something else may be read."""
    flows = flows_of(code, program)
    last = flows.units.get(second)
    calls = flows.nodes(*last.value) if last is not None and first in flows.units else ()
    given = [each for each in calls if isinstance(each, CallExpr) and each.nid == second]
    if not given:
        return False
    operands = {
        nid
        for each in (*given[0].args, *given[0].keywords)
        for nid in _whole_in(getattr(each, "value", each))
    }
    stack, seen = [first], set[int]()
    while stack:
        number = stack.pop()
        unit = flows.units.get(number)
        if number in operands:
            return True
        if (
            unit is None
            or id(unit) in seen
            or number not in {nid for each in unit.value for nid in _whole_in(each)}
        ):
            continue
        if isinstance(unit.statement, AssignStmt) and all(
            isinstance(each, NameExpr) for each in unit.targets
        ):
            seen.add(id(unit))
            stack += flows.readers(unit)
    return False


def _whole_in(node: Node) -> Iterator[int]:
    """The numbers of the variables and calls of which an expression computes something, and takes no part."""
    if isinstance(node, (NameExpr, CallExpr)):
        yield node.nid
    inner: Iterable[Node] = ()
    if isinstance(node, (BinaryExpr, UnaryExpr, CompareExpr)):
        inner = children(node)
    elif isinstance(node, SubscriptExpr):
        inner = (node.index, *([node.value] if isinstance(node.index, SliceExpr) else []))
    elif isinstance(node, CallExpr):
        if not ARRAYS.isdisjoint(dotted(node.func).split(".")[:-1]):
            given = (*node.args, *(each.value for each in node.keywords))
            inner = (part for each in given for part in _arrays_in(each))
        elif isinstance(node.func, AttrExpr) and node.func.name in OF_ARRAYS:
            inner = (node.func.value,)
    for each in inner:
        yield from _whole_in(each)


def _arrays_in(node: Node) -> Iterable[Node]:
    """An array that is given, or those of a tuple or a list that is written there."""
    return node.items if isinstance(node, (TupleExpr, ListExpr)) else (node,)


def _imported_by(statement: Stmt) -> Iterator[tuple[int, str]]:
    """The names that an import binds, with their numbers."""
    if isinstance(statement, ImportStmt):
        yield from ((nid, alias or module.partition(".")[0]) for nid, module, alias in statement.items)
    elif isinstance(statement, FromStmt):
        yield from ((nid, bound) for nid, _, bound in statement.items or ())


@lru_cache(maxsize=8)
def flows_of(code: Code, program: Program) -> Flows:
    return Flows(code, program)


def _units_of(statement: Stmt) -> Iterator[Unit]:
    """A statement, and those in its blocks; each assignment of several that are written in a row."""
    for each in statements((statement,)):
        if isinstance(each, WithStmt):
            for entered, bound in each.items:
                yield Unit(each, () if bound is None else (bound,), (entered,))
        elif isinstance(each, (AssignStmt, ForStmt)):
            targets = each.targets if isinstance(each, AssignStmt) else (each.target,)
            value = each.value if isinstance(each, AssignStmt) else each.iterable
            pairs = [*pairs_of(targets[0], value)] if len(targets) == 1 else []
            if len(pairs) > 1 and not any(isinstance(part, StarExpr) for pair in pairs for part in pair):
                for target, given in pairs:
                    yield Unit(each, (target,), (*_held(target), *(() if _counts(given) else (given,))))
            else:
                yield Unit(each, targets, (value, *(held for target in targets for held in _held(target))))
        elif isinstance(each, AugmentedStmt):
            yield Unit(each, (each.target,), (each.value, each.read))
        else:
            targets = (each.target,) if isinstance(each, AnnotatedStmt) else ()
            yield Unit(each, targets, read_by(each))


def _held(target: Expr) -> Iterator[Expr]:
    """What an assignment reads of its target."""
    return (part for part in parts(target) if not isinstance(part, NameExpr))


def _counts(value: Expr) -> bool:
    return isinstance(value, CallExpr) and last_name(value.func) == "enumerate"


def put_into(unit: Unit) -> NameExpr | None:
    """The variable of the collection that a statement adds to; None where it is no such statement."""
    holders = [each.value for each in unit.targets if isinstance(each, (SubscriptExpr, AttrExpr))]
    value = unit.statement.value if isinstance(unit.statement, ExprStmt) else None
    if isinstance(value, CallExpr) and isinstance(value.func, AttrExpr) and value.func.name in ADDS:
        holders = [value.func.value]
    for holder in holders:
        while isinstance(holder, (SubscriptExpr, AttrExpr)):
            holder = holder.value
        if isinstance(holder, NameExpr):
            return holder
    return None
