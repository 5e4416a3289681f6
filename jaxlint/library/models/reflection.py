"""What is looked up by its name: the variables of a module as a mapping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.objects import Imported
from jaxlint.domain.values import UNKNOWN, Product, Value
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
    return Product("variables", owner) if isinstance(owner, Imported) else UNKNOWN
