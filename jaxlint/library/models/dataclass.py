"""Dataclasses of the standard library, attrs, flax and chex."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join_all, options_of
from jaxlint.domain.objects import Class, Instance, Partial
from jaxlint.domain.questions import is_open
from jaxlint.domain.values import (
    NONE,
    TRUE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Value,
)
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts


_NOT_ASKED = {None, NONE, Const(False)}


@model(
    "dataclasses.dataclass",
    "flax.struct.dataclass",
    "chex.dataclass",
    "jax_dataclasses.pytree_dataclass",
    "attrs.define",
    "attr.s",
    "attrs.frozen",
    "attr.dataclass",
    "attr.define",
    "attr.frozen",
)
def dataclass(call: Call, m: Parts) -> Value:
    target = call.get(0, "cls")
    if not isinstance(target, Class):
        return Partial(External(call.name), (), tuple(sorted(call.keywords.items(), key=lambda i: i[0])))
    target.marks.add("dataclass")
    if call.keywords.get("eq") == Const(False):
        target.marks.add("identity")  # it has the hash of its base
    elif call.keywords.get("eq") in (None, TRUE) and call.exact:
        target.marks.add("compared")  # by its fields
    if call.keywords.get("order") == TRUE:
        target.marks.add("ordered")  # by its fields
    if call.keywords.get("frozen") == Const(True):
        target.marks.add("frozen")
    elif call.name.startswith(("dataclasses.", "attr")) and not call.name.endswith(".frozen"):
        given = {call.keywords.get(name) for name in ("unsafe_hash", "hash")}
        if not given <= _NOT_ASKED or not call.exact:
            target.marks.add("hashed")  # of its fields, whatever its base has
        elif call.keywords.get("eq") in (None, NONE, TRUE):
            target.marks.add("unhashable")
    if call.name != "dataclasses.dataclass" and not call.name.startswith("attr"):
        target.marks.add("pytree")
        if call.name.startswith(("flax.struct", "jax_dataclasses")):
            target.marks.add("frozen")
        if call.name.startswith(("flax.struct", "chex")):
            target.marks.add("replaces")  # it has a method `replace`
        if call.name == "chex.dataclass" and call.keywords.get("mappable_dataclass", TRUE) == TRUE:
            target.marks.add("mappable")  # it is a mapping of its fields
    if call.name.endswith(".frozen"):
        target.marks.add("frozen")
    return target


_CONVERTS = ("equinox.field", "attrs.field", "attr.ib")


@model(
    "dataclasses.field",
    "flax.struct.field",
    "equinox.field",
    "equinox.static_field",
    "jax_dataclasses.field",
    "jax_dataclasses.static_field",
    "attrs.field",
    "attr.ib",
)
def field(call: Call, m: Parts) -> Value:
    static = (
        call.name.endswith(".static_field")
        or call.keywords.get("static") == Const(True)
        or call.keywords.get("pytree_node") == Const(False)
    )
    if isinstance(call.keywords.get("metadata"), MutableContainer):
        marked = call.keywords["metadata"].entries.get("static")  # type: ignore[attr-defined]
        static = static or marked == Const(True)
    default = call.keywords.get("default")
    factory = call.keywords.get("default_factory")
    if default is None and factory is not None:
        default = Product("factory", factory)
    hashed = call.keywords.get("hash", NONE)
    is_hashed = call.keywords.get("compare") != Const(False) if hashed == NONE else hashed != Const(False)
    converter = call.keywords.get("converter") if call.name in _CONVERTS else None
    is_named = call.keywords.get("kw_only") == Const(True) or call.keywords.get("init") == Const(False)
    return Product("field", default, static, is_hashed, None if converter == NONE else converter, is_named)


@model("dataclasses.asdict", "dataclasses.astuple")
def as_container(call: Call, m: Parts) -> Value:
    """The fields of an object in a dict or a tuple, and those of the objects in them."""
    owner = call.get(0, "obj")
    if not isinstance(owner, Instance) or len(call.args) + len(call.keywords) > 1:
        return UNKNOWN
    return _contained(owner, call, m, ())


def _contained(value: Value, call: Call, m: Parts, around: tuple[int, ...]) -> Value:
    if not isinstance(value, Instance) or not value.cls.has_mark("dataclass"):
        return UNKNOWN if isinstance(value, (Tuple, MutableContainer)) and _holds_objects(value) else value
    if id(value) in around:
        return UNKNOWN
    inside = (*around, id(value))
    fields = {
        name: _contained(m.attributes.of_instance(value, name), call, m, inside)
        for name in value.cls.all_fields()
    }
    if call.name.endswith("astuple"):
        return Tuple(tuple(fields.values()))
    box = m.core.box("dict", call.nid, ("fields", inside))
    box.entries = dict(fields)
    return box


def _holds_objects(value: Tuple | MutableContainer) -> bool:
    each = value.each()
    return not isinstance(each, (Array, TracerPytree, Const, Static, NumPyArray))


@model("dataclasses.replace", "copy.replace", "attrs.evolve", "attr.evolve")
def replace(call: Call, m: Parts) -> Value:
    return join_all(
        TracerPytree(owner.level, m.core.fresh())  # another key may be in it
        if isinstance(owner, TracerPytree)
        else m.construction.replaced(owner, call.keywords, call.nid)
        if isinstance(owner, Instance)
        else UNKNOWN
        for owner in options_of(call.args[0] if call.args else UNKNOWN)
    )


@model("dataclasses.fields")
def fields(call: Call, m: Parts) -> Value:
    """The fields of a dataclass, of which the names are known, where all of its bases are of the program."""
    given = call.args[0] if call.args else UNKNOWN
    cls = given.cls if isinstance(given, Instance) else given
    if not isinstance(cls, Class) or not cls.has_mark("dataclass") or is_open(given):
        return UNKNOWN
    if not all(isinstance(base, Class) for each in cls.lineage() for base in each.bases):
        return UNKNOWN
    return Tuple(tuple([Product("record", (("name", Const(name)),)) for name in cls.all_fields()]))
