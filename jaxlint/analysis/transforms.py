"""What transforms do with the functions they are given: the table and its meaning.

A transform lifts the arguments it traces, analyzes the function in its own context, and lowers the
result again. Applying one without calling it analyzes the function with arguments of which only
their being traced is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from jaxlint.analysis.core import DOUBT, rank_of
from jaxlint.analysis.events import Choice, Transform, TransformedCall
from jaxlint.analysis.function_context import Context
from jaxlint.analysis.function_freshness import ARRAYS
from jaxlint.analysis.keys import Keys
from jaxlint.analysis.objects import LINEN_METHODS
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.whole_program import base_of
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.program import Module
from jaxlint.domain.tokens import FLATTEN, LEAVES
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Const,
    External,
    Function,
    Instance,
    Key,
    MutableContainer,
    NumPyArray,
    OneOf,
    Partial,
    Product,
    Static,
    TracerPytree,
    Transformed,
    Tuple,
    Unknown,
    Value,
    VariableRef,
    constants,
    join_all,
    level_of,
)
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.lowering import Expr
from jaxlint.ir.mentions import is_called_once


@dataclass(frozen=True, slots=True)
class Spec:
    """A transform that makes a function. `fun` is the name of its first parameter.

    leaves: what is traced of what it is given; `all`, `arrays` for those of equinox, to which numbers are
    static, and `module` for those of flax nnx, to which all is static of a module that is no array.
    """

    kind: str
    level: int
    params: tuple[str, ...] = ("fun",)
    leaves: str = "all"


_GRAD = ("fun", "argnums", "has_aux", "holomorphic", "allow_int", "reduce_axes")
WRAPPERS: dict[str, Spec] = {
    "jax.jit": Spec("jit", STAGED, ("fun",)),
    "jax.pmap": Spec("pmap", STAGED, ("fun", "axis_name")),
    "jax.vmap": Spec("vmap", BATCHED, ("fun", "in_axes", "out_axes", "axis_name")),
    "jax.grad": Spec("grad", DIFFERENTIATED, _GRAD),
    "jax.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, _GRAD),
    "jax.jacfwd": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.jacrev": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.jacobian": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.hessian": Spec("jacobian", DIFFERENTIATED, ("fun", "argnums", "has_aux")),
    "jax.checkpoint": Spec("checkpoint", STAGED, ("fun",)),
    "jax.named_call": Spec("transparent", 0, ("fun",)),
    "jax.custom_jvp": Spec("custom", 0, ("fun", "nondiff_argnums")),
    "jax.custom_vjp": Spec("custom", 0, ("fun", "nondiff_argnums")),
    "jax.custom_gradient": Spec("transparent", 0, ("fun",)),
    "jax.custom_batching.custom_vmap": Spec("checkpoint", STAGED, ("fun",)),
    "jax.shard_map": Spec("shard_map", STAGED, ("f", "mesh", "in_specs", "out_specs")),
    "jax.make_jaxpr": Spec("make_jaxpr", STAGED, ("fun", "static_argnums")),
    "jax.numpy.vectorize": Spec("vectorize", BATCHED, ("pyfunc",)),
    "equinox.filter_jit": Spec("jit", STAGED, ("fun",), "arrays"),
    "equinox.filter_vmap": Spec("vmap", BATCHED, ("fun",), "arrays"),
    "equinox.filter_grad": Spec("grad", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_value_and_grad": Spec("value_and_grad", DIFFERENTIATED, ("fun",), "arrays"),
    "equinox.filter_checkpoint": Spec("checkpoint", STAGED, ("fun",), "arrays"),
    "flax.nnx.jit": Spec("jit", STAGED, ("fun",), "module"),
    "flax.nnx.vmap": Spec("vmap", BATCHED, ("f",), "module"),
    "flax.nnx.grad": Spec("grad", DIFFERENTIATED, ("f",), "module"),
    "flax.nnx.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, ("f",), "module"),
    "flax.nnx.remat": Spec("checkpoint", STAGED, ("f",), "module"),
    "flax.nnx.scan": Spec("carrying", STAGED, ("f",), "module"),
    "haiku.grad": Spec("grad", DIFFERENTIATED, _GRAD[:4]),
    "haiku.value_and_grad": Spec("value_and_grad", DIFFERENTIATED, _GRAD[:4]),
    "haiku.remat": Spec("checkpoint", STAGED, ("fun",)),
    "jax.experimental.pallas.pallas_call": Spec("pallas", STAGED, ("kernel", "out_shape")),
}
ALIASES = {
    "jax.remat": "jax.checkpoint",
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
    "jax.experimental.pjit.pjit": "jax.jit",
    "jax.api.jit": "jax.jit",
    "chex.chexify": "jax.named_call",
    "haiku.jit": "jax.jit",
}


_MODULE = Const("module")
# traces that are thrown away: these run the function again whenever they are called
_LOOKS = frozenset(("eval_shape", "make_jaxpr"))
# traces that run the function once, when it is called for the first time
_RUNS = frozenset(("jit", "checkpoint"))


class Transforms(Keys):
    """Applies transforms and calls their results."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._for_one_call: dict[tuple[int, str], bool] = {}

    # ---- applying

    def wrap(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool) -> Value:
        spec = WRAPPERS[name]
        keywords = dict(keywords)
        func: Value | None
        if args:
            func = args[0]
            for param, value in zip(spec.params[1:], args[1:], strict=False):
                keywords.setdefault(param, value)
        else:
            func = None
            for param in (spec.params[0], "fun", "f"):
                if param in keywords:
                    func = keywords.pop(param)
                    break
        if func is None:
            return Partial(External(name), (), tuple(sorted(keywords.items(), key=lambda kv: kv[0])))
        if isinstance(func, (Unknown, Const)) or (isinstance(func, Class) and spec.kind != "jit"):
            if not isinstance(func, Class):
                return UNKNOWN
        if not exact:
            keywords["**"] = UNKNOWN
        options = tuple(sorted(keywords.items(), key=lambda item: item[0]))
        if spec.leaves != "all":
            options = (*options, (LEAVES, Const(spec.leaves)))
        results = []
        fresh = self.is_new(func, by_parts=Const(spec.leaves) == ARRAYS)
        for option in func.options if isinstance(func, OneOf) else (func,):
            if isinstance(option, Const):
                continue
            if isinstance(option, Partial):
                option = self._tested_partial(option)
            made = Transformed(spec.kind, option, options, (self.module, nid), fresh)
            made.conditions = tuple(each for each in self.conditions if each[0].startswith("self."))
            results.append(made)
            if not isinstance(option, Function):
                self.note_made(results[-1])
        if not results:
            return UNKNOWN
        for each in results:
            self.note_transform(each)
            event = Transform(
                nid, self.frame, spec.kind, each.func, keywords, each, self.decorating, self.frame.loop, fresh
            )
            self.emit("Transform", event)
            if not self.silent and spec.level and len(results) == 1:
                self.schedule(each)
        return join_all(results) if len(results) > 1 else results[0]

    def _tested_partial(self, func: Partial) -> Partial:
        """A partial under tests that show something of what it holds: it is traced only where they hold."""
        args = tuple([self.tested(value) for value in func.args])
        keywords = tuple([(name, self.tested(value)) for name, value in func.keywords])
        if args == func.args and keywords == func.keywords:
            return func
        copy = Partial(func.func, args, keywords)
        copy.birth = func.birth
        return copy

    def schedule(self, func: Transformed) -> None:
        """Later, analyze the function as if called with arguments of which nothing is known."""
        frame, module, nid = self.frame, self.module, func.place[1]
        context = self.context
        loop = frame.loop
        key = ("generic", func.kind, func.func, func.options, context)
        if key in frame.scheduled:
            return
        frame.scheduled.add(key)

        def run() -> None:
            if (func.kind, func.func) in self.called:
                return
            saved = (self.frame, self.env, self.context, self.module)
            self.trace_cache = TraceCache()
            self.frame, self.env, self.context, self.module = frame, frame.env, context, module
            kept, frame.loop = frame.loop, loop
            state = frame.env.vars
            frame.env.vars = dict(state)
            frame.env.vars.pop(DOUBT, None)
            args, keywords = self.generic_arguments(func)
            if args is not None:
                self.looking = True
                self.call_transformed(func, args, keywords, nid, True)
                self.looking = False
            frame.env.vars = state
            frame.loop = kept
            self.frame, self.env, self.context, self.module = saved

        base = base_of(func)
        rank = rank_of(base) if isinstance(base, Function) else (module.name, module.path, "")
        self.pending.append((rank, run))

    called: set[Any]
    applied: tuple[Module, int] | None = None  # where the transform that is called was applied

    def generic_arguments(self, func: Value) -> tuple[list[Value] | None, dict[str, Value]]:
        """One unknown argument for each parameter that a caller must give."""
        taken = 0
        given: set[str] = set()
        owner: list[Value] = []
        while not isinstance(func, Function):
            if isinstance(func, Transformed):
                func = func.func
            elif isinstance(func, Bound):
                taken += 1
                func = func.func
            elif isinstance(func, Partial):
                taken += len(func.args)
                given |= {name for name, _ in func.keywords}
                func = func.func
            elif isinstance(func, Instance):
                method = func.cls.lookup("__call__")
                if method is None:
                    return None, {}
                taken += 1
                func = method[0]
            else:
                return None, {}
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        for position, param in enumerate(func.code.params):
            if position < taken or param.name in given:
                continue
            if param.kind in "pn" and param.default is None:
                if position == 0 and func.cls is not None and param.name in ("self", "cls"):
                    args.append(self.generic_instance(func.cls))
                else:
                    args.append(Unknown(("g", (id(func.code), position))))
            elif param.kind == "k" and param.default is None:
                keywords[param.name] = Unknown(("g", (id(func.code), position)))
        return owner + args, keywords

    # ---- lifting and lowering

    def lift(self, value: Value, level: int, arrays_only: bool = False, drop: int = 0) -> Value:
        """An argument as the traced function sees it."""
        kind = type(value)
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
            return VariableRef(held, value.is_parameter)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level | level, value.token)
        if isinstance(value, Unknown):
            return TracerPytree(level, value.token) if not arrays_only else UNKNOWN
        if isinstance(value, Key):
            return Key(
                self.fresh() if value.many and drop else value.token,
                value.level | level,
                value.many and not drop,
                None if drop else value.count,
            )
        if isinstance(value, (Const, Static)):
            return value if arrays_only else _lifted_scalar(value, level)
        if isinstance(value, Tuple):
            if value.items is None:
                return Tuple(None, self.lift(value.elem, level, arrays_only, drop), value.cls)
            return Tuple(
                tuple(self.lift(item, level, arrays_only, drop) for item in value.items), cls=value.cls
            )
        if isinstance(value, MutableContainer):
            return self._copy(value, ("lift", level, drop), lambda v: self.lift(v, level, arrays_only, drop))
        if isinstance(value, OneOf):
            return join_all(self.lift(option, level, arrays_only, drop) for option in value.options)
        if isinstance(value, Instance):
            if any(self.full_name(each) in self.taught.static_types for each in value.cls.lineage()):
                return value
            return self._lift_instance(value, level, arrays_only, drop)
        if _is_layer(value):
            return value
        if arrays_only and kind in (Function, Bound, Partial, Transformed, Class, External, Product):
            return value
        if isinstance(value, Partial):
            return Partial(
                value.func,
                tuple(self.lift(each, level, arrays_only, drop) for each in value.args),
                tuple((name, self.lift(each, level, arrays_only, drop)) for name, each in value.keywords),
            )
        return UNKNOWN

    def lift_leaves(self, func: Transformed, value: Value, level: int, drop: int = 0) -> Value:
        """An argument as the transform lifts it."""
        leaves = func.option(LEAVES)
        if leaves == _MODULE and isinstance(value, Unknown):
            return UNKNOWN  # it may be a module
        return self.lift(value, level, leaves == ARRAYS, drop)

    def _copy(self, box: MutableContainer, tag: Any, change: Callable[[Value], Value]) -> MutableContainer:
        """A container that a transform rebuilds: the traced code changes its own copy."""
        key = ("copy", id(box), tag, self.context.depth)
        found = self.frame.heap.get(key)
        copy = (
            found
            if isinstance(found, MutableContainer)
            else MutableContainer(box.kind, self.context.depth + 1, 0)
        )
        if id(copy) in self.copying:
            return copy
        self.keep(key, copy)
        self.copying.add(id(copy))
        copy.depth = self.context.depth + 1
        copy.items = None if box.items is None else [change(item) for item in box.items]
        copy.entries = {name: change(value) for name, value in box.entries.items()}
        copy.elem = None if box.elem is None else change(box.elem)
        self.copying.discard(id(copy))
        return copy

    copying: set[int]

    def _lift_instance(self, value: Instance, level: int, arrays_only: bool, drop: int) -> Value:
        cls = value.cls
        if not cls.has_mark("pytree"):
            return value if arrays_only or _is_layer(value) else UNKNOWN
        arrays_only = arrays_only or cls.has_mark("nnx")  # flax keeps all else as static
        key = ("lifted", id(value), level, drop)
        found = self.frame.heap.get(key)
        copy = found if isinstance(found, Instance) else Instance(cls, self.context.depth + 1, value.generic)
        if id(copy) in self.copying:
            return copy
        self.keep(key, copy)
        self.copying.add(id(copy))
        copy.depth = self.context.depth + 1
        copy.level = level
        children = self.children_of(value)
        self._pass_attributes(value, copy, children, lambda each: self.lift(each, level, arrays_only, drop))
        if value.generic and children is None and not arrays_only and not cls.has_mark("flattened"):
            for name, (_, static) in cls.all_fields().items():
                if not static and name not in value.attributes:
                    copy.attributes[name] = TracerPytree(level)
        self.copying.discard(id(copy))
        return copy

    def _pass_attributes(
        self, value: Instance, copy: Instance, children: set[str] | None, change: Callable[[Value], Value]
    ) -> None:
        """The attributes of an object on the other side of a transform: leaves change, static ones do not.
        Which are which, some classes leave to a function of which nothing is known."""
        fields = value.cls.all_fields()
        unknown = children is None and value.cls.has_mark("flattened")
        for name, attribute in value.attributes.items():
            static = fields.get(name, (None, False))[1] or (children is not None and name not in children)
            copy.attributes[name] = attribute if static else UNKNOWN if unknown else change(attribute)

    def children_of(self, value: Instance) -> set[str] | None:
        """The attributes that `tree_flatten` gives as children, where it can be told."""
        method = value.cls.lookup("tree_flatten") or value.cls.lookup(FLATTEN)
        if method is None or not isinstance(method[0], Function):
            return None
        found: set[str] = set()
        own = method[0].code.params[0].name if method[0].code.params else "self"
        for statement in method[0].code.body:
            if statement[0] == "return" and statement[2][0] == "tuple" and len(statement[2][1]) == 2:
                _attributes(statement[2][1][0], own, found)
                return found
            if statement[0] == "assign" and statement[2][0][0] == "name":
                if statement[2][0][2] in ("children", "leaves", "dynamic"):
                    _attributes(statement[3], own, found)
        return found or None

    def lower(
        self, value: Value, level: int, extra: int = 0, sloped: bool = True, arrays_only: bool = False
    ) -> Value:
        """A result as the caller of the transformed function sees it. `sloped`: where it has no slope itself,
        it is still a tracer of the gradient around."""
        if arrays_only and not isinstance(value, _HOLDERS):
            return UNKNOWN if isinstance(value, Unknown) else value
        if not sloped and not isinstance(value, Unknown) and not _has_slope(value):
            level &= ~DIFFERENTIATED
        again = partial(self.lower, level=level, extra=extra, sloped=sloped, arrays_only=arrays_only)
        if isinstance(value, Array):
            return Array(level, value.dtype, None if value.ndim is None else value.ndim + extra)
        if isinstance(value, VariableRef):
            return VariableRef(self.lower(value.inner, level, extra), value.is_parameter)
        if isinstance(value, (TracerPytree, Unknown)):
            return TracerPytree(level)
        if isinstance(value, NumPyArray):
            return Array(level, value.dtype, value.ndim)
        if isinstance(value, Key):
            return Key(
                self.fresh() if extra else value.token,
                level,
                value.many or bool(extra),
                None if extra else value.count,
            )
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
            return self._copy(value, ("lower", level, extra, arrays_only), again)
        if isinstance(value, OneOf):
            return join_all(map(again, value.options))
        if isinstance(value, Instance) and value.cls.has_mark("pytree"):
            arrays_only = arrays_only or value.cls.has_mark("nnx")
            key = ("lowered", id(value), level, arrays_only)
            found = self.frame.heap.get(key)
            copy = found if isinstance(found, Instance) else Instance(value.cls, self.context.depth)
            if id(copy) in self.copying:
                return copy
            self.keep(key, copy)
            self.copying.add(id(copy))
            change = partial(again, arrays_only=arrays_only)
            self._pass_attributes(value, copy, self.children_of(value), change)
            self.copying.discard(id(copy))
            return copy
        return value if arrays_only or _is_layer(value) else UNKNOWN

    # ---- calling

    def inside(self, level: int) -> Context:
        """The context inside a transform of this level."""
        context = self.context
        if level & STAGED:
            return context._replace(staged=True, depth=context.depth + 1, stage=context.depth + 1)
        batched = context.batched or bool(level & BATCHED)
        return context._replace(depth=context.depth + 1, batched=batched)

    def enter_trace(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, kind: str, level: int,
        exact: bool = True,
    ) -> Value:  # fmt: skip
        """Analyzes a function inside a trace."""
        saved = self.context
        self.context = self.inside(level)
        if kind in _LOOKS or (kind in _RUNS and self.is_for_one_call(func)):
            self.context = self.context._replace(looked=self.context.depth)
        frame = self.frame
        loop, frame.loop = frame.loop, 0
        self.entering = kind
        self.place, self.applied = self.applied or (self.module, nid), None
        around, self.around = self.around, (*self.around, kind)
        try:
            result = self.call(func, args, keywords, nid, exact)
        finally:
            self.around = around
        self.entering = ""
        self.static = ()
        frame.loop = loop
        self.context = saved
        return result

    def is_for_one_call(self, func: Value) -> bool:
        """Whether a function is made by what is analyzed here, which calls it once: it is traced when it is
        called, and never again."""
        maker = self.frame.func
        if maker is None or not isinstance(func, Function) or func.env is not self.env:
            return False
        key = (id(maker.code), func.code.name)
        if key not in self._for_one_call:
            self._for_one_call[key] = is_called_once(maker.code.body, func.code.name, self.module.program)
        return self._for_one_call[key]

    def call_transformed(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.static_positions(func, len(args))
        if not self.looking:
            self.called.add((func.kind, func.func))
        self.note_use(func, args, None if static is None else static[0], nid)
        if "TransformedCall" in self.hooks:
            self.emit(
                "TransformedCall", TransformedCall(nid, self.frame, func, args, keywords, self.frame.loop)
            )
        self.applied = func.place
        saved = self.context
        if func.conditions:
            self.context = saved._replace(assumed=func.conditions)
        self.hold(func, func.kind)
        handler: Callable[..., Value] = getattr(self, "t_" + func.kind)
        result = handler(func, args, keywords, nid, exact)
        self.applied = None  # it may have traced nothing
        self.context = saved
        return result

    def static_positions(self, func: Transformed, count: int) -> tuple[set[int], set[str]] | None:
        """Which arguments are static, by position and name; None where it can't be told."""
        numbers: set[int] = set()
        names: set[str] = set()
        if func.option("**") is not None:
            return None
        for option in ("static_argnums", "static_broadcasted_argnums"):
            value = func.option(option)
            if value is not None and value != NONE:
                found = constants(value)
                if found is None or not all(isinstance(each, int) for each in found):
                    return None
                numbers |= set(found)
        value = func.option("static_argnames")
        if value is not None and value != NONE:
            found = constants(value)
            if found is None:
                return None
            names |= {str(each) for each in found}
        params = self.parameter_names(func.func)
        if params is not None:
            numbers = {number if number >= 0 else number + len(params) for number in numbers}
            names |= {params[number] for number in numbers if 0 <= number < len(params)}
            numbers |= {position for position, name in enumerate(params) if name in names}
        elif names:
            return None
        else:
            numbers = {number if number >= 0 else number + count for number in numbers}
        return numbers, names

    def parameter_names(self, func: Value) -> list[str] | None:
        """The positional parameters that a caller of this function fills, by its signature."""
        if isinstance(func, Function):
            wrapped = func.attributes.get("__wrapped__")
            if wrapped is not None or "__signature__" in func.attributes:
                return None if wrapped is None else self.parameter_names(wrapped)
            return [param.name for param in func.code.params if param.kind in "pn"]
        if isinstance(func, Bound):
            inner = self.parameter_names(func.func)
            return None if inner is None else inner[1:]
        if isinstance(func, Partial):
            inner = self.parameter_names(func.func)
            given = {name for name, _ in func.keywords}
            if inner is None:
                return None
            return [name for name in inner[len(func.args) :] if name not in given]
        if isinstance(func, Transformed):
            return self.parameter_names(func.func)
        if isinstance(func, Instance):
            method = func.cls.lookup("__call__")
            inner = None if method is None else self.parameter_names(method[0])
            return None if inner is None else inner[1:]
        if isinstance(func, Product) and func.kind == "linen-method":
            return LINEN_METHODS[func.parts[0]]
        return None

    def t_jit(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        if self.context.unjitted:
            return self.call(func.func, args, keywords, nid, exact)
        static = self.static_positions(func, len(args))
        leaves = func.option(LEAVES)
        outer = self.arrays_level([*args, *keywords.values()])
        if static is None:
            lifted: list[Value] = [UNKNOWN for _ in args]
            named: dict[str, Value] = dict.fromkeys(keywords, UNKNOWN)
        else:
            numbers, names = static
            lifted = [
                value
                if position in numbers or isinstance(value, Product)
                else self.lift_leaves(func, value, STAGED)
                for position, value in enumerate(args)
            ]
            named = {
                name: value if name in names else self.lift_leaves(func, value, STAGED)
                for name, value in keywords.items()
            }
            self.note_static(func, (value for position, value in enumerate(args) if position in numbers))
        if not self.context.staged:
            self.given = tuple(each for each in lifted if isinstance(each, Instance))
        target = func.func
        if leaves is not None and isinstance(target, Bound):
            target = Bound(target.func, self.lift(target.owner, STAGED, True))
        result = self.enter_trace(target, lifted, named, nid, func.kind, STAGED, exact)
        if leaves == _MODULE and isinstance(result, Unknown):
            return UNKNOWN
        return self.lower(result, outer, sloped=False, arrays_only=leaves == ARRAYS)

    def t_pmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.static_positions(func, len(args))
        numbers = static[0] if static is not None else set(range(len(args)))
        lifted = [
            value if position in numbers else self.lift(value, STAGED, drop=1)
            for position, value in enumerate(args)
        ]
        named = {name: self.lift(value, STAGED, drop=1) for name, value in keywords.items()}
        self.note_static(func, (value for position, value in enumerate(args) if position in numbers))
        result = self.enter_trace(func.func, lifted, named, nid, func.kind, STAGED, exact)
        self.consume_mapped(_lanes([*args, *keywords.values()], [*lifted, *named.values()]), nid, "pmap")
        return self.lower(result, self.arrays_level(args), 1)

    def t_checkpoint(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.t_jit(func, args, keywords, nid, exact)

    def t_make_jaxpr(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        with self.unspent():
            self.t_jit(func, args, keywords, nid, exact)
        return Product("opaque", "jaxpr")

    def t_shard_map(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """Outside of staged code the body runs at every call: what is the same on all devices is known but to
        NumPy and `float`, as under grad, and what a spec spreads over them is not, as under vmap."""
        specs = func.option("in_specs")
        items = specs.items if isinstance(specs, Tuple) else None
        lifted = []
        for position, value in enumerate(args):
            spec = items[position] if items is not None and position < len(items) else specs
            level = STAGED if self.context.staged else DIFFERENTIATED
            if level != STAGED and isinstance(spec, Product) and spec.kind == "spec":
                level = (
                    BATCHED if any(isinstance(each, Const) and each != NONE for each in spec.parts) else level
                )
            lifted.append(value if spec == NONE else self.lift(value, level))
        level = STAGED if self.context.staged else DIFFERENTIATED
        result = self.enter_trace(func.func, lifted, keywords, nid, "shard_map", level, exact)
        return self.lower(result, self.arrays_level(args))

    def t_pallas(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.made(args)

    def t_transparent(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.call(func.func, args, keywords, nid, exact)

    def t_custom(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """The function itself, and where it is differentiated its rules."""
        entered = (self.entering, self.place)
        rules = self.custom_rules.get(func.place, ())
        if not rules or not any(level_of(value) & DIFFERENTIATED for value in args):
            return self.call(func.func, args, keywords, nid, exact)
        saved, spent = self.context, self.env.vars.get("$spent")
        if not saved.staged or saved.stage < saved.depth:
            self.context = saved._replace(quiet=True)  # the rules are run in its place
        result = self.call(func.func, args, keywords, nid, exact)
        self.context = saved
        given = func.option("nondiff_argnums")
        numbers = constants(given) if given is not None else ()
        if numbers is not None and func.option("nondiff_argnames") is None:
            self.restore_spent(spent)
            self._analyze_rules(numbers, rules, args, nid, entered)
        return result

    def _analyze_rules(
        self, numbers: tuple[Any, ...], rules: tuple[Value, ...], args: list[Value], nid: int,
        entered: tuple[str, tuple[Any, int]],
    ) -> None:  # fmt: skip
        """Rules see primals of which one level of differentiation is taken off."""
        primals = [self.without_gradient(value) for value in args]
        kept = [value for position, value in enumerate(primals) if position in numbers]
        rest = [value for position, value in enumerate(primals) if position not in numbers]
        cotangent = Array(self.arrays_level(primals))
        self.entering, self.place = entered
        if len(rules) == 1:
            tangents = Tuple(tuple(cotangent for _ in rest))
            self.call(rules[0], [*kept, Tuple(tuple(rest)), tangents], {}, nid)
            return
        forward = self.call(rules[0], primals, {}, nid)
        parts = forward.items if isinstance(forward, Tuple) and forward.items is not None else ()
        residuals = parts[1] if len(parts) == 2 else UNKNOWN
        self.entering, self.place = entered
        self.call(rules[1], [*kept, residuals, cotangent], {}, nid)

    def without_gradient(self, value: Value) -> Value:
        if isinstance(value, Array):
            return Array(value.level & ~DIFFERENTIATED, value.dtype, value.ndim)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level & ~DIFFERENTIATED, value.token)
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(self.without_gradient(item) for item in value.items), cls=value.cls)
        return value

    custom_rules: dict[Any, tuple[Value, ...]]

    def axes_of(self, func: Transformed, count: int) -> list[Value] | None:
        """`in_axes`, one for each positional argument."""
        axes = func.option("in_axes")
        if axes is None:
            return [Const(0)] * count
        if isinstance(axes, Const):
            return [axes] * count
        items = self.known_items(axes)
        return list(items) if items is not None and len(items) == count else None

    def t_vmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        arrays_only = func.option(LEAVES) == ARRAYS
        axes = self.axes_of(func, len(args))
        lifted: list[Value] = []
        for position, value in enumerate(args):
            if axes is None:
                lifted.append(UNKNOWN)
            else:
                lifted.append(self.map_axis(func, value, axes[position]))
        named = {name: self.lift_leaves(func, value, BATCHED, 1) for name, value in keywords.items()}
        outer = self.arrays_level([*args, *keywords.values()])
        if axes is not None and func.option(LEAVES) != _MODULE:
            both = zip([*args, *lifted], [*axes, *axes], strict=True)
            given = [value for value, axis in both if axis != NONE]
            self.mapped = frozenset(_roots([*given, *keywords.values(), *named.values()]))
        result = self.enter_trace(func.func, lifted, named, nid, func.kind, BATCHED, exact)
        self.mapped = None
        self.consume_mapped(_lanes(args, lifted), nid, "vmap")
        return self.lower(result, outer, 1, sloped=False, arrays_only=arrays_only)

    def map_axis(self, func: Transformed, value: Value, axis: Value) -> Value:
        if axis == NONE:
            return value
        if isinstance(axis, Const):
            return self.lift_leaves(func, value, BATCHED, 1)
        axes = self.known_items(axis)
        if isinstance(value, Tuple) and value.items is not None and axes is not None:
            if len(axes) == len(value.items):
                return Tuple(
                    tuple(self.map_axis(func, v, a) for v, a in zip(value.items, axes, strict=True)),
                    cls=value.cls,
                )
        if (
            isinstance(axis, MutableContainer)
            and axis.kind == "dict"
            and isinstance(value, MutableContainer)
            and value.kind == "dict"
        ):
            return self._copy(value, "axes", lambda each: UNKNOWN)
        return UNKNOWN

    def t_vectorize(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        excluded = func.option("excluded")
        found = constants(excluded) if excluded is not None else ()
        signature = func.option("signature")
        lifted: list[Value] = []
        for position, value in enumerate(args):
            if found is None:
                lifted.append(UNKNOWN)
            elif position in found or isinstance(value, (Const, Static)):
                lifted.append(value if position in found else Array(0))
            elif isinstance(value, (Array, NumPyArray)) and (value.ndim or 0) == 0 and value.ndim is not None:
                lifted.append(Array(level_of(value)))
            else:
                level = BATCHED if signature is None and _has_dimensions(value) else 0
                lifted.append(Array(level | level_of(value)))
        result = self.enter_trace(func.func, lifted, keywords, nid, func.kind, BATCHED, exact)
        return self.lower(result, self.arrays_level(args))

    def _differentiate(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> tuple[Value, Value, int]:
        """The function's result, the differentiated arguments, and the outer level."""
        value = func.option("argnums")
        numbers = constants(value) if value is not None else (0,)
        lifted: list[Value] = []
        wanted: list[Value] = []
        for position, each in enumerate(args):
            if numbers is None or func.option("**") is not None:
                lifted.append(UNKNOWN)
            elif position in numbers or (position - len(args)) in numbers:
                lifted.append(self.lift_leaves(func, each, DIFFERENTIATED))
                wanted.append(each)
            else:
                lifted.append(each)
        outer = self.arrays_level([*args, *keywords.values()])
        result = self.enter_trace(func.func, lifted, keywords, nid, func.kind, DIFFERENTIATED, exact)
        single = value is None or isinstance(value, Const)
        target: Value = UNKNOWN
        if wanted:
            target = wanted[0] if single else Tuple(tuple(wanted))
        return result, target, outer

    def t_grad(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer = self._differentiate(func, args, keywords, nid, exact)
        gradient = self.lower(target, outer)
        aux = func.option("has_aux")
        if aux is not None and aux != Const(False):
            items = result.items if isinstance(result, Tuple) else None
            extra = items[1] if items is not None and len(items) == 2 else UNKNOWN
            arrays_only = func.option(LEAVES) == ARRAYS
            return Tuple((gradient, self.lower(extra, outer, arrays_only=arrays_only)))
        return gradient

    def t_value_and_grad(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer = self._differentiate(func, args, keywords, nid, exact)
        arrays_only = func.option(LEAVES) == ARRAYS
        return Tuple((self.lower(result, outer, arrays_only=arrays_only), self.lower(target, outer)))

    def t_carrying(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """A body that is scanned over whatever its `in_axes` names an axis for."""
        axes = func.option("in_axes")
        items = self.known_items(axes) if axes is not None else (External("flax.nnx.Carry"), Const(0))
        lifted: list[Value] = []
        for position, value in enumerate(args):
            axis = items[position] if items is not None and position < len(items) else UNKNOWN
            known = axis == External("flax.nnx.Carry") or (isinstance(axis, Const) and axis != NONE)
            lifted.append(
                self.lift_leaves(func, value, STAGED, int(isinstance(axis, Const))) if known else UNKNOWN
            )
        self.enter_trace(func.func, lifted, keywords, nid, "scan", STAGED, exact)
        return UNKNOWN

    def t_jacobian(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer = self._differentiate(func, args, keywords, nid, exact)
        aux = func.option("has_aux")
        plain = isinstance(result, Array) and isinstance(target, Array) and aux in (None, Const(False))
        return Array(outer) if plain else TracerPytree(outer)

    # ---- functions that run what they are given

    def run_staged(self, func: Value | None, args: list[Value], nid: int, kind: str) -> Value:
        if func is None:
            return UNKNOWN
        self.hold(func, kind)
        if self.context.unjitted:
            return self.call(func, list(args), {}, nid)
        lifted = [self.lift(value, STAGED) for value in args]
        return self.enter_trace(func, lifted, {}, nid, kind, STAGED)

    def repeat_body(
        self,
        func: Value | None,
        args: list[Value],
        nid: int,
        kind: str,
        carry: int | None = None,
    ) -> Value:
        """Analyzes a loop body twice: a key from around it that is spent is spent again.

        `carry` is the argument that the second turn takes from the first one's result.
        """
        rounds = len(self.rounds)
        self.rounds.append(((self.module, nid), kind, 0))
        first = self.run_staged(func, args, nid, kind)
        again = [self.fresh_copy(value) for value in args]
        if carry is not None:
            result: Value = first
            if kind == "scan":
                result = first.items[0] if isinstance(first, Tuple) and first.items else UNKNOWN
            again[carry] = self.another(args[carry]) if isinstance(result, Unknown) else result
        frame = self.frame
        frame.loop += 1
        self.rounds[rounds:] = [((self.module, nid), kind, 1)]
        last = self.run_staged(func, again, nid, kind)
        del self.rounds[rounds:]
        frame.loop -= 1
        return first if isinstance(last, Unknown) else last

    def c_scan(self, call: Call) -> Value:
        func, init, xs = call.get(0, "f"), call.get(1, "init"), call.get(2, "xs")
        if init is None:
            return UNKNOWN
        outer = self.arrays_level([each for each in (init, xs) if each is not None])
        element = NONE if xs is None or xs == NONE else self.element_of(xs)
        result = self.repeat_body(func, [init, element], call.nid, "scan", 0)
        self.consume_mapped(_lanes([xs or NONE], [element]), call.nid, "scan")
        parts = result.items if isinstance(result, Tuple) and result.items is not None else ()
        carry = self.carried(parts[0] if len(parts) == 2 else UNKNOWN, init, outer)
        if len(parts) == 2:
            return Tuple((carry, self.lower(parts[1], outer, 1)))
        return Tuple((carry, TracerPytree(outer)))

    def element_of(self, value: Value) -> Value:
        """One slice along the leading axis of every leaf."""
        return self.lift(value, 0, drop=1) if not isinstance(value, Unknown) else UNKNOWN

    def c_while_loop(self, call: Call) -> Value:
        init = call.get(2, "init_val")
        if init is None:
            return UNKNOWN
        outer = self.arrays_level([init])
        test = call.get(0, "cond_fun")
        goes_on = self.run_staged(test, [init], call.nid, "while_loop")
        result = self.repeat_body(call.get(1, "body_fun"), [init], call.nid, "while_loop", 0)
        if level_of(result) & ~level_of(goes_on) & BATCHED:
            goes_on = self.run_staged(test, [result], call.nid, "while_loop")
        if level_of(goes_on):
            self.emit("Choice", Choice(call.nid, self.frame, "while_loop", goes_on))
        return self.carried(result, init, outer)

    def c_fori_loop(self, call: Call) -> Value:
        init = call.get(3, "init_val")
        if init is None:
            return UNKNOWN
        lower, upper = call.get(0, "lower"), call.get(1, "upper")
        outer = self.arrays_level([each for each in (init, lower, upper) if each is not None])
        counter = Array(0, "i", 0)
        result = self.repeat_body(call.get(2, "body_fun"), [counter, init], call.nid, "fori_loop", 1)
        return self.carried(result, init, outer)

    def carried(self, result: Value, init: Value, level: int) -> Value:
        """What a loop leaves in its carry: what its body gives, or something like its start."""
        if isinstance(result, Unknown):
            return self.lower(self.another(init), level)
        return self.lower(result, level)

    def another(self, value: Value) -> Value:
        """What a body of which nothing is known may have put in the place of this: its keys are others."""
        return self._renewed(self.lift(value, STAGED), set())

    def _renewed(self, value: Value, seen: set[int]) -> Value:
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(self._renewed(item, seen) for item in value.items), cls=value.cls)
        if not isinstance(value, (MutableContainer, Instance)) or id(value) in seen:
            return self.fresh_copy(value)
        seen.add(id(value))
        if isinstance(value, Instance):
            value.many = True
            value.attributes = {name: self._renewed(each, seen) for name, each in value.attributes.items()}
            return value
        if value.items is not None:
            value.items = [self._renewed(item, seen) for item in value.items]
        value.entries = {name: self._renewed(each, seen) for name, each in value.entries.items()}
        value.elem = None if value.elem is None else self._renewed(value.elem, seen)
        return value

    def c_cond(self, call: Call) -> Value:
        operands = call.args[3:]
        if "operand" in call.keywords:
            operands = [call.keywords["operand"]]
        branches = [call.get(1, "true_fun"), call.get(2, "false_fun")]
        predicate = call.get(0, "pred")
        test = self.calling[3][0] if self.calling[1] == call.nid and self.calling[3] else ("opaque",)
        return self._branches(branches, operands, predicate, call.nid, "cond", [(test, True), (test, False)])

    def c_switch(self, call: Call) -> Value:
        operands = call.args[2:]
        if "operand" in call.keywords:
            operands = [call.keywords["operand"]]
        branches = call.get(1, "branches")
        items = self.known_items(branches) if branches is not None else None
        found: list[Value | None] = list(items) if items is not None else []
        if items is None and isinstance(branches, MutableContainer):
            found = [branches.each()]
        index = self.calling[3][0] if self.calling[1] == call.nid and self.calling[3] else ("opaque",)
        tests = [(("cmp", call.nid, index, (("==", ("const", place)),)), True) for place in range(len(found))]
        return self._branches(found, operands, call.get(0, "index"), call.nid, "switch", tests)

    def _branches(
        self, branches: list[Value | None], operands: list[Value], chosen: Value | None, nid: int, kind: str,
        tests: Sequence[tuple[Expr, bool]],
    ) -> Value:  # fmt: skip
        outer = self.arrays_level([*operands, *([chosen] if chosen is not None else [])])
        if chosen is not None and level_of(chosen):
            self.emit("Choice", Choice(nid, self.frame, kind, chosen))

        def take(branch: Value, test: Expr, truth: bool) -> Value:
            self.tests.append(Held(test, truth, len(self.frame.iterations)))
            result = self.run_staged(branch, operands, nid, kind)
            self.tests.pop()
            return result

        known = [
            partial(take, branch, *test)
            for branch, test in zip(branches, tests, strict=False)
            if branch is not None
        ]
        return self.lower(self.either(known), outer, sloped=False)

    def c_map(self, call: Call) -> Value:
        func, xs = call.get(0, "f"), call.get(1, "xs")
        if xs is None:
            return UNKNOWN
        outer = self.arrays_level([xs])
        element = self.element_of(xs)
        result = self.repeat_body(func, [element], call.nid, "map")
        self.consume_mapped(_lanes([xs], [element]), call.nid, "map")
        return self.lower(result, outer, 1)

    def c_associative_scan(self, call: Call) -> Value:
        func, elements = call.get(0, "fn"), call.get(1, "elems")
        if func is None or elements is None:
            return UNKNOWN
        self.call(func, [elements, elements], {}, call.nid)
        return elements

    def c_eval_shape(self, call: Call) -> Value:
        if call.args:
            with self.unspent():
                self.run_staged(call.args[0], call.args[1:], call.nid, "eval_shape")
        return Product("opaque", "shapes")

    def c_jvp(self, call: Call) -> Value:
        func, primals = call.get(0, "fun"), call.get(1, "primals")
        if func is None or primals is None:
            return UNKNOWN
        items = self.known_items(primals)
        if items is None:
            return UNKNOWN
        outer = self.arrays_level(items)
        lifted = [self.lift(item, DIFFERENTIATED) for item in items]
        result = self.lower(self.enter_trace(func, lifted, {}, call.nid, "jvp", DIFFERENTIATED), outer)
        return Tuple((result, result))

    def c_vjp(self, call: Call) -> Value:
        func = call.get(0, "fun")
        if func is None:
            return UNKNOWN
        outer = self.arrays_level(call.args[1:])
        lifted = [self.lift(item, DIFFERENTIATED) for item in call.args[1:]]
        name = "linearize" if call.name.endswith("linearize") else "vjp"
        result = self.enter_trace(func, lifted, {}, call.nid, name, DIFFERENTIATED)
        aux = call.keywords.get("has_aux")
        if aux is not None and aux != Const(False):
            return UNKNOWN
        return Tuple((self.lower(result, outer), Product("opaque", "vjp")))

    def c_callback(self, call: Call) -> Value:
        """The body of a callback runs on the host, with NumPy arrays."""
        if not call.args:
            return UNKNOWN
        skip = 1 if call.name.endswith("debug.callback") else 2
        host = [NumPyArray() for _ in call.args[skip:]]
        saved = self.context
        self.context = Context(quiet=saved.quiet)
        self.call(call.args[0], list(host), {}, call.nid, call.exact)
        self.context = saved
        return TracerPytree(self.arrays_level(call.args[skip:]))


@dataclass(slots=True)
class Call:
    """A call of a library function."""

    name: str
    args: list[Value]
    keywords: dict[str, Value]
    nid: int
    exact: bool

    def get(self, position: int, name: str) -> Value | None:
        if name in self.keywords:
            return self.keywords[name]
        return self.args[position] if position < len(self.args) else None


def _lanes(args: Sequence[Value], lifted: Sequence[Value]) -> list[tuple[Any, Any]]:
    """The tokens of the keys that a mapped function gets one by one, with that of the array."""
    found: list[tuple[Any, Any]] = []
    for whole, lane in zip(args, lifted, strict=False):
        if isinstance(whole, Key) and isinstance(lane, Key) and whole.many and not lane.many:
            found.append((lane.token, whole.token))
        elif isinstance(whole, Tuple) and isinstance(lane, Tuple):
            found += _lanes(whole.items or (), lane.items or ())
    return found


def _roots(values: Iterable[Value]) -> Iterator[Any]:
    """What the tokens in some values begin with."""
    for value in values:
        if isinstance(value, Tuple):
            yield from _roots(value.items if value.items is not None else (value.elem,))
        elif isinstance(value, OneOf):
            yield from _roots(value.options)
        elif isinstance(value, MutableContainer):
            yield from _roots([*value.entries.values(), *(value.items or ())])
        elif isinstance(value, Instance):
            yield id(value)
        elif (token := getattr(value, "token", None)) is not None:
            yield root_of(token)


def _has_slope(value: Value) -> bool:
    """Whether a leaf of a result may depend on what is differentiated: all containers may."""
    if isinstance(value, (Array, Key)):
        return bool(value.level & DIFFERENTIATED)
    return not isinstance(value, (Const, Static, NumPyArray))


# what may be or hold arrays
_HOLDERS = (Array, TracerPytree, NumPyArray, Key, Tuple, MutableContainer, OneOf, Instance)


def _lifted_scalar(value: Const | Static, level: int) -> Value:
    """A number of Python's as the traced function sees it; what is no number no array can be made of."""
    if isinstance(value, Const):
        if value.value is None:
            return value
        dtype = {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value))
        return UNKNOWN if dtype is None else Array(level, dtype, 0)
    dtype = {"bool": "b", "int": "i", "float": "f"}.get(value.type)
    if dtype is None:
        return UNKNOWN if value.type in ("str", "dtype") else TracerPytree(level)
    return Array(level, dtype, 0)


def _is_layer(value: Value) -> bool:
    return isinstance(value, Product) and value.kind == "layer"


def _has_dimensions(value: Value) -> bool:
    return isinstance(value, (Array, NumPyArray)) and value.ndim is not None and value.ndim > 0


def _attributes(node: Any, own: str, found: set[str]) -> None:
    """The attributes of the variable `own` that an expression reads."""
    if not isinstance(node, tuple) or not node:
        return
    if node[0] == "attr" and node[2][0] == "name" and node[2][2] == own:
        found.add(node[3])
        return
    for part in node:
        if isinstance(part, tuple):
            _attributes(part, own, found)


RUNNERS = {
    "haiku.scan": "c_scan", "haiku.while_loop": "c_while_loop", "haiku.fori_loop": "c_fori_loop",
    "haiku.cond": "c_cond", "haiku.switch": "c_switch", "haiku.map": "c_map",
    "flax.nnx.cond": "c_cond", "flax.nnx.while_loop": "c_while_loop", "flax.nnx.fori_loop": "c_fori_loop",
    "jax.lax.scan": "c_scan", "jax.lax.while_loop": "c_while_loop",
    "jax.lax.fori_loop": "c_fori_loop", "jax.lax.cond": "c_cond", "jax.lax.switch": "c_switch",
    "jax.lax.map": "c_map", "jax.lax.associative_scan": "c_associative_scan",
    "jax.eval_shape": "c_eval_shape", "jax.jvp": "c_jvp", "jax.vjp": "c_vjp",
    "jax.linearize": "c_vjp", "jax.pure_callback": "c_callback",
    "jax.experimental.io_callback": "c_callback", "jax.debug.callback": "c_callback",
    "jax.experimental.host_callback.call": "c_callback",
}  # fmt: skip
