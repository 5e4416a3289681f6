"""What is read of a variable, an attribute or an item after a call, before it gets another value.

In: the lowered code of a function, and the number of a call in it. Out: the numbers of the reads. It refuses
to know what the call does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from jaxlint.calling.donated.copies import OF_OBJECT, carries, items_of, path_to, place_of, replaced_of
from jaxlint.evaluation.attribute_names import METADATA
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.def_use import DefUse, State
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import NONE as NOTHING
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    Clause,
    CompareExpr,
    DeleteStmt,
    Expr,
    ForStmt,
    ListExpr,
    NameExpr,
    Node,
    SliceExpr,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TryStmt,
    TupleExpr,
    WithStmt,
    YieldFromExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import (
    builtin_called,
    calls_of,
    children,
    has_call,
    last_name,
    nodes_of,
    number_of,
    walk,
)

_PLACES: Final = (NameExpr, AttrExpr, SubscriptExpr)
# what does not look at what an array holds
_OF_ARRAY = frozenset("is_deleted is_ready delete committed".split()) | METADATA
_STAGES = frozenset(("lower", "eval_shape"))  # of a compiled function: nothing is run
_OF_KEYS = frozenset("list sorted set tuple iter enumerate frozenset".split())
_ERRORS = frozenset("RuntimeError ValueError Exception BaseException JaxRuntimeError XlaRuntimeError".split())
_EXPECTS = frozenset("raises assertRaises assertRaisesRegex suppress".split())
# what goes through an iterator that it is given
_RUNS = frozenset("all any deque dict frozenset list max min next set sorted sum tuple".split())
_CALL: Final = -1  # stands for the binding that the call is
_OTHER: Final = -2  # and for what may give a part of a variable another value
_PUT: Final = -3  # in a collection: what is donated
_EMPTY: Final = -4
_FAR: Final = 4  # from the end of a list
_GONE: Final = -10  # the last item of it is donated; one less: the one before the last
_TAKES = frozenset("clear pop popleft popitem remove discard".split())
_LOOKS = frozenset("items keys values get copy index count".split())  # of a collection: they leave it


class ReadsAfter(DefUse):
    """The call counts as a binding of the variable, so that the reads it reaches are those after it; or the
    target, by its number, that the statement of the call sets to what the call was given. An attribute or an
    item of a variable is one by itself, which gets another value with the variable as well, and by what is
    called with it."""

    def __init__(self, code: Code, program: Program, call: int, name: str, target: int | None = None) -> None:
        self._call = call if target is None else None
        self._swapped = target
        self._is_carried = False  # the statement gives a record again, with the part that it has
        self._name = name
        self._root = re.split(r"[.[]", name)[0]
        super().__init__(code, program)

    def after(self) -> tuple[int, ...] | None:
        """The reads that may see what was there when the call was made; None where that is not known."""
        return self.readers(_CALL)

    def _expression(self, node: Node, state: State, hidden: frozenset[str] = frozenset()) -> None:
        is_part = self._root != self._name and self._root not in hidden
        number = number_of(node)
        if is_part and number is not None and place_of(node) == self._name:
            self._read(self._name, number, state)
        super()._expression(node, state, hidden)
        if not isinstance(node, CallExpr):
            return
        if node.nid == self._call and self._name not in hidden:
            self._bind(self._name, _CALL, state)
        elif is_part and self._may_change(node):
            self._bind(self._name, node.nid, state)

    def _statement(self, statement: Stmt, state: State) -> State | None:
        self._is_carried = carries(statement, self._name)
        return super()._statement(statement, state)

    def _may_change(self, node: CallExpr) -> bool:
        """Whether what has the part is called, or is an argument."""
        if self._root == replaced_of(node):
            return False
        receiver = node.func.value if isinstance(node.func, AttrExpr) else None
        given = (receiver, *node.args, *(each.value for each in node.keywords))
        return any(each is not None and self._has_part(each) for each in given)

    def _has_part(self, node: Node) -> bool:
        owner = place_of(node)
        return bool(owner) and self._name.startswith((f"{owner}.", f"{owner}["))

    def _target(self, target: Expr, state: State) -> None:
        for each in parts(target):
            if not isinstance(each, NameExpr) and place_of(each) == self._name:
                self._expressions(children(each), state)
                self._bind(self._name, number_of(each) or _OTHER, state)
            else:
                super()._target(each, state)
            if self._swapped is not None and number_of(each) == self._swapped:
                self._bind(self._name, _CALL, state)
            if place_of(each) == self._name:
                continue
            owner = each.value if isinstance(each, SubscriptExpr) and not place_of(each) else each
            if self._has_part(owner) and not self._is_carried:
                self._bind(self._name, _OTHER, state)

    def _where_raised(self, state: State) -> State:
        return {name: bindings - {_CALL} for name, bindings in state.items()}


class LaterRead(NamedTuple):
    """A read of a variable: its number, and the attribute that is read of its value. is_of_call: it is in the
    text of the call, so that it comes with another turn of a loop. of_keys: of a dict it reads no item."""

    nid: int
    attribute: str
    is_of_call: bool
    of_keys: bool


class HolderReads(ReadsAfter):
    """The same of a collection that a function puts what it donates into: one that has it when the call is
    made. It is another one where something is done to it but to append. Of a list it is known how far from
    its end the last one is that was donated.

    donated: the variable, or the attribute or item; the collection itself, if what it holds when the call is
    made is donated. most: how many items it keeps at most.
    """

    def __init__(
        self, code: Code, program: Program, call: int, name: str, donated: str, most: int | None
    ) -> None:
        self._donated, self._most = donated, most
        self._has, self._last, self._gone = (f"{name} {each}" for each in ("has", "last", "gone"))
        super().__init__(code, program, call, name)

    def is_gone(self, read: int, place: int) -> bool:
        """Whether what a read finds so far from the end (-1: the last) is certainly what was donated."""
        seen = [each for each in range(_GONE - _FAR, _GONE + 1) if read in self.reads.get(each, ())]
        return seen == [_GONE + place + 1]

    def _bind(self, name: str, nid: int, state: State, is_certain: bool = True) -> None:
        super()._bind(name, nid, state, is_certain)
        if name == self._name and nid != _CALL:
            for each in (self._has, self._gone):
                state.pop(each, None)
            state[self._last] = frozenset((_OTHER,))
        elif name == self._donated:
            self._replace(state)

    def _replace(self, state: State) -> None:
        """What is donated has another value now than the last item."""
        if _PUT in state.get(self._last, ()):
            state[self._last] = frozenset((_OTHER,))

    def _read(self, name: str, nid: int, state: Mapping[str, frozenset[int]]) -> None:
        super()._read(name, nid, state)
        if name == self._name:
            super()._read(self._gone, nid, state)

    def _expression(self, node: Node, state: State, hidden: frozenset[str] = frozenset()) -> None:
        if not isinstance(node, CallExpr):
            super()._expression(node, state, hidden)
            return
        is_call = node.nid == self._call and self._name not in hidden
        super()._expression(node, state, hidden)
        root = re.split(r"[.[]", self._donated)[0]
        given = (node.func.value if isinstance(node.func, AttrExpr) else None, *node.args)
        if is_call:
            self._donate(state)
        elif isinstance(node.func, AttrExpr) and place_of(node.func.value) == self._name:
            self._change(node, node.func.name, state)
        elif root != self._donated and any(each is not None and place_of(each) == root for each in given):
            self._replace(state)

    def _donate(self, state: State) -> None:
        """The call: what the collection has of what is donated is deleted."""
        if not state.get(self._has) and self._donated != self._name:
            state[self._name] -= {_CALL}
        last = state.get(self._last, frozenset())
        if _PUT in last and last <= {_PUT, _EMPTY}:
            state[self._gone] = frozenset((_GONE,))

    def _change(self, node: CallExpr, method: str, state: State) -> None:
        """A method of the collection is called."""
        if method == "append" and len(node.args) == 1:
            self._append(node, node.args, state)
        elif method == "extend":
            items = (
                node.args[0].items if node.args and isinstance(node.args[0], (ListExpr, TupleExpr)) else ()
            )
            self._append(node, items or node.args, state)
        elif method not in _LOOKS:
            has = state.get(self._has, frozenset())
            self._bind(self._name, node.nid, state)
            if method not in _TAKES:
                state[self._has] = has

    def _append(self, node: CallExpr | AugmentedStmt, items: Sequence[Expr], state: State) -> None:
        for item in items:
            if self._most is not None and self._most < 2:
                self._bind(self._name, node.nid, state)
            self._put(item, state)
            gone = state.get(self._gone, frozenset())
            state[self._gone] = frozenset(each - 1 for each in gone if each > _GONE - _FAR)

    def _put(self, item: Expr, state: State) -> None:
        is_donated = path_to(item, self._donated) is not None
        state[self._last] = frozenset((_PUT if is_donated else _OTHER,))
        if is_donated:
            state[self._has] = frozenset((_PUT,))

    def _target(self, target: Expr, state: State) -> None:
        super()._target(target, state)
        for each in parts(target):
            place = place_of(each)
            if place and (place == self._donated or self._donated.startswith((f"{place}.", f"{place}["))):
                self._replace(state)
            if isinstance(each, SubscriptExpr) and place_of(each.value) == self._name:
                has = state.get(self._has, frozenset())
                self._bind(self._name, each.nid, state)
                if not isinstance(each.index, SliceExpr):
                    state[self._has] = has

    def _statement(self, statement: Stmt, state: State) -> State | None:
        if isinstance(statement, AugmentedStmt) and place_of(statement.target) == self._name:
            self._expressions((statement.value, statement.read), state)
            value = statement.value
            items = value.items if isinstance(value, (ListExpr, TupleExpr)) else (value,)
            self._append(statement, items, state)
            return state
        after = super()._statement(statement, state)
        if after is None:
            return None
        if isinstance(statement, DeleteStmt):
            for each in statement.targets:
                if isinstance(each, SubscriptExpr) and place_of(each.value) == self._name:
                    self._bind(self._name, each.nid, after)
        elif isinstance(statement, (AssignStmt, AnnotatedStmt)):
            for target, value in assigned((statement,)):
                self._begin(target, value, after)
        return after

    def _begin(self, target: Expr, value: Expr, state: State) -> None:
        """The collection, or an item of it, is set to a value."""
        if place_of(target) == self._name:
            written = [*items_of(value)]
            for item in written:
                self._put(item, state)
            if not written:
                state[self._last] = frozenset((_EMPTY,))
        elif isinstance(target, SubscriptExpr) and place_of(target.value) == self._name:
            if path_to(value, self._donated) is not None:
                state[self._has] = frozenset((_PUT,))

    def _where_raised(self, state: State) -> State:
        return super()._where_raised({name: each for name, each in state.items() if name != self._gone})


def later_reads(
    code: Code, program: Program, call: int, name: str, target: int | None = None
) -> list[LaterRead]:
    """The reads that look at what a variable held when a call was made, before it gets another value: in the
    order of the text, those in the text of the call last. With a target those of what this is set to by the
    statement of the call.

    Those of functions inside, whose time is not known, of handlers, which may run before the call, those
    that want a shape or a type only, and those where an error is expected are left out.
    """
    found = set(ReadsAfter(code, program, call, name, target).after() or ())
    if not found:
        return []
    found -= shape_reads(code, program)
    wanted: dict[int, str] = {}
    inside: set[int] = set()
    keys: set[int] = set()
    for node in nodes_of(code.body):
        keys.update(_keys_read(node, code))
        if isinstance(node, AttrExpr) and node.name in _OF_ARRAY:  # also of an item
            found.difference_update(number_of(each) or 0 for each in walk(node.value))
        found.difference_update(
            each.nid for each in walk(*_expecting(node, call)) if isinstance(each, _PLACES)
        )
        if isinstance(node, CallExpr) and node.nid == call:
            inside = {each.nid for each in walk(node) if isinstance(each, _PLACES)}
        for handler in node.handlers if isinstance(node, TryStmt) else ():
            found.difference_update(each.nid for each in nodes_of(handler.body) if isinstance(each, _PLACES))
        for part in _looked_at(node, code):
            wanted.setdefault(part.nid, node.name if isinstance(node, AttrExpr) else "")
    reads = [LaterRead(nid, wanted[nid], nid in inside, nid in keys) for nid in found if nid in wanted]
    reads.sort(key=lambda read: (read.is_of_call, read.nid < call, read.nid))
    return [each for each in reads if each.attribute not in _OF_ARRAY]


def given_by_generator(code: Code, call: int) -> frozenset[str] | None:
    """The variables that a `for` gives what a generator yields, by the number of the call that makes the
    generator: each has another value before anything is read of it. None of what is run by something else;
    None where it is not seen to be run."""
    for node in nodes_of(code.body):
        if isinstance(node, ForStmt) and has_call((node.iterable,), call):
            return frozenset([each.name for each in parts(node.target) if isinstance(each, NameExpr)])
        run: Sequence[Expr] = ()
        if isinstance(node, CallExpr) and builtin_called(node, code) in _RUNS:
            run = node.args
        elif isinstance(node, Clause):
            run = (node.iterable,)
        elif isinstance(node, (StarExpr, YieldFromExpr)):
            run = (node.value,)
        if has_call(run, call):
            return frozenset()
    return None


def _looked_at(node: Node, code: Code) -> list[NameExpr | AttrExpr | SubscriptExpr]:
    """The variables, attributes and items whose value an expression or a statement looks at itself."""
    is_none = isinstance(node, CompareExpr) and all(right == NOTHING for _, right in node.rest)
    is_same = isinstance(node, CompareExpr) and all(operator in ("is", "is not") for operator, _ in node.rest)
    of_object = builtin_called(node, code) in OF_OBJECT
    of_object |= isinstance(node, CallExpr) and last_name(node.func) in _STAGES
    if is_none or is_same or of_object or isinstance(node, DeleteStmt):
        return []
    return [each for each in children(node) if isinstance(each, _PLACES)]


def _keys_read(node: Node, code: Code) -> Iterator[int]:
    """The reads of variables there that see the keys of a dict, and none of its items."""
    read: Sequence[Expr] = ()
    if isinstance(node, CompareExpr):
        read = [right for operator, right in node.rest if operator in ("in", "not in")]
    elif isinstance(node, CallExpr) and builtin_called(node, code) in _OF_KEYS:
        read = node.args[:1]
    elif isinstance(node, (ForStmt, Clause)):
        read = (node.iterable,)
    return (each.nid for each in read if isinstance(each, _PLACES))


def _expecting(node: Node, call: int) -> Sequence[Node]:
    """The statements of which an error is expected: what a handler goes on after, where the call comes before
    them, and tests of errors."""
    if isinstance(node, TryStmt):
        if any(each.nid == call for each in calls_of(node.body)):
            return ()
        caught = (walk(each.kind) if each.kind is not None else () for each in node.handlers)
        names = [{last_name(part) for part in parts} for parts in caught]
        return node.body if any(not each or each & _ERRORS for each in names) else ()
    if isinstance(node, WithStmt):
        entered = (each.func for each, _ in node.items if isinstance(each, CallExpr))
        return node.body if any(last_name(func) in _EXPECTS for func in entered) else ()
    return ()


def shape_reads(code: Code, program: Program) -> set[int]:
    """The reads that want a shape only."""
    reads = Liveness(code, program)
    return reads.shaped - reads.waited
