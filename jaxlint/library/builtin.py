"""Calls of Python's own functions: casts, containers, iterators, attributes and questions of type.

In: the arguments' values. Out: the result's. What a library function does is not known here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeGuard

from jaxlint.analysis.core import Core, named
from jaxlint.analysis.feature_guards import ASKED_NAMES, FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.calling.calls import Calls
from jaxlint.domain.join import MutableContainer, Tuple, callees_of, level_of, options_of
from jaxlint.domain.literals import element_dtype
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key
from jaxlint.domain.questions import as_mapping, is_open
from jaxlint.domain.values import (
    ANY,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    External,
    FeatureProbe,
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Text,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attribute_names import ARRAY_ONLY
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.operators import Operators
from jaxlint.evaluation.selection import has_attribute, lacks_attribute, names_tracer
from jaxlint.evaluation.storing import Storing
from jaxlint.evaluation.texts import FORMATS
from jaxlint.ir.nodes import NameExpr
from jaxlint.library.class_membership import (
    NONE_TYPE,
    class_of,
    instance_of_library,
    instance_of_project,
    is_none,
)
from jaxlint.library.containers import Containers


def _is_stream(value: Value) -> TypeGuard[Product]:
    return isinstance(value, Product) and value.kind in ("stream", "iterator")


class Builtins:
    """What Python's own functions give back."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        expressions: Expressions,
        keys: Keys,
        operators: Operators,
        attributes: Attributes,
        calls: Calls,
        containers: Containers,
        storing: Storing,
        interpreter: Interpreter,
    ) -> None:
        self.storing = storing
        self.flow = flow
        self.core = core
        self.guards = guards
        self.expressions = expressions
        self.keys = keys
        self.operators = operators
        self.attributes = attributes
        self.calls = calls
        self.containers = containers
        self.interpreter = interpreter
        self._builtins: dict[str, Callable[[list[Value], dict[str, Value], int], Value]] = {}

    def register(self, *parts: object) -> None:
        """The methods named `b_NAME` are what Python's function of that name does."""
        self._builtins |= named(*parts, prefix="b_")

    def call_builtin(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        methods = _OWN_METHODS.get(name)
        if methods is not None and args:
            self.attributes.as_python(args[0], methods, nid)
        handler = self._builtins.get(name)
        if handler is not None:
            return handler(args, keywords, nid)
        if name in _STATIC_BUILTINS:
            return Static(_STATIC_BUILTINS[name])
        if name.endswith(("Error", "Exception", "Warning")):
            return ANY
        self.calls.escape(args, keywords)
        return UNKNOWN

    def _cast(self, args: list[Value], type_: Callable[[Any], Any], name: str) -> Value:
        if args and isinstance(args[0], Const):
            try:
                return Const(type_(args[0].value))
            except (TypeError, ValueError, OverflowError):
                return Static(name)
        return Static(name)

    def b_float(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self._cast(args, float, "float")

    def b_int(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        self.interpreter.library.read_number(args[0] if args else UNKNOWN)
        if args and isinstance(args[0], Product) and args[0].kind == "member":
            args = [self.attributes.attribute(args[0], "value", nid)]
        return self._cast(args, int, "int")

    def b_bool(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        truth = self.calls.truth(args[0]) if args else False
        return Static("bool") if truth is None else Const(truth)

    def b_str(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        made = self.expressions.texts.made_of(args, nid)
        return made if isinstance(made, Text) else self._cast(args, str, "str")

    def b_repr(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        made = self.expressions.texts.made_of(args, nid, ("__repr__",))
        return made if isinstance(made, Text) else self._cast(args, repr, "str")

    def b_len(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if args and (count := self.flow.frame.keywords_of(args[0])) is not None:
            return Const(count)
        items = self.expressions.known_items(args[0]) if args else None
        if items is not None and not (
            isinstance(args[0], MutableContainer) and args[0].block != self.flow.block
        ):
            return Const(len(items))
        return INT

    def b_range(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if args and all(isinstance(each, Const) and isinstance(each.value, int) for each in args):
            numbers = range(*(each.value for each in args[:3]))  # type: ignore[attr-defined]
            if len(numbers) <= 8:
                return Product("iterator", INT, tuple(Const(number) for number in numbers))
            return Product("range", len(numbers), numbers.start, numbers.step)
        if not args or any(isinstance(each, Product) for each in args):
            return Product("range", None, None, None)
        bounds = (Const(0), args[0], Const(1)) if len(args) == 1 else (*args, Const(1))
        start, step = (each.value if isinstance(each, Const) else None for each in (bounds[0], bounds[2]))
        return Product("range", None, start, step)

    def b_abs(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if not args:
            return UNKNOWN
        value = args[0]
        if isinstance(value, (Array, TracerPytree)):
            ndim = value.ndim if isinstance(value, Array) else None
            return Array(
                value.level | (1 if self.flow.context.staged else 0), getattr(value, "dtype", "?"), ndim
            )
        if isinstance(value, Number):
            return INT
        return value if isinstance(value, (Static, NumPyArray)) else self._cast(args, abs, "any")

    def b_format(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        spec = args[1].value if len(args) == 2 and isinstance(args[1], Const) else None
        if len(args) == 1 or spec == "":
            return self.expressions.texts.made_of(args[:1], nid, FORMATS)
        if isinstance(spec, str):
            self.expressions.texts.takes(args[0], spec, nid)
        return Static("str")

    def b_round(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if args and isinstance(args[0], (Array, TracerPytree)):
            return self.interpreter.library.call_external("jax.numpy.round", args, keywords, nid, True)
        return INT if len(args) == 1 else Static("float")

    def b_pow(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self.operators.binary("**", args[0], args[1], nid) if len(args) == 2 else UNKNOWN

    def b_divmod(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) != 2:
            return UNKNOWN
        return Tuple(
            (
                self.operators.binary("//", args[0], args[1], nid),
                self.operators.binary("%", args[0], args[1], nid),
            )
        )

    def b_sum(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if not args:
            return UNKNOWN
        each = self.containers.iterate(args[0], nid)
        start = args[1] if len(args) > 1 else keywords.get("start", Const(0))
        if isinstance(each, (Array, NumPyArray)):
            return (
                self.operators.operate("+", start, each, nid) if not isinstance(start, Unknown) else UNKNOWN
            )
        if isinstance(each, (Const, Static)) and isinstance(start, Const):
            return INT if element_dtype(each) in "bi" else Static("any")
        return UNKNOWN

    def sequence(self, args: list[Value], nid: int, kind: str) -> Value:
        if not args:
            return Tuple(()) if kind == "tuple" else self.core.list_of((), nid, kind)
        items = self.containers.exact_items(args[0])
        if isinstance(args[0], Key):
            items = self.containers.items_of_keys(args[0], args[0].count)
        if kind == "tuple":
            return Tuple(items) if items is not None else Tuple(None, self.containers.iterate(args[0], nid))
        box = self.core.box(kind, nid)
        box.source = args[0] if isinstance(args[0], MutableContainer) else None
        if items is not None:
            box.items = list(items)
        else:
            box.items = None
            box.elem = self.containers.iterate(args[0], nid)
        return box

    def b_list(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self.sequence(args, nid, "list")

    def b_tuple(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self.sequence(args, nid, "tuple")

    def b_set(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self.sequence(args, nid, "set")

    def b_frozenset(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return self.sequence(args, nid, "frozenset")

    def b_reversed(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if args and isinstance(args[0], Product) and args[0].kind == "range":
            return Product("range", args[0].parts[0], None, None)
        items = self.containers.exact_items(args[0]) if args else None
        each = self.containers.iterate(args[0], nid) if args else UNKNOWN
        return Product("iterator", each, tuple(reversed(items)) if items is not None else None)

    def b_iter(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        each = self.containers.iterate(args[0], nid) if args else UNKNOWN
        return Product("stream", each, self.flow.context.depth)

    def b_next(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if not args:
            return UNKNOWN
        if _is_stream(args[0]):
            if type(args[0].parts[-1]) is int:
                self._outside(nid, "next", args[0], args[0].parts[-1])
            first = self.keys.first_of(args[0])
            return self.containers.next_in(args[0], nid) if first is None else first
        self._next_outside(args[0], nid)
        return self.containers.next_of(args[0], nid) if isinstance(args[0], Instance) else UNKNOWN

    def _next_outside(self, iterator: Value, nid: int) -> None:
        """What may be any iterator is from outside of a trace where a variable of a function around that one
        holds it."""
        node, home = self.flow.calling, self.flow.env
        read = node.args[0] if node is not None and node.nid == nid and node.args else None
        options = callees_of(iterator) if isinstance(iterator, Candidates) else options_of(iterator)
        may_be = any(type(each) is Unknown or _is_stream(each) for each in options)
        if not may_be or not isinstance(read, NameExpr):
            return
        while home.parent is not None and read.name not in home.vars:
            home = home.parent
        if home.parent is not None and home.depth < self.flow.context.depth:
            made = Product("stream", UNKNOWN, home.depth)
            place = ("next", id(home), read.name)
            self.storing.mutated(nid, "next", made, UNKNOWN, depth=home.depth, place=place)

    def _outside(self, nid: int, how: str, target: Value, depth: int) -> None:
        self.storing.mutated(nid, how, target, UNKNOWN, depth=depth)

    def b_dict(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        box = self.core.box("dict", nid)
        for value in (self.expressions.copied(each, nid) for each in args):
            if (mapping := as_mapping(value)) is not None:
                box.entries, box.elem, box.is_open = dict(mapping[0]), mapping[1], is_open(value)
                box.source = value if isinstance(value, MutableContainer) and not keywords else None
            else:
                items = self.containers.exact_items(value)
                pairs = [self.expressions.known_items(item) for item in items] if items is not None else None
                if pairs is not None and all(
                    p is not None and len(p) == 2 and isinstance(p[0], Const) for p in pairs
                ):
                    box.entries |= {pair[0].value: pair[1] for pair in pairs}  # type: ignore[union-attr,index]
                else:
                    box.widen(self.containers.subscript(self.containers.iterate(value, nid), Const(1), nid))
        for name, value in keywords.items():
            if name == "**":
                box.widen(value)
            else:
                box.entries[name] = value
        return box

    def b_enumerate(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        items = self.containers.exact_items(args[0]) if args else None
        each = self.containers.iterate(args[0], nid) if args else UNKNOWN
        if args and isinstance(args[0], Key):
            items = self.containers.items_of_keys(args[0], args[0].count)
            self.keys.walk(args[0], each)
        start = args[1] if len(args) > 1 else keywords.get("start", Const(0))
        self.operators.count(nid, "enumerate", start, 1 if len(args) > 1 else "start")
        rows = None
        if items is not None and isinstance(start, Const) and isinstance(start.value, int):
            rows = tuple(Tuple((Const(number), item)) for number, item in enumerate(items, start.value))
        return Product("iterator", Tuple((self.keys.counter(start), each)), rows)

    def b_isinstance(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        truth = self.instance_of(args[0], args[1]) if len(args) == 2 else None
        if args:
            self.flow.subjects[nid] = args[0]
        if truth and level_of(args[0]) and names_tracer(args[1]):
            self.core.see_tracer(args[0])
        elif truth is None and self.flow.context.depth and names_tracer(args[1]):
            # an array that was made outside is none
            if not all(isinstance(each, (Array, Const)) for each in options_of(args[0])):
                self.flow.frame.doubts_tracer = True
        return Static("bool") if truth is None else Const(truth)

    def b_hasattr(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) == 2 and isinstance(args[1], Const):
            self.flow.subjects[nid] = args[0]
            found = {has_attribute(each, args[1].value) for each in options_of(args[0])}
            if len(found) == 1 and None not in found:
                return Const(found.pop())
            if isinstance(args[1].value, str) and (
                self.interpreter.imports.lacks(args[0], args[1].value)
                or lacks_attribute(args[0], args[1].value, self.core.world.programs())
            ):
                return Const(False)
            for each in options_of(args[0]):
                if isinstance(each, (External, Imported, FeatureProbe)):
                    return FeatureProbe("bool", "name")
                if (isinstance(each, Unknown) or each == ANY) and args[1].value not in ARRAY_ONLY:
                    return FeatureProbe("bool", "name")
        return Static("bool")

    def b_getattr(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) == 2:
            if not isinstance(args[0], External) or type(args[1]) is not Const:
                return self.attributes.named(args[0], args[1], nid)
            if not isinstance(args[1].value, str):
                return UNKNOWN
            full = f"{args[0].name}.{args[1].value}"
            self.guards.refer(nid, full, "getattr")
            return self.interpreter.library.external(full)
        if len(args) == 3 and isinstance(args[0], External) and isinstance(args[1], Const):
            return FeatureProbe("any" if args[1].value in ASKED_NAMES else "object", "name")
        if len(args) == 3 and isinstance(args[1], Const) and isinstance(args[0], _WITH_ATTRIBUTES):
            if lacks_attribute(args[0], str(args[1].value), self.core.world.programs()):
                return args[2]
            value = self.attributes.attribute(args[0], str(args[1].value), nid)
            return value if type(value) is not Unknown else UNKNOWN
        return UNKNOWN

    def b_setattr(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if len(args) != 3:
            return NONE
        self.storing.store_named(args[0], args[1], args[2], nid)
        return NONE

    def b_type(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return class_of(args[0]) if len(args) == 1 else UNKNOWN

    def b_super(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        func = self.flow.frame.func
        cls = args[0] if args else (func.cls if func is not None else None)
        if not isinstance(cls, Class) or func is None or not func.code.params:
            return UNKNOWN
        owner = args[1] if len(args) > 1 else self.flow.env.vars.get(func.code.params[0].name, UNKNOWN)
        return Product("super", cls, owner)

    def b_property(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return Product("property", args[0], False, args[1] if len(args) > 1 else NONE) if args else UNKNOWN

    def b_staticmethod(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return Product("staticmethod", args[0]) if args else UNKNOWN

    def b_classmethod(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return Product("classmethod", args[0]) if args else UNKNOWN

    def b_slice(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        parts = [NONE, *args] if len(args) == 1 else list(args)
        parts += [NONE] * (3 - len(parts))
        return Product("slice", *parts[:3], nid)

    def b_print(self, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        return NONE

    # ---- isinstance

    def instance_of(self, value: Value, classes: Value) -> bool | None:
        items = (
            self.expressions.known_items(classes) if isinstance(classes, (Tuple, MutableContainer)) else None
        )
        if items is not None:
            answers = [self.instance_of(value, item) for item in items]
            if True in answers:
                return True
            return False if all(answer is False for answer in answers) else None
        if isinstance(value, OneOf):
            found = {self.instance_of(option, classes) for option in value.options}
            return found.pop() if len(found) == 1 else None
        if isinstance(classes, Tuple):  # not each of these need be in it
            found = {self.instance_of(value, each) for each in options_of(classes.elem)}
            return False if found == {False} else None
        if isinstance(classes, Class):
            if isinstance(value, Instance):
                self.flow.frame.reads.setdefault((value, classes), self.core.changes)
            return instance_of_project(value, classes)
        if classes == NONE_TYPE:
            return is_none(value)
        if isinstance(classes, External):
            return instance_of_library(value, classes.name)
        return None

    def kind_of_class(self, name: str) -> Value | None:
        return {
            "jax.Array": Array(0), "jax.numpy.ndarray": Array(0), "numpy.ndarray": NumPyArray(),
            "builtins.int": INT, "builtins.float": Static("float"), "builtins.str": Static("str"),
            "builtins.bool": Static("bool"),
        }.get(name)  # fmt: skip


_WITH_ATTRIBUTES = (Imported, Instance, Function, Bound)  # of which it is known what they have
BUILTINS = frozenset(
    "abs all any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex "
    "delattr dict dir divmod enumerate eval exec filter float format frozenset getattr globals hasattr "
    "hash help hex id input int isinstance issubclass iter len list locals map max memoryview min next "
    "object oct open ord pow print property range repr reversed round set setattr slice sorted "
    "staticmethod str sum super tuple type vars zip NotImplemented __import__ Exception BaseException "
    "ValueError TypeError RuntimeError KeyError IndexError AttributeError AssertionError ImportError "
    "NotImplementedError StopIteration OSError ZeroDivisionError ArithmeticError".split()
)
# the methods of an object that these ask for a number, the first that there is
_OWN_METHODS = {
    "bool": ("__bool__", "__len__"), "len": ("__len__",), "int": ("__int__", "__index__"),
    "float": ("__float__", "__index__"), "complex": ("__complex__", "__float__"), "abs": ("__abs__",),
    "round": ("__round__",), "hex": ("__index__",),
}  # fmt: skip
_STATIC_BUILTINS = {
    "complex": "any", "hash": "int", "id": "int", "repr": "str", "format": "str", "chr": "str",
    "ord": "int", "callable": "bool", "issubclass": "bool", "hex": "str", "bin": "str", "oct": "str",
    "ascii": "str", "input": "str", "bytes": "any",
}  # fmt: skip
