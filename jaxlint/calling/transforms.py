"""Transforms: what `jit`, `vmap`, `grad` and others make of a function, and calls of that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from jaxlint.analysis.core import DOUBT, Core, Rank, rank_of
from jaxlint.analysis.events import Transform, TransformedCall
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Context
from jaxlint.analysis.function_freshness import ARRAYS, FunctionFreshness
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.analysis.whole_program import base_of
from jaxlint.calling.calls import Calls
from jaxlint.calling.lifting import OWN_MODULE, Lifting
from jaxlint.domain.join import MutableContainer, Tuple, join_all, level_of
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Bound, Class, Function, Instance, Key, Module, Partial, Transformed
from jaxlint.domain.questions import constants
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import LINEN_METHODS
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
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
# traces that are thrown away: these run the function again whenever they are called
_LOOKS = frozenset(("eval_shape", "make_jaxpr"))
# traces that run the function once, when it is called for the first time
_RUNS = frozenset(("jit", "checkpoint"))


class Transforms:
    """Applies transforms and calls their results."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        expressions: Expressions,
        keys: Keys,
        definitions: Definitions,
        narrowing: Narrowing,
        calls: Calls,
        lifting: Lifting,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.expressions = expressions
        self.keys = keys
        self.definitions = definitions
        self.narrowing = narrowing
        self.calls = calls
        self.lifting = lifting
        # traces of functions that nothing may call, with their place in the order in which they are analyzed
        self.pending: list[tuple[Rank, Callable[[], None]]] = []
        self._for_one_call: dict[tuple[int, str], bool] = {}
        self.applied: tuple[Module, int] | None = None  # where the transform that is called was applied
        self.custom_rules: dict[Any, tuple[Value, ...]] = {}  # of functions with their own derivatives
        self.called: set[Any] = set()  # the results of transforms that are called

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
        fresh = self.freshness.is_new(func, by_parts=Const(spec.leaves) == ARRAYS)
        for option in func.options if isinstance(func, OneOf) else (func,):
            if isinstance(option, Const):
                continue
            if isinstance(option, Partial):
                option = self._tested_partial(option)
            made = Transformed(spec.kind, option, options, (self.flow.module, nid), fresh)
            made.conditions = tuple(each for each in self.flow.conditions if each[0].startswith("self."))
            results.append(made)
            if not isinstance(option, Function):
                self.staleness.note_made(results[-1])
        if not results:
            return UNKNOWN
        for each in results:
            self.freshness.note_transform(each)
            event = Transform(
                nid,
                self.flow.frame,
                spec.kind,
                each.func,
                keywords,
                each,
                self.flow.decorating,
                self.flow.frame.loop,
                fresh,
            )
            self.core.emit("Transform", event)
            if not self.core.silent and spec.level and len(results) == 1:
                self.schedule(each)
        return join_all(results) if len(results) > 1 else results[0]

    def _tested_partial(self, func: Partial) -> Partial:
        """A partial under tests that show something of what it holds: it is traced only where they hold."""
        args = tuple([self.narrowing.tested(value) for value in func.args])
        keywords = tuple([(name, self.narrowing.tested(value)) for name, value in func.keywords])
        if args == func.args and keywords == func.keywords:
            return func
        copy = Partial(func.func, args, keywords)
        copy.birth = func.birth
        return copy

    def schedule(self, func: Transformed) -> None:
        """Later, analyze the function as if called with arguments of which nothing is known."""
        frame, module, nid = self.flow.frame, self.flow.module, func.place[1]
        context = self.flow.context
        loop = frame.loop
        key = ("generic", func.kind, func.func, func.options, context)
        if key in frame.scheduled:
            return
        frame.scheduled.add(key)

        def run() -> None:
            if (func.kind, func.func) in self.called:
                return
            saved = (self.flow.frame, self.flow.env, self.flow.context, self.flow.module)
            self.staleness.trace_cache = TraceCache()
            self.flow.frame, self.flow.env, self.flow.context, self.flow.module = (
                frame,
                frame.env,
                context,
                module,
            )
            kept, frame.loop = frame.loop, loop
            state = frame.env.vars
            frame.env.vars = dict(state)
            frame.env.vars.pop(DOUBT, None)
            args, keywords = self.generic_arguments(func)
            if args is not None:
                self.flow.looking = True
                self.call_transformed(func, args, keywords, nid, True)
                self.flow.looking = False
            frame.env.vars = state
            frame.loop = kept
            self.flow.frame, self.flow.env, self.flow.context, self.flow.module = saved

        base = base_of(func)
        rank = rank_of(base) if isinstance(base, Function) else (module.name, module.path, "")
        self.pending.append((rank, run))

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
                    args.append(self.definitions.generic_instance(func.cls))
                else:
                    args.append(Unknown(("g", (id(func.code), position))))
            elif param.kind == "k" and param.default is None:
                keywords[param.name] = Unknown(("g", (id(func.code), position)))
        return owner + args, keywords

    # ---- calling

    def inside(self, level: int) -> Context:
        """The context inside a transform of this level."""
        context = self.flow.context
        if level & STAGED:
            return context._replace(staged=True, depth=context.depth + 1, stage=context.depth + 1)
        batched = context.batched or bool(level & BATCHED)
        return context._replace(depth=context.depth + 1, batched=batched)

    def enter_trace(
        self, func: Value, args: list[Value], keywords: dict[str, Value], nid: int, kind: str, level: int,
        exact: bool = True,
    ) -> Value:  # fmt: skip
        """Analyzes a function inside a trace."""
        saved = self.flow.context
        self.flow.context = self.inside(level)
        if kind in _LOOKS or (kind in _RUNS and self.is_for_one_call(func)):
            self.flow.context = self.flow.context._replace(looked=self.flow.context.depth)
        frame = self.flow.frame
        loop, frame.loop = frame.loop, 0
        self.flow.entering = kind
        self.flow.place, self.applied = self.applied or (self.flow.module, nid), None
        result = self.calls.call(func, args, keywords, nid, exact)
        self.flow.entering = ""
        self.freshness.static = ()
        frame.loop = loop
        self.flow.context = saved
        return result

    def is_for_one_call(self, func: Value) -> bool:
        """Whether a function is made by what is analyzed here, which calls it once: it is traced when it is
        called, and never again."""
        maker = self.flow.frame.func
        if maker is None or not isinstance(func, Function) or func.env is not self.flow.env:
            return False
        key = (id(maker.code), func.code.name)
        if key not in self._for_one_call:
            self._for_one_call[key] = is_called_once(
                maker.code.body, func.code.name, self.flow.module.program
            )
        return self._for_one_call[key]

    def call_transformed(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.static_positions(func, len(args))
        if not self.flow.looking:
            self.called.add((func.kind, func.func))
        self.freshness.note_use(func, args, None if static is None else static[0], nid)
        if "TransformedCall" in self.core.hooks:
            self.core.emit(
                "TransformedCall",
                TransformedCall(nid, self.flow.frame, func, args, keywords, self.flow.frame.loop),
            )
        self.applied = func.place
        saved = self.flow.context
        if func.conditions:
            self.flow.context = saved._replace(assumed=func.conditions)
        self.staleness.hold(func, func.kind)
        handler: Callable[..., Value] = getattr(self, "t_" + func.kind)
        result = handler(func, args, keywords, nid, exact)
        self.applied = None  # it may have traced nothing
        self.flow.context = saved
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
        if self.flow.context.unjitted:
            return self.calls.call(func.func, args, keywords, nid, exact)
        static = self.static_positions(func, len(args))
        leaves = func.option(LEAVES)
        outer = self.core.arrays_level([*args, *keywords.values()])
        if static is None:
            lifted: list[Value] = [UNKNOWN for _ in args]
            named: dict[str, Value] = dict.fromkeys(keywords, UNKNOWN)
        else:
            numbers, names = static
            lifted = [
                value
                if position in numbers or isinstance(value, Product)
                else self.lifting.lift_leaves(func, value, STAGED)
                for position, value in enumerate(args)
            ]
            named = {
                name: value if name in names else self.lifting.lift_leaves(func, value, STAGED)
                for name, value in keywords.items()
            }
            self.freshness.note_static(
                func, (value for position, value in enumerate(args) if position in numbers)
            )
        if not self.flow.context.staged:
            self.staleness.given = tuple(each for each in lifted if isinstance(each, Instance))
        target = func.func
        if leaves is not None and isinstance(target, Bound):
            target = Bound(target.func, self.lifting.lift(target.owner, STAGED, True))
        result = self.enter_trace(target, lifted, named, nid, func.kind, STAGED, exact)
        if leaves == OWN_MODULE and isinstance(result, Unknown):
            return UNKNOWN
        return self.lifting.lower(result, outer, sloped=False, arrays_only=leaves == ARRAYS)

    def t_pmap(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        static = self.static_positions(func, len(args))
        numbers = static[0] if static is not None else set(range(len(args)))
        lifted = [
            value if position in numbers else self.lifting.lift(value, STAGED, drop=1)
            for position, value in enumerate(args)
        ]
        named = {name: self.lifting.lift(value, STAGED, drop=1) for name, value in keywords.items()}
        self.freshness.note_static(
            func, (value for position, value in enumerate(args) if position in numbers)
        )
        result = self.enter_trace(func.func, lifted, named, nid, func.kind, STAGED, exact)
        self.keys.consume_mapped(lanes([*args, *keywords.values()], [*lifted, *named.values()]), nid, "pmap")
        return self.lifting.lower(result, self.core.arrays_level(args), 1)

    def t_checkpoint(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.t_jit(func, args, keywords, nid, exact)

    def t_make_jaxpr(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        with self.keys.unspent():
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
            level = STAGED if self.flow.context.staged else DIFFERENTIATED
            if level != STAGED and isinstance(spec, Product) and spec.kind == "spec":
                level = (
                    BATCHED if any(isinstance(each, Const) and each != NONE for each in spec.parts) else level
                )
            lifted.append(value if spec == NONE else self.lifting.lift(value, level))
        level = STAGED if self.flow.context.staged else DIFFERENTIATED
        result = self.enter_trace(func.func, lifted, keywords, nid, "shard_map", level, exact)
        return self.lifting.lower(result, self.core.arrays_level(args))

    def t_pallas(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.core.made(args)

    def t_transparent(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        return self.calls.call(func.func, args, keywords, nid, exact)

    def t_custom(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """The function itself, and where it is differentiated its rules."""
        entered = (self.flow.entering, self.flow.place)
        rules = self.custom_rules.get(func.place, ())
        if not rules or not any(level_of(value) & DIFFERENTIATED for value in args):
            return self.calls.call(func.func, args, keywords, nid, exact)
        saved, spent = self.flow.context, self.flow.env.vars.get("$spent")
        if not saved.staged or saved.stage < saved.depth:
            self.flow.context = saved._replace(quiet=True)  # the rules are run in its place
        result = self.calls.call(func.func, args, keywords, nid, exact)
        self.flow.context = saved
        given = func.option("nondiff_argnums")
        numbers = constants(given) if given is not None else ()
        if numbers is not None and func.option("nondiff_argnames") is None:
            self.calls.restore_spent(spent)
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
        cotangent = Array(self.core.arrays_level(primals))
        self.flow.entering, self.flow.place = entered
        if len(rules) == 1:
            tangents = Tuple(tuple(cotangent for _ in rest))
            self.calls.call(rules[0], [*kept, Tuple(tuple(rest)), tangents], {}, nid)
            return
        forward = self.calls.call(rules[0], primals, {}, nid)
        parts = forward.items if isinstance(forward, Tuple) and forward.items is not None else ()
        residuals = parts[1] if len(parts) == 2 else UNKNOWN
        self.flow.entering, self.flow.place = entered
        self.calls.call(rules[1], [*kept, residuals, cotangent], {}, nid)

    def without_gradient(self, value: Value) -> Value:
        if isinstance(value, Array):
            return Array(value.level & ~DIFFERENTIATED, value.dtype, value.ndim)
        if isinstance(value, TracerPytree):
            return TracerPytree(value.level & ~DIFFERENTIATED, value.token)
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(self.without_gradient(item) for item in value.items), cls=value.cls)
        return value

    def axes_of(self, func: Transformed, count: int) -> list[Value] | None:
        """`in_axes`, one for each positional argument."""
        axes = func.option("in_axes")
        if axes is None:
            return [Const(0)] * count
        if isinstance(axes, Const):
            return [axes] * count
        items = self.expressions.known_items(axes)
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
        named = {name: self.lifting.lift_leaves(func, value, BATCHED, 1) for name, value in keywords.items()}
        outer = self.core.arrays_level([*args, *keywords.values()])
        if axes is not None and func.option(LEAVES) != OWN_MODULE:
            both = zip([*args, *lifted], [*axes, *axes], strict=True)
            given = [value for value, axis in both if axis != NONE]
            self.flow.mapped = frozenset(_roots([*given, *keywords.values(), *named.values()]))
        result = self.enter_trace(func.func, lifted, named, nid, func.kind, BATCHED, exact)
        self.flow.mapped = None
        self.keys.consume_mapped(lanes(args, lifted), nid, "vmap")
        return self.lifting.lower(result, outer, 1, sloped=False, arrays_only=arrays_only)

    def map_axis(self, func: Transformed, value: Value, axis: Value) -> Value:
        if axis == NONE:
            return value
        if isinstance(axis, Const):
            return self.lifting.lift_leaves(func, value, BATCHED, 1)
        axes = self.expressions.known_items(axis)
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
            return self.lifting.copy_of(value, "axes", lambda each: UNKNOWN)
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
        return self.lifting.lower(result, self.core.arrays_level(args))

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
                lifted.append(self.lifting.lift_leaves(func, each, DIFFERENTIATED))
                wanted.append(each)
            else:
                lifted.append(each)
        outer = self.core.arrays_level([*args, *keywords.values()])
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
        gradient = self.lifting.lower(target, outer)
        aux = func.option("has_aux")
        if aux is not None and aux != Const(False):
            items = result.items if isinstance(result, Tuple) else None
            extra = items[1] if items is not None and len(items) == 2 else UNKNOWN
            arrays_only = func.option(LEAVES) == ARRAYS
            return Tuple((gradient, self.lifting.lower(extra, outer, arrays_only=arrays_only)))
        return gradient

    def t_value_and_grad(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        result, target, outer = self._differentiate(func, args, keywords, nid, exact)
        arrays_only = func.option(LEAVES) == ARRAYS
        return Tuple(
            (self.lifting.lower(result, outer, arrays_only=arrays_only), self.lifting.lower(target, outer))
        )

    def t_carrying(
        self, func: Transformed, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """A body that is scanned over whatever its `in_axes` names an axis for."""
        axes = func.option("in_axes")
        items = (
            self.expressions.known_items(axes) if axes is not None else (External("flax.nnx.Carry"), Const(0))
        )
        lifted: list[Value] = []
        for position, value in enumerate(args):
            axis = items[position] if items is not None and position < len(items) else UNKNOWN
            known = axis == External("flax.nnx.Carry") or (isinstance(axis, Const) and axis != NONE)
            lifted.append(
                self.lifting.lift_leaves(func, value, STAGED, int(isinstance(axis, Const)))
                if known
                else UNKNOWN
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


def lanes(args: Sequence[Value], lifted: Sequence[Value]) -> list[tuple[Any, Any]]:
    """The tokens of the keys that a mapped function gets one by one, with that of the array."""
    found: list[tuple[Any, Any]] = []
    for whole, lane in zip(args, lifted, strict=False):
        if isinstance(whole, Key) and isinstance(lane, Key) and whole.many and not lane.many:
            found.append((lane.token, whole.token))
        elif isinstance(whole, Tuple) and isinstance(lane, Tuple):
            found += lanes(whole.items or (), lane.items or ())
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


def _has_dimensions(value: Value) -> bool:
    return isinstance(value, (Array, NumPyArray)) and value.ndim is not None and value.ndim > 0
