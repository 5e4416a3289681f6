"""What is looked up by its name, or gone through: the variables of a module and the members of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Class, Imported, Instance
from jaxlint.domain.values import NONE, STR, UNKNOWN, Const, Product, Value
from jaxlint.evaluation.selection import can_be_called
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("builtins.globals")
def module_variables(call: Call, m: Parts) -> Value:
    return Product("variables", Imported(m.flow.module))


@model("builtins.vars")
def variables(call: Call, m: Parts) -> Value:
    owner = call.args[0] if call.args else UNKNOWN
    return Product("variables", owner) if isinstance(owner, (Imported, Class, Instance)) else UNKNOWN


@model("builtins.object.__setattr__")
def set_plainly(call: Call, m: Parts) -> Value:
    """What a class without a `__setattr__` of its own does, and a frozen one to set its own attributes."""
    if len(call.args) == 3:
        owner, name, value = call.args
        m.storing.store_named(owner, name, value, call.nid)
    return NONE


@model("builtins.dir")
def names(call: Call, m: Parts) -> Value:
    owner = call.args[0] if call.args else UNKNOWN
    if not isinstance(owner, Class):
        return UNKNOWN
    # no list: of what the class has from elsewhere, `in` would say that it is not there
    return Product("iterator", STR, tuple(map(Const, _members(owner))))


@model("inspect.getmembers", "inspect.getmembers_static")
def members(call: Call, m: Parts) -> Value:
    owner, predicate = call.args[0] if call.args else UNKNOWN, call.get(1, "predicate")
    if not isinstance(owner, Class):
        return UNKNOWN
    found = [(name, m.attributes.attribute(owner, name, call.nid)) for name in _members(owner)]
    rows = [
        Tuple((Const(name), value))
        for name, value in found
        if predicate is None or can_be_called(value) is not False
    ]
    return Product("iterator", Tuple((STR, UNKNOWN)), tuple(rows))


def _members(cls: Class) -> list[str]:
    """The names that a class and its bases of the project define, in their order in `dir`."""
    return sorted({name for each in cls.lineage() for name in each.attributes})
