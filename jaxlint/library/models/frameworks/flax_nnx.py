"""flax.nnx."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from jaxlint.analysis.copies.module_changes import note_update
from jaxlint.analysis.draws.first_reads import first_reads
from jaxlint.domain.join import Tuple, level_of
from jaxlint.domain.key_tokens import LOCAL
from jaxlint.domain.objects import Function, Key, Transformed
from jaxlint.domain.values import GRAPHDEF_PARTS, NONE, UNKNOWN, External, Product, TracerPytree, Value
from jaxlint.ir.nodes import AttrExpr
from jaxlint.ir.walks import last_name
from jaxlint.library.framework_layers import NO_STREAMS
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


_METRIC = "flax.nnx.Metric"
_METRICS = ("Average", "Accuracy", "Welford", "MultiMetric")


@model("flax.nnx.split")
def nnx_split(call: Call, m: Parts) -> Value:
    """The definition of a graph, which has no leaves, and a state for each filter."""
    if not call.exact or call.keywords:
        return UNKNOWN
    return Tuple((_definition(call), *(UNKNOWN for _ in range(max(1, len(call.args) - 1)))))


def _definition(call: Call) -> Value:
    node = call.get(0, "node")
    return Product(*GRAPHDEF_PARTS, UNKNOWN if node is None else node)


@model("flax.nnx.graphdef")
def graphdef(call: Call, m: Parts) -> Value:
    return _definition(call)


@model("flax.nnx.merge")
def merge(call: Call, m: Parts) -> Value:
    """The module that a definition is of, with the arrays of the states."""
    made, states = call.get(0, "graphdef"), call.args[1:]
    if not isinstance(made, Product) or (made.kind, *made.parts[:1]) != GRAPHDEF_PARTS or not states:
        return UNKNOWN
    levels = [level_of(each) for each in states]
    return m.lifting.lift(made.parts[1], levels[0], True) if len({*levels}) == 1 else UNKNOWN


@model("flax.nnx.update")
def update(call: Call, m: Parts) -> Value:
    """The module gets the arrays of the states."""
    node = call.get(0, "node")
    if node is not None:
        note_update(m.core, node, m.flow.calling, call.nid)
        m.module_states.note_update(m.flow.calling, call.nid)
    m.calls.escape(call.args, call.keywords)
    return NONE


@model("flax.nnx.MultiMetric", *(f"flax.nnx.metrics.{name}" for name in _METRICS))
def metric(call: Call, m: Parts) -> Value:
    return Product("object", _METRIC, 0)


@model(f"{_METRIC}.compute")
def computed(call: Call, m: Parts) -> Value:
    """Arrays, computed of those that the metric keeps."""
    owner = call.args[0]
    level = owner.parts[1] if isinstance(owner, Product) else 0
    return TracerPytree(level) if level else UNKNOWN


@model("flax.nnx.Rngs")
def rngs(call: Call, m: Parts) -> Value:
    """Streams of keys. Those of one key are the same streams, which repeat no number of the key itself. Whole
    models may begin alike, to be compared; layers of one model, made in a loop or by a method, may not."""
    frame, streams = m.flow.frame, dict(call.keywords)
    if call.args:
        streams["default"] = call.args[0]
    reads, is_alone = first_reads(frame.code, m.flow.module.program, call.nid)
    asked = [*takewhile(lambda read: last_name(read.func) not in NO_STREAMS, reads)]
    if frame.loop or (frame.func is not None and frame.func.cls is not None):
        if not (asked and is_alone):
            given = [each for each in streams.values() if isinstance(each, Key)]
            keys = {each.token: each for each in given}
            for key in keys.values():
                m.consumption.consume(m.keys.handed_on(key, LOCAL), call.nid, call.name)
            if len(keys) == len(given):
                return Product("rngs")
    if not asked or not call.exact:
        return Product("rngs")
    first: dict[str, int] = {}  # by stream, the call that is the first to ask for a key of it
    for read in asked:
        name = read.func.name if isinstance(read.func, AttrExpr) else "default"
        first.setdefault(name if name in streams else "default", read.nid)
    places = frozenset((m.flow.module, each) for each in first.values())
    return Product("rngs", places, tuple(streams.items()))


@model("flax.nnx.split_rngs")
def split_rngs(call: Call, m: Parts) -> Value:
    """Around a function it changes only which keys the streams among its arguments give."""
    func = call.get(0, "node_or_f")
    if isinstance(func, (Function, Transformed)):
        return func
    return UNKNOWN if call.args else External("builtins.$identity")


@model("flax.nnx.Sequential")
def nnx_sequential(call: Call, m: Parts) -> Value:
    return Product("object", "flax.linen.Sequential", *call.args) if call.exact else UNKNOWN


@model("flax.nnx.List")
def nnx_list(call: Call, m: Parts) -> Value:
    return m.builtins.sequence(call.args[:1], call.nid, "list")


@model("flax.nnx.Dict")
def nnx_dict(call: Call, m: Parts) -> Value:
    return m.builtins.b_dict(call.args, call.keywords, call.nid)
