"""What the functions of `itertools` and `operator` give back, and those of `heapq` and `bisect`.

In: the arguments' values. Out: the result's, and a word on counts and truths that Python asks for.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.calls import Calls
from jaxlint.calling.control_primitives import Call
from jaxlint.domain.values import (
    UNKNOWN,
    Const,
    External,
    Product,
    Tuple,
    Value,
    join_all,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.operators import Operators
from jaxlint.library.containers import Containers
from jaxlint.library.decisions import Decisions

_MOST = 8  # items that are told apart
_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "iand": "&", "ior": "|", "concat": "+",
}  # fmt: skip
_COMPARISONS = {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "is_": "is", "is_not": "is not",
}  # fmt: skip
OPERATORS = (*_BINARY, *_COMPARISONS, "neg", "pos", "getitem", "itemgetter", "attrgetter", "contains")


class Iterators:
    """Calls of the standard library's functions on iterables."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        operators: Operators,
        attributes: Attributes,
        calls: Calls,
        containers: Containers,
        decisions: Decisions,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.operators = operators
        self.attributes = attributes
        self.calls = calls
        self.containers = containers
        self.decisions = decisions

    # ---- operator

    def f_operator(self, call: Call) -> Value:
        name, args = call.name.rpartition(".")[2], call.args
        if name in ("itemgetter", "attrgetter"):
            return Product("getter", name, *args) if len(args) == 1 and call.exact else UNKNOWN
        if name in ("neg", "pos"):
            return self.operators.binary("-", Const(0), args[0], call.nid) if len(args) == 1 else UNKNOWN
        if len(args) != 2:
            return UNKNOWN
        if name == "getitem":
            return self.containers.subscript(args[0], args[1], call.nid)
        if name == "contains":
            return self.operators.compare("in", args[1], args[0], call.nid)
        if name in _COMPARISONS:
            return self.operators.compare(_COMPARISONS[name], args[0], args[1], call.nid)
        return self.operators.operate(_BINARY[name], args[0], args[1], call.nid)

    def got(self, getter: Product, owner: Value, nid: int) -> Value:
        """What `itemgetter(...)` or `attrgetter(...)` gives of an object."""
        name, which = getter.parts
        if name == "itemgetter":
            return self.containers.subscript(owner, which, nid)
        if not isinstance(which, Const) or not isinstance(which.value, str):
            return UNKNOWN
        for part in which.value.split("."):
            owner = self.attributes.attribute(owner, part, nid)
        return owner

    # ---- heapq, bisect, statistics

    def f_order(self, call: Call) -> Value:
        """Puts what it is given in order, or finds a place in an order."""
        name, args = call.name.rpartition(".")[2], call.args
        at = 1 if name in ("nlargest", "nsmallest") else 0
        if len(args) <= at or not call.exact:
            self.calls.escape(args, call.keywords)
            return UNKNOWN
        if call.name.startswith("bisect.") and len(args) > 1 and "key" not in call.keywords:
            element = self.containers.iterate(args[0], call.nid)
            self.decisions.decide(
                call.nid, call.name, self.operators.compare("<", element, args[1], call.nid), 0
            )
        elif not call.name.startswith("bisect."):
            self.decisions.put_in_order(call.name, args[at], call.keywords, call.nid, at)
        if at:
            self.operators.count(call.nid, call.name, args[0])
            box = self.core.box("list", call.nid, name)
            box.items, box.elem = None, self.containers.iterate(args[1], call.nid)
            return box
        self.calls.escape(args, call.keywords)
        return UNKNOWN

    # ---- itertools

    def f_chain(self, call: Call) -> Value:
        parts = [self.expressions.known_items(each) for each in call.args]
        known = tuple(item for part in parts for item in part or ())
        exact = call.exact and None not in parts and len(known) <= _MOST
        rows = [each.parts[0] if _is_rest(each) else each for each in call.args]  # type: ignore[attr-defined]
        return Product("iterator", self._flat(rows, call.nid), known if exact else None)

    def f_flat(self, call: Call) -> Value:
        rows = [self.containers.iterate(call.args[0], call.nid)] if call.args else []
        return Product("iterator", self._flat(rows, call.nid), None)

    def _flat(self, rows: Sequence[Value], nid: int) -> Value:
        return join_all(self.containers.iterate(row, nid) for row in rows)

    def f_islice(self, call: Call) -> Value:
        if len(call.args) < 2 or not call.exact:
            return UNKNOWN
        source, bounds = call.args[0], call.args[1:]
        for position, bound in enumerate(bounds, 1):
            self.operators.count(call.nid, call.name, bound, position)
        items = self.expressions.known_items(
            source
        )  # of an iterator it takes what is left, which is not known
        found = [bound.value for bound in bounds if isinstance(bound, Const)]
        left = None
        if items is not None and len(found) == len(bounds):
            if all(each is None or (isinstance(each, int) and each >= 0) for each in found):
                left = items[slice(*found)]
        return Product("iterator", self.containers.iterate(source, call.nid), left)

    def f_repeat(self, call: Call) -> Value:
        value, times = call.get(0, "object"), call.get(1, "times")
        self.operators.count(call.nid, call.name, times, 1 if len(call.args) > 1 else "times")
        if value is None:
            return UNKNOWN
        few = isinstance(times, Const) and isinstance(times.value, int) and 0 <= times.value <= _MOST
        return Product("iterator", value, (value,) * times.value if few else None)  # type: ignore[union-attr]

    def f_accumulate(self, call: Call) -> Value:
        if not call.args:
            return UNKNOWN
        func = call.get(1, "func") or External("operator.add")
        start = call.keywords.get("initial", self.containers.iterate(call.args[0], call.nid))
        first = self.calls.call(func, [start, self.containers.iterate(call.args[0], call.nid)], {}, call.nid)
        second = self.calls.call(func, [first, self.containers.iterate(call.args[0], call.nid)], {}, call.nid)
        return Product("iterator", join_all((start, first, second)), None)

    def f_combined(self, call: Call) -> Value:
        """Tuples of items, in all orders that there are."""
        name = call.name.rpartition(".")[2]
        if name in ("product", "zip_longest"):
            self.operators.count(call.nid, call.name, call.keywords.get("repeat"), "repeat")
            if call.keywords or not call.exact:
                return Product("iterator", Tuple(None, UNKNOWN), None)
            return Product(
                "iterator", Tuple(tuple(self.containers.iterate(each, call.nid) for each in call.args)), None
            )
        if not call.args:
            return UNKNOWN
        size = Const(2) if name == "pairwise" else call.get(1, "r")
        if name != "pairwise":
            self.operators.count(call.nid, call.name, size, 1 if len(call.args) > 1 else "r")
        if not isinstance(size, Const) or not isinstance(size.value, int) or size.value > _MOST:
            return Product("iterator", Tuple(None, self.containers.iterate(call.args[0], call.nid)), None)
        found = tuple(self.containers.iterate(call.args[0], call.nid) for _ in range(size.value))
        return Product("iterator", Tuple(found), None)

    def f_chosen(self, call: Call) -> Value:
        """Items by the truth of what a function gives for them, or of other items."""
        if len(call.args) != 2:
            return UNKNOWN
        name = call.name.rpartition(".")[2]
        if name == "compress":
            answers = self.containers.exact_items(call.args[1]) or (
                self.containers.iterate(call.args[1], call.nid),
            )
            self.decisions.decide(call.nid, call.name, answers[0], 1)
            return Product("iterator", self.containers.iterate(call.args[0], call.nid), None)
        kept = False if name == "filterfalse" else None
        return self.decisions.chosen(call.name, call.args[0], call.args[1], call.nid, kept)

    def f_starmap(self, call: Call) -> Value:
        if len(call.args) != 2:
            return UNKNOWN
        self.flow.frame.loop += 1
        for _ in range(2):
            row = self.containers.iterate(call.args[1], call.nid)
            items = self.expressions.known_items(row)
            args = items if items is not None else (Product("rest", self.containers.iterate(row, call.nid)),)
            result = self.calls.call(call.args[0], list(args), {}, call.nid, items is not None)
        self.flow.frame.loop -= 1
        return Product("iterator", result, None)

    def f_tee(self, call: Call) -> Value:
        if len(call.args) != 1 or call.keywords:
            return UNKNOWN
        items = self.containers.exact_items(call.args[0])
        each = Product("iterator", self.containers.iterate(call.args[0], call.nid), items)
        return Tuple((each, each))


def _is_rest(value: Value) -> bool:
    return isinstance(value, Product) and value.kind == "rest"


_COMBINING = "combinations combinations_with_replacement pairwise permutations product zip_longest".split()
HANDLERS: dict[str, str] = {
    "itertools.chain.from_iterable": "f_flat",
    **{f"heapq.{name}": "f_order" for name in ("heapify", "nlargest", "nsmallest")},
    **{f"bisect.bisect{name}": "f_order" for name in ("", "_left", "_right")},
    "statistics.median": "f_order",
    **{f"operator.{name}": "f_operator" for name in OPERATORS},
    **{f"itertools.{name}": f"f_{name}" for name in "accumulate chain islice repeat starmap tee".split()},
    **{f"itertools.{name}": "f_chosen" for name in "compress dropwhile filterfalse takewhile".split()},
    **{f"itertools.{name}": "f_combined" for name in _COMBINING},
}
