"""Files, paths, logging, identifiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.values import (
    NONE,
    Const,
    Product,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("logging.getLogger")
def logger(call: Call, m: Parts) -> Value:
    return Product("logging.Logger")


@model("pathlib.Path")
def path(call: Call, m: Parts) -> Value:
    return Product("pathlib.Path")


@model("builtins.open", "io.StringIO", "io.BytesIO")
def stream(call: Call, m: Parts) -> Value:
    """A file outlives the trace that opens it; a buffer in memory may belong to it."""
    if call.name.startswith("io."):
        return Product("io.IOBase", m.flow.context.depth, False)
    mode = call.get(1, "mode")
    emptied = isinstance(mode, Const) and isinstance(mode.value, str) and mode.value[:1] in ("w", "x")
    return Product("io.IOBase", -1, emptied and m.flow.context.staged)


_BARS = ("tqdm", "tqdm.auto", "tqdm.autonotebook", "tqdm.notebook", "tqdm.std")


@model(*(f"{module}.tqdm" for module in _BARS))
def bar(call: Call, m: Parts) -> Value:
    """A progress bar gives what it is made of in turn; one of nothing is moved by hand."""
    items = call.get(0, "iterable")
    return Product("tqdm", m.flow.context.depth) if items is None or items == NONE else items


@model(*(f"{module}.trange" for module in _BARS))
def numbers(call: Call, m: Parts) -> Value:
    return m.builtins.b_range(call.args, {}, call.nid)


@model("random.Random")
def generator(call: Call, m: Parts) -> Value:
    return Product("generator", call.name, m.flow.context.depth, bool(call.args))


@model("numpy.random.seed", "random.seed")
def seed(call: Call, m: Parts) -> Value:
    """The generator of a module is set to begin anew."""
    if m.flow.is_sure() and any(each != NONE for each in (*call.args, *call.keywords.values())):
        m.flow.frame.notes.seeds.setdefault(call.name.rpartition(".")[0], call.nid)
    return NONE


@model("uuid.uuid1", "uuid.uuid4", "uuid.uuid6", "uuid.uuid7", "uuid.uuid8")
def identifier(call: Call, m: Parts) -> Value:
    """Random, but no number: it is one of the program's names until its number is read."""
    return Product("identifier", call.name, call.nid, m.flow.module.path)
