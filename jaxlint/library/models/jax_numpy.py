"""Questions that jax.numpy answers of dtypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.literals import dtype_of
from jaxlint.domain.values import BOOL, UNKNOWN, Array, Const, External, NumPyArray, Value
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
