"""What is looked up by its name, or gone through: the variables of a module and the members of a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Transformed
from jaxlint.domain.values import BOOL, MARKER, NONE, STR, UNKNOWN, Const, Product, Value
from jaxlint.evaluation.selection import can_be_called
from jaxlint.library.class_membership import TYPE
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


@model("builtins.object")
def marker(call: Call, m: Parts) -> Value:
    """What a module makes once, to be told from all else: the default of a parameter that may be None."""
    if call.args or m.flow.frame.func is not None or m.flow.frame.loop:
        return UNKNOWN
    return Product(MARKER, m.flow.module.name, call.nid)


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


@model("builtins.object.__init__")
def construct(call: Call, m: Parts) -> Value:
    """The constructor of a base, of which nothing is known, as a class of the project calls it."""
    if call.args and isinstance(call.args[0], Instance):
        m.construction.hand(call.args[0], call.args[1:], call.keywords, call.exact)
    return NONE


@model("builtins.dir")
def names(call: Call, m: Parts) -> Value:
    owner = call.args[0] if call.args else UNKNOWN
    if not isinstance(owner, Class):
        return UNKNOWN
    # no list: of what the class has from elsewhere, `in` would say that it is not there
    return Product("iterator", STR, tuple(map(Const, _members(owner))))


@model("inspect.isclass")
def is_class(call: Call, m: Parts) -> Value:
    truth = m.builtins.instance_of(call.args[0], TYPE) if call.args else None
    return BOOL if truth is None else Const(truth)


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


@model("inspect.signature")
def signature(call: Call, m: Parts) -> Value:
    """The parameters of a function, or those of a method after the first one."""
    given = call.get(0, "obj")
    func = _unwrapped(given.func if isinstance(given, Bound) else given)
    if func is None:
        return UNKNOWN
    return Product("signature", "inspect.Signature", func, func.code.params[isinstance(given, Bound) :])


@model("inspect.Signature.bind")
def bind(call: Call, m: Parts) -> Value:
    """What a call passes, by parameters; those that it leaves to their defaults are not among them."""
    owner, *args = call.args
    assert isinstance(owner, Product)
    _, func, params = owner.parts
    given = m.arguments.bind_arguments(
        func, [UNKNOWN] * (len(func.code.params) - len(params)) + args, call.keywords, call.exact
    )
    if given is None:
        return UNKNOWN
    box = m.core.box("dict", call.nid, "bound")
    for position, param in enumerate(params):
        value = given[param.name]
        if param.kind == "*":
            is_passed = not (isinstance(value, Tuple) and value.items == ())
        elif param.kind == "**":
            is_passed = not (isinstance(value, MutableContainer) and value.is_empty())
        else:
            is_passed = position < len(args) or param.name in call.keywords or not call.exact
        if is_passed:
            box.entries[param.name] = value
    return Product("bound", "inspect.BoundArguments", func, params, box)


@model("inspect.BoundArguments.apply_defaults")
def apply_defaults(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    assert isinstance(owner, Product)
    _, func, params, box = owner.parts
    passed = dict(box.entries)
    box.entries.clear()
    for param in params:
        if param.name in passed:
            box.entries[param.name] = passed.pop(param.name)
        elif param.kind == "*":
            box.entries[param.name] = Tuple(())
        elif param.kind == "**":
            box.entries[param.name] = m.core.box("dict", call.nid, param.name)
        elif param.default is not None:
            box.entries[param.name] = func.defaults.get(param.name, UNKNOWN)
    box.entries |= passed
    return NONE


def _unwrapped(value: Value | None) -> Function | None:
    """The function of the project whose signature `inspect` takes for that of what wraps or transforms it."""
    seen: list[Value] = []
    while value is not None and not any(value is each for each in seen):
        seen.append(value)
        if isinstance(value, Transformed):
            value = value.func
        elif isinstance(value, Function) and "__wrapped__" in value.attributes:
            value = value.attributes["__wrapped__"]
    return value if isinstance(value, Function) else None


def _members(cls: Class) -> list[str]:
    """The names that a class and its bases of the project define, in their order in `dir`."""
    return sorted({name for each in cls.lineage() for name in each.attributes})
