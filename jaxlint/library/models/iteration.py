"""itertools, heapq, bisect, operator and statistics."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.questions import is_rest
from jaxlint.domain.values import ALIKE, BOOL, INT, NONE, UNKNOWN, Const, External, Product, Value
from jaxlint.ir.nodes import OPAQUE
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_MOST = 8  # items that are told apart


_BINARY = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "matmul": "@", "and_": "&", "or_": "|", "xor": "^", "lshift": "<<", "rshift": ">>",
    "iadd": "+", "isub": "-", "imul": "*", "itruediv": "/", "iand": "&", "ior": "|", "concat": "+",
}  # fmt: skip


_COMPARISONS = {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "is_": "is", "is_not": "is not",
}  # fmt: skip


@model("itertools.count")
def count(call: Call, m: Parts) -> Value:
    return Product("stream", INT, m.flow.context.depth)


@model("itertools.cycle")
def cycle(call: Call, m: Parts) -> Value:
    each = m.containers.iterate(call.args[0], call.nid) if call.args else UNKNOWN
    return Product("stream", each, m.flow.context.depth)


@model("operator.setitem")
def set_item(call: Call, m: Parts) -> Value:
    if len(call.args) == 3:
        owner, index, value = call.args
        m.storing.store_item(owner, index, value, call.nid, "assign", "", OPAQUE)
    return NONE


@model("operator.index")
def operator_index(call: Call, m: Parts) -> Value:
    return INT


@model(
    "operator.add",
    "operator.sub",
    "operator.mul",
    "operator.truediv",
    "operator.floordiv",
    "operator.mod",
    "operator.pow",
    "operator.matmul",
    "operator.and_",
    "operator.or_",
    "operator.xor",
    "operator.lshift",
    "operator.rshift",
    "operator.iadd",
    "operator.isub",
    "operator.imul",
    "operator.itruediv",
    "operator.iand",
    "operator.ior",
    "operator.concat",
    "operator.lt",
    "operator.le",
    "operator.gt",
    "operator.ge",
    "operator.eq",
    "operator.ne",
    "operator.is_",
    "operator.is_not",
    "operator.neg",
    "operator.pos",
    "operator.getitem",
    "operator.itemgetter",
    "operator.attrgetter",
    "operator.contains",
    "operator.countOf",
    "operator.indexOf",
    "operator.not_",
    "operator.truth",
)
def operator(call: Call, m: Parts) -> Value:
    name, args = call.name.rpartition(".")[2], call.args
    if name in ("itemgetter", "attrgetter"):
        return Product("getter", name, *args) if len(args) == 1 and call.exact else UNKNOWN
    if name in ("neg", "pos"):
        return m.operators.binary("-", Const(0), args[0], call.nid) if len(args) == 1 else UNKNOWN
    if name in ("not_", "truth") and len(args) == 1:
        m.decisions.decide(call.nid, call.name, args[0], 0)
        truth = m.calls.truth(args[0])
        return BOOL if truth is None else Const(truth is (name == "truth"))
    if len(args) != 2:
        return UNKNOWN
    if name in ("countOf", "indexOf"):
        if isinstance(args[0], (Tuple, MutableContainer)):
            m.decisions.decide(call.nid, call.name, m.decisions.sought(args[1], args[0], call.nid), 1)
        return INT
    if name == "getitem":
        return m.containers.item(args[0], args[1], call.nid)
    if name == "contains":
        return m.comparisons.compare("in", args[1], args[0], call.nid)
    if name in _COMPARISONS:
        return m.comparisons.compare(_COMPARISONS[name], args[0], args[1], call.nid)
    return m.operators.operate(_BINARY[name], args[0], args[1], call.nid)


@model(
    "heapq.heapify",
    "heapq.nlargest",
    "heapq.nsmallest",
    "bisect.bisect",
    "bisect.bisect_left",
    "bisect.bisect_right",
    "bisect.insort",
    "bisect.insort_left",
    "bisect.insort_right",
    "statistics.median",
    "statistics.median_high",
    "statistics.median_low",
    "statistics.quantiles",
)
def order(call: Call, m: Parts) -> Value:
    """Puts what it is given in order, or finds a place in an order."""
    name, args = call.name.rpartition(".")[2], call.args
    at = 1 if name in ("nlargest", "nsmallest") else 0
    if len(args) <= at or not call.exact:
        m.calls.escape(args, call.keywords)
        return UNKNOWN
    if call.name.startswith("bisect.") and len(args) > 1 and "key" not in call.keywords:
        element = m.containers.iterate(args[0], call.nid)
        m.decisions.decide(call.nid, call.name, m.comparisons.compare("<", element, args[1], call.nid), 0)
    elif not call.name.startswith("bisect."):
        m.decisions.put_in_order(call.name, args[at], call.keywords, call.nid, at)
    if at:
        m.operators.count(call.nid, call.name, args[0])
        box = m.core.box("list", call.nid, name)
        box.items, box.elem = None, m.containers.iterate(args[1], call.nid)
        return box
    m.calls.escape(args, call.keywords)
    return UNKNOWN


@model("itertools.chain")
def chain(call: Call, m: Parts) -> Value:
    parts = [m.expressions.known_items(each) for each in call.args]
    known = tuple(item for part in parts for item in part or ())
    exact = call.exact and None not in parts and len(known) <= _MOST
    rows = [each.parts[0] if is_rest(each) else each for each in call.args]
    return Product("iterator", m.iterators.flat(rows, call.nid), known if exact else None)


@model("itertools.chain.from_iterable")
def flat(call: Call, m: Parts) -> Value:
    rows = [m.containers.iterate(call.args[0], call.nid)] if call.args else []
    return Product("iterator", m.iterators.flat(rows, call.nid), None)


@model("itertools.islice")
def islice(call: Call, m: Parts) -> Value:
    if len(call.args) < 2 or not call.exact:
        return UNKNOWN
    source, bounds = call.args[0], call.args[1:]
    for position, bound in enumerate(bounds, 1):
        m.operators.count(call.nid, call.name, bound, position)
    items = m.expressions.known_items(source)  # of an iterator it takes what is left, which is not known
    found = [bound.value for bound in bounds if isinstance(bound, Const)]
    left = None
    if items is not None and len(found) == len(bounds):
        if all(each is None or (isinstance(each, int) and each >= 0) for each in found):
            left = items[slice(*found)]
    return Product("iterator", m.containers.iterate(source, call.nid), left)


@model("itertools.repeat")
def repeat(call: Call, m: Parts) -> Value:
    value, times = call.get(0, "object"), call.get(1, "times")
    m.operators.count(call.nid, call.name, times, 1 if len(call.args) > 1 else "times")
    if value is None:
        return UNKNOWN
    few = isinstance(times, Const) and isinstance(times.value, int) and 0 <= times.value <= _MOST
    rows = (value,) * times.value if few else None  # type: ignore[union-attr]
    return Product("iterator", value, rows, ALIKE)


@model("itertools.accumulate")
def accumulate(call: Call, m: Parts) -> Value:
    if not call.args:
        return UNKNOWN
    func = call.get(1, "func") or External("operator.add")
    start = call.keywords.get("initial", m.containers.iterate(call.args[0], call.nid))
    first = m.calls.call(func, [start, m.containers.iterate(call.args[0], call.nid)], {}, call.nid)
    second = m.calls.call(func, [first, m.containers.iterate(call.args[0], call.nid)], {}, call.nid)
    return Product("iterator", join_all((start, first, second)), None)


@model(
    "itertools.combinations",
    "itertools.combinations_with_replacement",
    "itertools.pairwise",
    "itertools.permutations",
    "itertools.product",
    "itertools.zip_longest",
)
def combined(call: Call, m: Parts) -> Value:
    """Tuples of items, in all orders that there are."""
    name = call.name.rpartition(".")[2]
    if name in ("product", "zip_longest"):
        repeat = call.keywords.get("repeat", Const(1))
        m.operators.count(call.nid, call.name, call.keywords.get("repeat"), "repeat")
        few = isinstance(repeat, Const) and repeat.value in range(1, _MOST) and name == "product"
        if not call.exact or (call.keywords and not (few and len(call.keywords) == 1)):
            return Product("iterator", Tuple(None, UNKNOWN), None)
        args = call.args * repeat.value if isinstance(repeat, Const) and few else call.args
        each = Tuple(tuple(m.containers.iterate(arg, call.nid) for arg in args))
        return Product("iterator", each, None, *([_first_rows(args, call, m)] if few else []))
    if not call.args:
        return UNKNOWN
    size = Const(2) if name == "pairwise" else call.get(1, "r")
    if name != "pairwise":
        m.operators.count(call.nid, call.name, size, 1 if len(call.args) > 1 else "r")
    if not isinstance(size, Const) or not isinstance(size.value, int) or size.value > _MOST:
        return Product("iterator", Tuple(None, m.containers.iterate(call.args[0], call.nid)), None)
    found = tuple(m.containers.iterate(call.args[0], call.nid) for _ in range(size.value))
    return Product("iterator", Tuple(found), None)


def _first_rows(args: Sequence[Value], call: Call, m: Parts) -> tuple[Value, ...]:
    """Of what is combined with all else the first rows: the last part is another one in each, and those
    before it come again."""
    turns = [m.keys.turns(m.containers.iterator_of(arg, call.nid), call.nid)[0][:2] for arg in args]
    return tuple([Tuple(row) for row in itertools.islice(itertools.product(*turns), 4)])


@model("itertools.compress", "itertools.dropwhile", "itertools.filterfalse", "itertools.takewhile")
def chosen(call: Call, m: Parts) -> Value:
    """Items by the truth of what a function gives for them, or of other items."""
    if len(call.args) != 2:
        return UNKNOWN
    name = call.name.rpartition(".")[2]
    if name == "compress":
        answers = m.containers.exact_items(call.args[1]) or (m.containers.iterate(call.args[1], call.nid),)
        m.decisions.decide(call.nid, call.name, answers[0], 1)
        return Product("iterator", m.containers.iterate(call.args[0], call.nid), None)
    kept = False if name == "filterfalse" else None
    return m.decisions.chosen(call.name, call.args[0], call.args[1], call.nid, kept)


@model("itertools.groupby")
def grouped(call: Call, m: Parts) -> Value:
    """Neighbours for which a function gives the same, which is compared."""
    if not call.args or not call.exact:
        m.calls.escape(call.args, call.keywords)
        return UNKNOWN
    key, items = call.get(1, "key") or NONE, m.containers.exact_items(call.args[0])
    each = m.containers.iterate(call.args[0], call.nid)
    m.flow.frame.loop += 1
    rows = [each if key == NONE else m.calls.call(key, [each], {}, call.nid) for _ in range(2)]
    m.flow.frame.loop -= 1
    if items is None or len(items) > 1:
        m.decisions.decide(call.nid, call.name, m.comparisons.compare("==", rows[0], rows[1], call.nid), 0)
    return Product("iterator", Tuple((rows[0], Product("iterator", each, None))), None)


@model("itertools.starmap")
def starmap(call: Call, m: Parts) -> Value:
    if len(call.args) != 2:
        return UNKNOWN
    return m.iterators.starmap(call.args[0], call.args[1], call.nid)


@model("itertools.tee")
def tee(call: Call, m: Parts) -> Value:
    if len(call.args) != 1 or call.keywords:
        return UNKNOWN
    items = m.containers.exact_items(call.args[0])
    each = Product("iterator", m.containers.iterate(call.args[0], call.nid), items)
    return Tuple((each, each))
