"""Questions that jax.numpy answers of dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import level_of
from jaxlint.domain.literals import dtype_of
from jaxlint.domain.values import BATCHED, BOOL, UNKNOWN, Array, Const, External, NumPyArray, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_KINDS = {
    "bool_": "b",
    "complexfloating": "c",
    "floating": "f",
    "inexact": "fc",
    "integer": "i",
    "number": "ifc",
}


@model("jax.numpy.issubdtype", "numpy.issubdtype")
def issubdtype(call: Call, m: Parts) -> Value:
    """Whether a dtype, or that of an array, is of a kind: integers with and without sign are one here."""
    asked, kind = call.get(0, "arg1") or UNKNOWN, call.get(1, "arg2")
    known = asked.dtype if isinstance(asked, (Array, NumPyArray)) else dtype_of(asked)
    letters = _KINDS.get(kind.name.rpartition(".")[2]) if isinstance(kind, External) else None
    return BOOL if letters is None or known == "?" else Const(known in letters)


@model("jax.numpy.iscomplexobj", "numpy.iscomplexobj")
def iscomplexobj(call: Call, m: Parts) -> Value:
    """Whether an array has a complex dtype."""
    asked = call.get(0, "x") or UNKNOWN
    known = asked.dtype if isinstance(asked, (Array, NumPyArray)) else "?"
    return BOOL if known == "?" else Const(known == "c")


@model("jax.numpy.isrealobj", "numpy.isrealobj")
def isrealobj(call: Call, m: Parts) -> Value:
    """Whether an array has no complex dtype."""
    answer = iscomplexobj(call, m)
    return Const(not answer.value) if isinstance(answer, Const) else answer


@model("jax.numpy.apply_along_axis")
def apply_along_axis(call: Call, m: Parts) -> Value:
    """The function is mapped over all axes but one, if there are others."""
    func, array = call.get(0, "func1d"), call.get(2, "arr")
    level = m.core.arrays_level(call.args)
    if func is None or not isinstance(array, (Array, NumPyArray)) or array.ndim is None:
        return Array(level)
    around = BATCHED if array.ndim > 1 else 0
    row = Array(level_of(array) | around, array.dtype, 1)
    if around:
        m.transforms.enter_trace(func, [row, *call.args[3:]], {}, call.nid, "vmap", BATCHED, call.exact)
    else:
        m.calls.call(func, [row, *call.args[3:]], {}, call.nid, call.exact)
    return Array(level)
