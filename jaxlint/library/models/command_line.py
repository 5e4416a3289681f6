"""What `argparse` makes of the arguments of a program: which of them are lists, whatever is written there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join
from jaxlint.domain.objects import Function
from jaxlint.domain.values import NONE, TRUE, UNKNOWN, Const, Product, Value
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    Expr,
    NameExpr,
    ReturnStmt,
)
from jaxlint.ir.walks import container_written, nodes_of
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_PARSER = "argparse.ArgumentParser"
_CALLED = {"list": "list", "sorted": "list", "dict": "dict", "set": "set"}


@model(_PARSER)
def argument_parser(call: Call, m: Parts) -> Value:
    return Product("object", call.name, m.core.box("list", call.nid, "arguments"))


@model(
    f"{_PARSER}.add_argument_group",
    f"{_PARSER}.add_mutually_exclusive_group",
)
def group(call: Call, m: Parts) -> Value:
    """A part of a parser, which takes arguments for it."""
    return call.args[0]


@model(f"{_PARSER}.add_argument")
def add_argument(call: Call, m: Parts) -> Value:
    owner, *names = call.args
    box = _arguments(owner)
    if box is not None:
        name = _name_of(names, call.keywords.get("dest"))
        held = _lists(names, call, m) if name and call.exact else UNKNOWN
        box.add(Product("argument", name, held), m.flow.block)
    return UNKNOWN


@model(f"{_PARSER}.set_defaults")
def set_defaults(call: Call, m: Parts) -> Value:
    box = _arguments(call.args[0])
    if box is not None:
        box.add(Product("argument", "", UNKNOWN), m.flow.block)
    return NONE


@model(f"{_PARSER}.parse_args")
def parsed_arguments(call: Call, m: Parts) -> Value:
    """An object of whose attributes only those are known that are lists."""
    return _parsed(call, m)


@model(f"{_PARSER}.parse_known_args")
def parsed_with_rest(call: Call, m: Parts) -> Value:
    return Tuple((_parsed(call, m), UNKNOWN))


def _parsed(call: Call, m: Parts) -> Value:
    box = _arguments(call.args[0])
    found: dict[str, Value] = {}
    if box is not None and box.items is not None and len(call.args) < 3 and "namespace" not in call.keywords:
        records = box.records()
        names = [name for name, _ in records]
        if all(names):
            found = {name: held for name, held in records if held != UNKNOWN and names.count(name) == 1}
    return m.construction.namespace(found, call.nid)


def _arguments(owner: Value) -> MutableContainer | None:
    box = owner.parts[1] if isinstance(owner, Product) and len(owner.parts) > 1 else None
    return box if isinstance(box, MutableContainer) else None


def _name_of(names: list[Value], dest: Value | None) -> str:
    """The attribute that an argument is found by; empty where that is not known."""
    written = [each.value for each in names if isinstance(each, Const) and isinstance(each.value, str)]
    if dest is not None:
        return dest.value if isinstance(dest, Const) and isinstance(dest.value, str) else ""
    if not written or len(written) < len(names):
        return ""
    long = [each for each in written if each.startswith("--")]
    return (long or written)[0].lstrip("-").replace("-", "_") if written[0][0] == "-" else written[0]


def _lists(names: list[Value], call: Call, m: Parts) -> Value:
    """What an argument is that takes several values, or of which a function makes a list: a list, or the
    default where it may be left out."""
    nargs, action = call.keywords.get("nargs", NONE), call.keywords.get("action", NONE)
    count = nargs.value if isinstance(nargs, Const) else None
    is_stored = action in (NONE, Const("store"))
    made = _made_by(call.keywords.get("type")) if is_stored and nargs == NONE else ""
    if not made and not (is_stored and (count in ("+", "*") or type(count) is int)):
        if action not in (Const("append"), Const("extend")) or not isinstance(nargs, Const):
            return UNKNOWN
    given = m.core.box(made or "list", call.nid, "argument")
    given.items, given.elem = None, UNKNOWN
    first = names[0]
    is_position = isinstance(first, Const) and not str(first.value).startswith("-")
    if is_position and count != "*":
        return given
    default = call.keywords.get("default")
    is_converted = bool(made) and isinstance(default, Const) and isinstance(default.value, str)
    if call.keywords.get("required") == TRUE or (is_position and default is None) or is_converted:
        return given
    return join(given, NONE if default is None else default)


def _made_by(convert: Value | None) -> str:
    """The kind of the collection that a function of the project makes of a text, as its own text says."""
    if not isinstance(convert, Function):
        return ""
    kinds = {_kind_of(each.value) for each in nodes_of(convert.code.body) if isinstance(each, ReturnStmt)}
    return kinds.pop() if len(kinds) == 1 else ""


def _kind_of(node: Expr) -> str:
    func = node.func if isinstance(node, CallExpr) else None
    if isinstance(func, NameExpr):
        return _CALLED.get(func.name, "")
    is_split = isinstance(func, AttrExpr) and func.name == "split"
    return "list" if is_split else container_written(node)
