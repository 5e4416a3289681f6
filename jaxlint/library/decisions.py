"""What Python's own functions decide by the truth of values, or of comparisons between them.

In: calls of `max`, `min`, `any`, `all`, `sorted` and `filter`, and of the methods of sequences that sort or
search. Out: their results, and a word on each value that is asked for its truth. Whether that value has one
is for the rules to say.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import TRACER_SEEN, Core
from jaxlint.analysis.events import Decision
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.calls import Calls
from jaxlint.domain.join import MutableContainer, Tuple, join_all, level_of, options_of
from jaxlint.domain.literals import element_dtype, widest
from jaxlint.domain.objects import Instance
from jaxlint.domain.questions import compares_fields
from jaxlint.domain.values import (
    ANY,
    BOOL,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Const,
    Product,
    Static,
    TracerPytree,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.comparisons import Comparisons
from jaxlint.evaluation.operators import SPECIAL_METHODS
from jaxlint.evaluation.results import ORDERING
from jaxlint.evaluation.selection import can_be_called
from jaxlint.library.containers import Containers

_MANY = 8  # items that are looked at one by one
_BUILTINS = frozenset(("sorted", "max", "min"))
_SEQUENCES = frozenset(("list", "deque"))
_SEARCHES = frozenset(("index", "count", "remove"))


class Decisions:
    """Sorts, searches and filters."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        attributes: Attributes,
        calls: Calls,
        containers: Containers,
        comparisons: Comparisons,
    ) -> None:
        self.comparisons = comparisons
        self.flow = flow
        self.core = core
        self.attributes = attributes
        self.calls = calls
        self.containers = containers

    def decide(self, nid: int, function: str, asked: Value | None, which: int | str) -> None:
        """Python asks this for its truth; `which` argument it comes from, or the receiver of a method."""
        if asked is not None and isinstance(asked, Array) and asked.level:
            self.core.emit("Decision", Decision(nid, self.flow.frame, function, asked, which))

    def b_callable(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        found = {can_be_called(each) for each in options_of(args[0])} if len(args) == 1 else {None}
        return Static("bool") if len(found) > 1 or None in found else Const(found == {True})

    # ---- orders

    def b_sorted(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        box = self.core.box("list", nid, "sorted")
        box.items = None
        box.elem = self.containers.iterate(args[0], nid) if args else UNKNOWN
        if args:
            self.put_in_order("sorted", args[0], keywords, nid, 0)
        return box

    def b_max(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self._extreme("max", args, keywords, nid)

    def b_min(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self._extreme("min", args, keywords, nid)

    def _extreme(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if args:
            self.put_in_order(name, args[0] if len(args) == 1 else Tuple(tuple(args)), keywords, nid, 0)
        values = [self.containers.iterate(args[0], nid)] if len(args) == 1 else args
        if len(args) > 1 and all(isinstance(each, Const) for each in args) and "key" not in keywords:
            return (
                ANY if element_dtype(args[0]) == "?" else Static("int" if widest(args) in "bi" else "float")
            )
        return join_all(values) if values else UNKNOWN

    def put_in_order(
        self, function: str, values: Value, keywords: dict[str, Value], nid: int, which: int | str
    ) -> None:
        """Compares what is put in order, or what the key gives for it. Where no key is given to a builtin,
        rules see for themselves that an argument holds arrays."""
        items = self.containers.exact_items(values)
        if items is not None and len(items) < 2:
            return
        apart = items is None or len(items) > _MANY
        if items is None or apart:
            items = (self.containers.iterate(values, nid), self.containers.iterate(values, nid))
        key = keywords.get("key", NONE)
        keys = items if key == NONE else [self.calls.call(key, [item], {}, nid) for item in items]
        array: Value | None = next((each for each in keys if isinstance(each, Array) and each.level), None)
        told = key != NONE or which == "func" or function not in _BUILTINS
        if array is None and (told or isinstance(keys[0], (Tuple, MutableContainer, Instance))):
            array, told = self._order(keys[1], keys[0], nid, apart), True
        if told:
            self.decide(nid, function, array, which)

    def _order(self, a: Value, b: Value, nid: int, apart: bool) -> Value | None:
        """What decides which of two values is first; None where that is not known. `apart`: what is in one
        is not in the other, though it looks the same."""
        rows = self.rows(a, b, "<")
        if rows is None:
            is_row = isinstance(a, (Tuple, MutableContainer)) and isinstance(b, (Tuple, MutableContainer))
            return None if is_row else self.comparisons.compare("<", a, b, nid)
        for x, y in zip(*rows, strict=False):
            if x is y and not apart and isinstance(x, (Array, TracerPytree)):
                return None  # an object is equal to itself, whatever its comparison gives
            equal = self.comparisons.compare("==", x, y, nid)
            if self.calls.truth(equal) is False:
                return self.comparisons.compare("<", x, y, nid)
            if self.calls.truth(equal) is None:
                return equal
        return None

    def differing(self, a: Value, b: Value, nid: int, operator: str) -> Value | None:
        """The first comparison that is not true of the items, entries or fields that Python compares one by
        one when it compares two objects; None where there is none, or that is not known."""
        rows = self.rows(a, b, operator)
        return None if rows is None else self._first_differing(*rows, nid)

    def _first_differing(self, first: Sequence[Value], second: Sequence[Value], nid: int) -> Value | None:
        for x, y in zip(first, second, strict=False):
            if x is y and isinstance(x, (Array, TracerPytree)):
                continue  # an object is equal to itself, whatever its comparison gives
            if isinstance(x, TracerPytree) and isinstance(y, (Array, TracerPytree)):
                continue  # it may be one object; where it is not, the answer is asked for right here
            if isinstance(x, Array) and isinstance(y, TracerPytree):
                continue
            equal = self.comparisons.compare("==", x, y, nid)
            if self.calls.truth(equal) is not True:
                return equal
        return None

    def rows(self, a: Value, b: Value, operator: str) -> tuple[Sequence[Value], Sequence[Value]] | None:
        """What Python compares one by one of two objects: the items of lists and tuples, the entries of
        dicts, the fields of dataclasses. None where it does not, or they are not known."""
        in_order = operator in ORDERING
        if isinstance(a, Instance) and isinstance(b, Instance):
            return self._fields_of(a, b, in_order)
        if isinstance(a, Tuple) and isinstance(b, Tuple):
            own = f"__{SPECIAL_METHODS[operator]}__"
            if any(each.cls is not None and each.cls.lookup(own) is not None for each in (a, b)):
                return None
            first: Sequence[Value] | None = a.items
            second: Sequence[Value] | None = b.items
        elif isinstance(a, MutableContainer) and isinstance(b, MutableContainer) and a.kind == b.kind:
            if a.kind == "dict":
                is_known = a.elem is b.elem is None and not (in_order or a.is_open or b.is_open)
                if not is_known or a.entries.keys() != b.entries.keys():
                    return None
                return [*a.entries.values()], [b.entries[each] for each in a.entries]
            first, second = (a.items, b.items) if a.kind in _SEQUENCES else (None, None)
        else:
            return None
        if first is None or second is None or (len(first) != len(second) and not in_order):
            return None
        return first, second

    def _fields_of(
        self, a: Instance, b: Instance, in_order: bool
    ) -> tuple[Sequence[Value], Sequence[Value]] | None:
        """The fields that the comparison compares which a decorator has made for the class of two objects."""
        if a.cls is not b.cls or a.is_open or b.is_open:
            return None
        cls = compares_fields(a.cls, in_order)
        names = [] if cls is None else [name for name in cls.all_fields() if name not in cls.unhashed]
        found = [[self.attributes.of_instance(each, name) for name in names] for each in (a, b)]
        return (found[0], found[1]) if names else None

    # ---- truth

    def b_any(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self._noted(self._decided(args, True, nid), nid)

    def b_all(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self._noted(self._decided(args, False, nid), nid)

    def _noted(self, answer: Value, nid: int) -> Value:
        """The answer to a question is kept by its place, so that a test knows whether it is certain."""
        self.flow.subjects[nid] = answer
        return answer

    def _decided(self, args: list[Value], by: bool, nid: int) -> Value:
        """What one element of this truth decides, and else all together."""
        items = self.containers.exact_items(args[0]) if args else None
        if items is not None:
            truths = [self.calls.truth(self.attributes.asked(item, nid)) for item in items]
            if by in truths:
                return Const(by)
            if None not in truths:
                return Const(not by)
            return BOOL
        each: Value = NONE
        if args and isinstance(args[0], Product) and args[0].kind == "iterator":
            each = args[0].parts[0]
            if self.calls.truth(each) is (not by):  # each of them, however many there are
                return Const(not by)
        elif args and isinstance(args[0], MutableContainer):
            each = args[0].each()
        self.presume(self.calls.truth(each), by, nid)
        return BOOL

    def presume(self, truth: bool | None, by: bool, nid: int) -> None:
        """Of values of which each is a tracer there is one: that none decides is not certain to happen."""
        self.flow.env.vars.pop(("tracer", nid), None)
        if truth is by and TRACER_SEEN in self.flow.env.vars:
            self.flow.env.vars["tracer", nid] = Const(by)

    def b_filter(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) != 2:
            return UNKNOWN
        return self.chosen("filter", args[0], args[1], nid, True)

    def chosen(self, function: str, predicate: Value, values: Value, nid: int, kept: bool | None) -> Value:
        """The items for which a predicate has the truth `kept`; None: up to, or from, the first of some
        truth."""
        items = self.containers.exact_items(values)
        each = self.containers.iterate(values, nid)
        rows: Sequence[Value] = items if items is not None and len(items) <= _MANY else (each,)
        answers = [
            self.attributes.asked(
                row if predicate == NONE else self.calls.call(predicate, [row], {}, nid), nid
            )
            for row in rows
        ]
        if answers:
            self.decide(nid, function, answers[0], 1 if predicate == NONE else 0)
        truths = [self.calls.truth(answer) for answer in answers]
        known = rows is items and None not in truths and kept is not None
        left = tuple(row for row, truth in zip(rows, truths, strict=True) if truth is kept)
        return Product("iterator", each, left if known else None)

    # ---- searches

    def box_method(
        self, name: str, box: MutableContainer, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "sort":
            self.put_in_order("sort", box, keywords, nid, "func")
        elif name in _SEARCHES and args and box.kind == "list":
            self.decide(nid, name, self.sought(args[0], box, nid), "func")
        return self.containers.container_method(name, box, args, keywords, nid)

    def tuple_search(self, name: str, owner: Tuple, args: list[Value], nid: int) -> Value:
        if args:
            self.decide(nid, name, self.sought(args[0], owner, nid), "func")
        return INT

    def sought(self, item: Value, sequence: Tuple | MutableContainer, nid: int) -> Value | None:
        """The first comparison that a search in a list or tuple comes to whose truth is not known. An array
        may be the very object that is looked for, which Python sees without comparing."""
        items = sequence.items
        if items is None:
            items = () if sequence.elem is None else (sequence.elem,)
        for each in items:
            if isinstance(item, (Array, TracerPytree)) and isinstance(each, (Array, TracerPytree)):
                is_compared = sequence.items and isinstance(item, Array) and isinstance(each, Array)
                if each is item or not is_compared:
                    return None
            equal = self.comparisons.compare("==", item, each, nid)
            truth = self.calls.truth(equal)
            if truth is not False:
                return equal if truth is None and level_of(equal) else None
        return None
