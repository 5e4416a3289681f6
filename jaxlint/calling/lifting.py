"""Values on their way into a trace and out of it: arguments become tracers, results lose their level."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from types import MappingProxyType

from jaxlint.analysis.core import Core, Unreachable
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Entry
from jaxlint.analysis.function_freshness import ARRAYS
from jaxlint.calling.arguments import Arguments
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifted_values import (
    attributes_by_now,
    is_state,
    keys_among,
    lifted_scalar,
    of_arrays,
)
from jaxlint.domain.join import MutableContainer, Tuple, VariableRef, join_all, level_of, options_of
from jaxlint.domain.key_tokens import whole_of
from jaxlint.domain.layers import is_layer, layers_of, level_of_layer, sequence, with_level
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import CONTENTS, base_of
from jaxlint.domain.tokens import FLATTEN, LEAVES, UNFLATTEN
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    NUMBERS,
    STAGED,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    Counter,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.ir.flattening import Parts, flattened_by
from jaxlint.ir.nodes import AttrExpr, ConstExpr, Expr, TupleExpr

OWN_MODULE = Const("module")


class Lifting:
    """Lifts values into traces, and lowers them out of these."""

    def __init__(self, flow: FlowState, core: Core, arguments: Arguments) -> None:
        self.flow = flow
        self.core = core
        self.arguments = arguments
        self._flattened: dict[int, Parts | None] = {}  # by the code of what flattens
        self.copying: set[int] = set()  # the objects whose attributes are being copied
        # by function context and object: the keys that it had when it first was an argument of a trace there
        self._first_keys: dict[Hashable, tuple[Entry | None, dict[str, Hashable]]] = {}
        self.handing_back: set[int] = set()  # codes whose changes flax nnx makes in the caller's modules

    def lift(self, value: Value, level: int, arrays_only: bool = False, drop: int = 0) -> Value:
        """An argument as the traced function sees it."""
        kind = type(value)
        if isinstance(value, Counter):
            token = self.core.fresh() if drop and value.ndim else value.token
            ndim = 0 if drop else value.ndim
            return Counter(value.level | level, token, value.dtype, ndim)
        if isinstance(value, Array):
            ndim = None if value.ndim is None else max(value.ndim - drop, 0)
            return Array(value.level | level, value.dtype, ndim)
        if isinstance(value, NumPyArray):
            ndim = None if value.ndim is None else max(value.ndim - drop, 0)
            return Array(level, value.dtype, ndim)
        if isinstance(value, VariableRef):
            held = value.inner
            if level != DIFFERENTIATED or value.is_parameter:
                held = self.lift(held, level, drop=drop)
            return VariableRef(held, value.is_parameter, self.flow.context.depth + 1)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level | level, value.token, value.made)
        if isinstance(value, OneOf) or (
            isinstance(value, Candidates)
            and (arrays_only or (not value.is_open and all(map(_is_pytree, value.options))))
        ):
            return join_all([self.lift(option, level, arrays_only, drop) for option in value.options])
        if isinstance(value, Unknown):
            if arrays_only:
                return of_arrays(value, level)
            return Array(level) if value.annotated else TracerPytree(level, value.token, value.made)
        if isinstance(value, Key):
            return Key(
                self.core.fresh() if value.many and drop else value.token,
                value.level | level,
                value.many and not drop,
                None if drop else value.count,
                value.made,
            )
        if isinstance(value, (Const, Static)):
            return value if arrays_only else lifted_scalar(value, level)
        if isinstance(value, Tuple):
            if value.items is None:
                return Tuple(None, self.lift(value.elem, level, arrays_only, drop), value.cls)
            return Tuple(
                tuple(self.lift(item, level, arrays_only, drop) for item in value.items), cls=value.cls
            )
        if isinstance(value, MutableContainer):
            return self.copy_of(
                value, ("lift", level, drop), lambda v: self.lift(v, level, arrays_only, drop)
            )
        if isinstance(value, Instance):
            if any(
                self.arguments.full_name(each) in self.core.taught.static_types
                for each in value.cls.lineage()
            ):
                return value
            return self._lift_instance(value, level, arrays_only, drop)
        made = self._lifted_product(value, level, arrays_only, drop) if isinstance(value, Product) else None
        if made is not None:
            return made
        if arrays_only and kind in (Function, Bound, Partial, Transformed, Class, External, Product):
            return value
        if isinstance(value, Partial):
            return Partial(
                value.func,
                tuple(self.lift(each, level, arrays_only, drop) for each in value.args),
                tuple((name, self.lift(each, level, arrays_only, drop)) for name, each in value.keywords),
            )
        return UNKNOWN

    def _lifted_product(self, value: Product, level: int, arrays_only: bool, drop: int) -> Value | None:
        """The same of a layer of a library, of a sequence of layers and of a state of equinox."""
        if (own := _level_of_object(value)) is not None:
            return _object_with_level(value, own | level)
        layers = layers_of(value)
        return None if layers is None else sequence([self.lift(e, level, arrays_only, drop) for e in layers])

    def lift_leaves(self, func: Transformed, value: Value, level: int, drop: int = 0) -> Value:
        """An argument as the transform lifts it."""
        leaves = func.option(LEAVES)
        if leaves == OWN_MODULE:
            self.hand_back(func)
        if leaves == OWN_MODULE and isinstance(value, Unknown):
            return of_arrays(value, level, NUMBERS)  # it may be a module
        return self.lift(value, level, leaves == ARRAYS, drop)

    def hand_back(self, func: Value) -> None:
        """A transform of flax nnx runs this, and makes its changes of modules in those of the caller."""
        for each in options_of(func):
            if isinstance(base := base_of(each), Function):
                self.handing_back.add(id(base.code))

    def copy_of(
        self, box: MutableContainer, tag: Hashable, change: Callable[[Value], Value]
    ) -> MutableContainer:
        """A container that a transform rebuilds: the traced code changes its own copy."""
        key = ("copy", id(box), tag, self.flow.context.depth, self.flow.frame.unrolled)
        found = self.flow.frame.heap.get(key)
        copy = (
            found
            if isinstance(found, MutableContainer)
            else MutableContainer(box.kind, self.flow.context.depth + 1, 0)
        )
        if id(copy) in self.copying:
            return copy
        self.core.keep(key, copy)
        self.copying.add(id(copy))
        copy.depth = self.flow.context.depth + 1
        copy.fill_as(box, change)
        self.copying.discard(id(copy))
        return copy

    def rebuilt(self, value: Value) -> Value:
        """What a transform flattens and hands on: collections and objects are made anew of the same
        leaves."""
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(map(self.rebuilt, value.items)), cls=value.cls)
        if isinstance(value, VariableRef):
            return VariableRef(value.inner, value.is_parameter, self.flow.context.depth + 1)
        if isinstance(value, MutableContainer):
            return self.copy_of(value, "rebuilt", self.rebuilt)
        return self.copy_of_record(value, "rebuilt", self.rebuilt) if isinstance(value, Instance) else value

    def copy_of_record(self, value: Instance, tag: Hashable, change: Callable[[Value], Value]) -> Instance:
        """An object that a transform takes apart and makes anew, with other leaves; the same one where it is
        no pytree."""
        if not _is_pytree(value) or value.cls.has_mark("static"):
            return value
        key = (tag, id(value), self.flow.context.depth)
        found = self.flow.frame.heap.get(key)
        copy = (
            found
            if isinstance(found, Instance)
            else Instance(value.cls, self.flow.context.depth + 1, value.generic)
        )
        if id(copy) not in self.copying:
            self.core.keep(key, copy)
            self.copying.add(id(copy))
            copy.level, copy.is_open = value.level, value.is_open
            self._pass_attributes(value, copy, change)
            self.copying.discard(id(copy))
        return copy

    def _lift_instance(self, value: Instance, level: int, arrays_only: bool, drop: int) -> Value:
        cls = value.cls
        if cls.has_mark("static"):
            return value
        if not cls.has_mark("pytree"):
            return value if arrays_only or cls.has_mark("linen") else UNKNOWN
        arrays_only = arrays_only or cls.has_mark("nnx")  # flax keeps all else as static
        copy = self._lifted_copy(value, level, drop)
        if id(copy) in self.copying:
            return copy
        self.copying.add(id(copy))
        copy.depth = self.flow.context.depth + 1
        copy.level, copy.is_open = level, value.is_open
        self._pass_attributes(value, copy, lambda each: self.lift(each, level, arrays_only, drop))
        if value.generic and self.parts_of(value) is None and not cls.has_mark("flattened"):
            for name, (_, static) in cls.all_fields().items():
                if not static and name not in value.attributes:
                    copy.attributes[name] = self._lifted_field(value, name, level, arrays_only, drop)
        self.copying.discard(id(copy))
        return copy

    def _lifted_copy(self, value: Instance, level: int, drop: int) -> Instance:
        """The object that a trace has in the place of one. If that holds other keys by now than at an earlier
        call, the trace has another object, of which it is not known which of these it holds."""
        frame, keys = self.flow.frame, keys_among(attributes_by_now(value, self.flow.env.vars))
        key: tuple[Hashable, ...] = ("lifted", id(value), level, drop)
        entry, first = self._first_keys.get((frame, key), (None, keys))
        if entry is not frame.entry:
            self._first_keys[frame, key] = frame.entry, keys
        elif first != keys:
            key = (*key, "changed")
        found = frame.heap.get(key)
        depth = self.flow.context.depth + 1
        copy = found if isinstance(found, Instance) else Instance(value.cls, depth, value.generic)
        is_changed = key[-1] == "changed"
        copy.many = copy.many or value.many or is_changed
        copy.alike = frozenset() if is_changed else value.alike
        return self.core.keep(key, copy)

    def beside(self, value: Instance, like: Instance) -> Instance:
        """An object on the side of a transform on which another one is: its arrays are traced as well."""
        copy = self.lift(value, like.level, True) if like.level else value
        if not isinstance(copy, Instance):
            return value
        copy.depth = like.depth
        return copy

    def _lifted_field(self, owner: Instance, name: str, level: int, arrays_only: bool, drop: int) -> Value:
        """What an object of which only the class is known has in a field that nothing sets, in a trace."""
        believed = self.arguments.annotations.field(owner, name)
        found = None if believed is None else self.lift(believed, level, arrays_only, drop)
        if isinstance(found, (Array, Instance, Tuple, MutableContainer)):
            return found
        return self.lift(UNKNOWN, level, arrays_only, drop)

    def _pass_attributes(
        self,
        value: Instance,
        copy: Instance,
        change: Callable[[Value], Value],
    ) -> None:
        """The attributes of an object on the other side of a transform: leaves change, static ones do not,
        and what is not flattened its constructor makes anew. Which are which, some classes leave to a
        function of which nothing is known."""
        fields = value.cls.all_fields()
        parts = self.parts_of(value)
        unknown = parts is None and value.cls.has_mark("flattened")
        for name, attribute in attributes_by_now(value, self.flow.env.vars).items():
            held = attribute
            if name == CONTENTS:
                held = change(attribute)
            elif unknown:
                held = self._arrays_of(attribute, change)
            elif fields.get(name, (None, False))[1] or (parts is not None and parts.is_static(name)):
                held = attribute
            elif parts is None or name in parts.children:
                held = change(attribute)
            elif isinstance(attribute, MutableContainer):
                held = self.copy_of(attribute, "rebuilt", lambda each: each)
            copy.attributes[name] = held

    def _arrays_of(self, value: Value, change: Callable[[Value], Value]) -> Value:
        """What is flattened of an attribute, whatever flattens it: arrays, which cannot be static data, since
        they have no hash."""
        if isinstance(value, (Array, Key)) or _is_pytree(value):
            return change(value)
        again = partial(self._arrays_of, change=change)
        if isinstance(value, Tuple):
            if value.items is None:
                return Tuple(None, again(value.elem), value.cls)
            return Tuple(tuple(map(again, value.items)), cls=value.cls)
        if isinstance(value, MutableContainer):
            return self.copy_of(value, "arrays", again)
        return UNKNOWN

    def parts_of(self, value: Instance) -> Parts | None:
        """What `tree_flatten` makes of the attributes of an object, where that can be told."""
        method = value.cls.lookup("tree_flatten") or value.cls.lookup(FLATTEN)
        if method is None or not isinstance(method[0], Function):
            return None
        code = method[0].code
        if id(code) not in self._flattened:
            self._flattened[id(code)] = flattened_by(code)
        return self._flattened[id(code)]

    def make_anew(self, value: Value, calls: Calls, nid: int) -> None:
        """An object that a trace takes apart is made anew of tracers, by the function that its class says,
        where it is known what this is given. What it draws was drawn when the object was made."""
        parts = self.parts_of(value) if isinstance(value, Instance) and value.level else None
        if not isinstance(value, Instance) or parts is None or parts.items is None:
            return
        found = value.cls.lookup("tree_unflatten") or value.cls.lookup(UNFLATTEN)
        names, data = parts.items
        if found is None:
            return
        leaf = TracerPytree(value.level)
        func, children = found[0], Tuple(tuple([value.attributes.get(name, leaf) for name in names]))
        if isinstance(func, Product) and func.kind == "classmethod":
            func = Bound(func.parts[0], value.cls)
        static, self.flow.static = self.flow.static, ()
        state = self.flow.env.vars
        self.flow.env.vars = {name: held for name, held in state.items() if name != "$spent"}
        try:
            calls.call(func, [self._beside(value, data), children], {}, nid)
        except Unreachable:
            pass  # what raises there is told of
        self.flow.static, self.flow.env.vars = static, state

    def _beside(self, value: Instance, data: Expr) -> Value:
        """What goes along with the leaves of an object: attributes as they are."""
        if isinstance(data, TupleExpr):
            return Tuple(tuple([self._beside(value, each) for each in data.items]))
        if isinstance(data, ConstExpr):
            return Const(data.value)
        if isinstance(data, AttrExpr):
            return value.attributes.get(data.name, UNKNOWN)
        return UNKNOWN

    def lower(
        self,
        value: Value,
        level: int,
        extra: int = 0,
        sloped: bool = True,
        arrays_only: bool = False,
        own: int = STAGED | BATCHED | DIFFERENTIATED,
        lanes: Mapping[Hashable, Key] = MappingProxyType({}),
    ) -> Value:
        """A result as the caller of the transformed function sees it. `sloped`: where it has no slope itself,
        it is still a tracer of the gradient around. `own`: what the transform makes tracers of, and takes off
        again; the function has closed over others. `lanes`: by the tokens of mapped keys their arrays."""
        if isinstance(value, Product) and (held := _level_of_object(value)) is not None:
            return _object_with_level(value, level | (held & ~own))
        if arrays_only and not isinstance(value, _HOLDERS) and layers_of(value) is None:
            return UNKNOWN if isinstance(value, Unknown) else value
        if not sloped and not isinstance(value, Unknown) and not _has_slope(value):
            level &= ~DIFFERENTIATED
        again = partial(
            self.lower, level=level, extra=extra, sloped=sloped, arrays_only=arrays_only, own=own, lanes=lanes
        )
        if isinstance(value, (Array, TracerPytree, Key)):
            level |= value.level & ~own
        if isinstance(value, Array):
            return Array(level, value.dtype, None if value.ndim is None else value.ndim + extra)
        if isinstance(value, VariableRef):
            return VariableRef(again(value.inner), value.is_parameter, self.flow.context.depth)
        if isinstance(value, OneOf):
            return join_all(map(again, value.options))
        if isinstance(value, (TracerPytree, Unknown)):
            return TracerPytree(level, None, value.made)
        if isinstance(value, NumPyArray):
            return Array(level, value.dtype, value.ndim)
        if isinstance(value, Key):
            key = whole_of(value, level, lanes if extra else None)
            return key or Key(self.core.fresh(), level, many=True)
        if isinstance(value, Const):
            if value.value is None:
                return value
            dtype = {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value))
            return UNKNOWN if dtype is None else Array(level, dtype, extra)
        if isinstance(value, Static):
            return TracerPytree(level) if value.type == "any" else Array(level)
        if isinstance(value, Tuple):
            if value.items is None:
                return Tuple(None, again(value.elem), value.cls)
            return Tuple(tuple(map(again, value.items)), cls=value.cls)
        if isinstance(value, MutableContainer):
            return self.copy_of(value, ("lower", level, extra, arrays_only, own), again)
        if isinstance(value, Instance) and value.cls.has_mark("static"):
            return value
        if isinstance(value, Instance) and value.cls.has_mark("pytree"):
            arrays_only = arrays_only or value.cls.has_mark("nnx")
            change = partial(again, arrays_only=arrays_only)
            return self._copied(value, ("lowered", id(value), level, arrays_only, own), change)
        if (layers := layers_of(value)) is not None:
            return sequence(map(again, layers))
        return value if arrays_only else UNKNOWN

    def primal(self, value: Value) -> Value:
        """A value without the innermost gradient around it."""
        if isinstance(value, Array):
            return Array(value.level & ~DIFFERENTIATED, value.dtype, value.ndim)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level & ~DIFFERENTIATED, value.token, value.made)
        if isinstance(value, Key):
            return Key(value.token, value.level & ~DIFFERENTIATED, value.many, value.count, value.made)
        if isinstance(value, OneOf):
            return join_all(map(self.primal, value.options))
        if isinstance(value, Tuple):
            if value.items is None:
                return Tuple(None, self.primal(value.elem), value.cls)
            return Tuple(tuple(map(self.primal, value.items)), cls=value.cls)
        if isinstance(value, MutableContainer):
            return self.copy_of(value, "primal", self.primal)
        if isinstance(value, Instance) and value.cls.has_mark("pytree"):
            return self._copied(value, ("primal", id(value)), self.primal)
        return with_level(value, level_of_layer(value) & ~DIFFERENTIATED) if is_layer(value) else value

    def tangent(self, value: Value, level: int) -> Value:
        """What a derivative has for a value: the same pytree, with an array for each array in it."""

        def inner(value: Value) -> Value:
            return self.tangent(value, level)

        if isinstance(value, (Array, NumPyArray)):
            return Array(level, value.dtype if value.dtype == "f" else "?", value.ndim)
        if value == NONE:
            return NONE
        if isinstance(value, (Const, Static)):
            return Array(level, ndim=0)
        if isinstance(value, OneOf):
            return join_all(map(inner, value.options))
        if isinstance(value, Tuple):
            items = None if value.items is None else tuple(map(inner, value.items))
            return Tuple(items, UNKNOWN if items is not None else inner(value.elem), value.cls)
        if isinstance(value, MutableContainer):
            return self.copy_of(value, ("tangent", level), inner)
        if isinstance(value, Instance) and value.cls.has_mark("pytree"):
            return self._copied(value, ("tangent", level, id(value)), inner)
        return TracerPytree(level)

    def is_sloped(self, value: Value, depth: int = 4) -> bool:
        """Whether a leaf of this argument is certainly a tracer of a gradient."""
        held: Iterable[Value] = ()
        if isinstance(value, MutableContainer) and depth:
            held = (*(value.items or ()), *value.entries.values())
        elif isinstance(value, Tuple) and depth:
            held = value.items or ()
        elif isinstance(value, Instance) and depth and value.cls.has_mark("pytree"):
            held = value.attributes.values()
        return bool(level_of(value) & DIFFERENTIATED) or any(self.is_sloped(each, depth - 1) for each in held)

    def _copied(self, value: Instance, key: Hashable, change: Callable[[Value], Value]) -> Instance:
        """An object that a transform makes anew, with other leaves."""
        found = self.flow.frame.heap.get(key)
        copy = found if isinstance(found, Instance) else Instance(value.cls, self.flow.context.depth)
        if id(copy) not in self.copying:
            self.core.keep(key, copy)
            self.copying.add(id(copy))
            self._pass_attributes(value, copy, change)
            self.copying.discard(id(copy))
        return copy


def _has_slope(value: Value) -> bool:
    """Whether a leaf of a result may depend on what is differentiated: all containers may."""
    if isinstance(value, (Array, Key)):
        return bool(value.level & DIFFERENTIATED)
    return not isinstance(value, (Const, Static, NumPyArray))


# what may be or hold arrays
_HOLDERS = (Array, TracerPytree, NumPyArray, Key, Tuple, MutableContainer, OneOf, Instance)


def _level_of_object(value: Product) -> int | None:
    """Which tracers the leaves of a layer are, or of a state of equinox; None of anything else."""
    return level_of_layer(value) if is_layer(value) else value.parts[1] if is_state(value) else None


def _object_with_level(value: Product, level: int) -> Product:
    """The same layer, or state, with leaves of this level."""
    return with_level(value, level) if is_layer(value) else Product(value.kind, value.parts[0], level)


def _is_pytree(value: Value) -> bool:
    return isinstance(value, Instance) and value.cls.has_mark("pytree")
