"""Control flow of jax.lax, and what haiku and flax.nnx take from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.events import Choice
from jaxlint.domain.join import MutableContainer, Tuple, level_of
from jaxlint.domain.values import BATCHED, NONE, STAGED, UNKNOWN, Array, Counter, TracerPytree, Value
from jaxlint.ir.nodes import OPAQUE, CompareExpr, ConstExpr, Expr
from jaxlint.library.array_results import counted_by
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("haiku.scan", "jax.lax.scan", "numpyro.contrib.control_flow.scan")
def scan(call: Call, m: Parts) -> Value:
    func, init, xs = call.get(0, "f"), call.get(1, "init"), call.get(2, "xs")
    if init is None:
        return UNKNOWN
    outer = m.core.arrays_level([each for each in (init, xs) if each is not None])
    element = NONE if xs is None or xs == NONE else m.primitives.element_of(xs)
    result = m.primitives.repeat_body(func, [init, element], call.nid, "scan", 0)
    m.keys.consume_mapped([xs or NONE], [element], call.nid, "scan")
    parts = result.items if isinstance(result, Tuple) and result.items is not None else ()
    carry = m.primitives.carried(parts[0] if len(parts) == 2 else UNKNOWN, init, outer)
    if len(parts) == 2:
        return Tuple((carry, m.lifting.lower(parts[1], outer, 1, own=STAGED)))
    return Tuple((carry, TracerPytree(outer)))


@model("haiku.while_loop", "flax.nnx.while_loop", "jax.lax.while_loop")
def while_loop(call: Call, m: Parts) -> Value:
    init = call.get(2, "init_val")
    if init is None:
        return UNKNOWN
    outer = m.core.arrays_level([init])
    test = call.get(0, "cond_fun")
    _hand_back(call, [test, call.get(1, "body_fun")], m)
    goes_on = m.primitives.run_staged(test, [init], call.nid, "while_loop")
    result = m.primitives.repeat_body(call.get(1, "body_fun"), [init], call.nid, "while_loop", 0)
    if level_of(result) & ~level_of(goes_on) & BATCHED:
        goes_on = m.primitives.run_staged(test, [result], call.nid, "while_loop")
    if level_of(goes_on):
        m.core.emit("Choice", Choice(call.nid, m.flow.frame, "while_loop", goes_on))
    return m.primitives.carried(result, init, outer)


@model("haiku.fori_loop", "flax.nnx.fori_loop", "jax.lax.fori_loop")
def fori_loop(call: Call, m: Parts) -> Value:
    init = call.get(3, "init_val")
    if init is None:
        return UNKNOWN
    lower, upper = call.get(0, "lower"), call.get(1, "upper")
    outer = m.core.arrays_level([each for each in (init, lower, upper) if each is not None])
    count = None if lower is None else counted_by([lower, lower], {})
    counter = Array(0, "i", 0) if count is None else Counter(0, m.core.fresh())
    _hand_back(call, [call.get(2, "body_fun")], m)
    result = m.primitives.repeat_body(call.get(2, "body_fun"), [counter, init], call.nid, "fori_loop", 1)
    if isinstance(counter, Counter):
        m.keys.consume_counted([(counter.token, count)], call.nid, "fori_loop")
    return m.primitives.carried(result, init, outer)


@model("haiku.cond", "flax.nnx.cond", "jax.lax.cond", "numpyro.contrib.control_flow.cond")
def cond(call: Call, m: Parts) -> Value:
    operands = call.args[3:]
    if "operand" in call.keywords:
        operands = [call.keywords["operand"]]
    branches = [call.get(1, "true_fun"), call.get(2, "false_fun")]
    _hand_back(call, branches, m)
    predicate = call.get(0, "pred")
    test = _first(call, m)
    return m.primitives.branches(
        branches, operands, predicate, call.nid, "cond", [(test, True), (test, False)]
    )


def _hand_back(call: Call, functions: list[Value | None], m: Parts) -> None:
    """Those of flax nnx change the modules of the caller, which they pass by reference."""
    if call.name.startswith("flax.nnx."):
        for each in functions:
            if each is not None:
                m.lifting.hand_back(each)


def _first(call: Call, m: Parts) -> Expr:
    """The text of a call's first argument."""
    node = m.flow.calling
    return node.args[0] if node is not None and node.nid == call.nid and node.args else OPAQUE


@model("haiku.switch", "flax.nnx.switch", "jax.lax.switch")
def switch(call: Call, m: Parts) -> Value:
    operands = call.args[2:]
    if "operand" in call.keywords:
        operands = [call.keywords["operand"]]
    branches = call.get(1, "branches")
    items = m.expressions.known_items(branches) if branches is not None else None
    found: list[Value | None] = list(items) if items is not None else []
    if items is None and isinstance(branches, MutableContainer):
        found = [branches.each()]
    _hand_back(call, found, m)
    index = _first(call, m)
    tests = [(CompareExpr(call.nid, index, (("==", ConstExpr(place)),)), True) for place in range(len(found))]
    return m.primitives.branches(found, operands, call.get(0, "index"), call.nid, "switch", tests)


@model("haiku.map", "jax.lax.map")
def lax_map(call: Call, m: Parts) -> Value:
    func, xs = call.get(0, "f"), call.get(1, "xs")
    if xs is None:
        return UNKNOWN
    outer = m.core.arrays_level([xs])
    element = m.primitives.element_of(xs)
    result = m.primitives.repeat_body(func, [element], call.nid, "map")
    m.keys.consume_mapped([xs], [element], call.nid, "map")
    made = m.lifting.lower(result, outer, 1, own=STAGED)
    return m.keys.counted(made, result, [xs], [element])


@model("jax.lax.axis_index")
def axis_index(call: Call, m: Parts) -> Value:
    """Each lane has another one, so that it is a tracer although nothing of the arguments is."""
    context = m.flow.context
    level = m.core.arrays_level(()) or (BATCHED if context.batched or context.spread else 0)
    return Array(level, "i", 0)


@model("jax.lax.associative_scan")
def associative_scan(call: Call, m: Parts) -> Value:
    func, elements = call.get(0, "fn"), call.get(1, "elems")
    if func is None or elements is None:
        return UNKNOWN
    m.calls.call(func, [elements, elements], {}, call.nid)
    return elements
