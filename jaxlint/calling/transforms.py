"""Transforms: what `jit`, `vmap`, `grad` and others make of a function, and calls of that."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any

from jaxlint.analysis.copies.module_changes import note_modules_given
from jaxlint.analysis.core import DOUBT, Core, Rank, named, rank_of
from jaxlint.analysis.events import Transform, TransformedCall
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import ARRAYS, FunctionFreshness
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.arguments import is_optional
from jaxlint.calling.calls import Calls
from jaxlint.calling.donated.donation import Donations
from jaxlint.calling.lifting import Lifting
from jaxlint.calling.unread_objects import UnreadResults
from jaxlint.domain.facts import Fact, settings_of
from jaxlint.domain.join import MutableContainer, callees_of, join_all
from jaxlint.domain.objects import Bound, Class, Function, Instance, Module, Partial, Transformed
from jaxlint.domain.questions import base_of, constants, is_rest
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.transforms import JITS, WRAPPERS, Spec
from jaxlint.domain.values import (
    BATCHED,
    NONE,
    STAGED,
    UNKNOWN,
    Candidates,
    Const,
    External,
    Product,
    Unknown,
    Value,
)
from jaxlint.evaluation.annotations import Annotations
from jaxlint.evaluation.attribute_names import LINEN_METHODS, haiku_parameters
from jaxlint.evaluation.beliefs.declarations import GENERIC, Declarations
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.ir.mentions import is_called_once, kept_as

# transforms of which every result is made of arrays, whatever the function is
_GIVES_ARRAYS = frozenset(("checkpoint", "grad", "jit", "pmap", "value_and_grad", "vmap"))
# traces that are thrown away: these run the function again whenever they are called
_LOOKS = frozenset(("eval_shape", "make_jaxpr"))
# traces that run the function once, when it is called for the first time
_RUNS = frozenset(("jit", "checkpoint"))
# products that take what a function takes that they hold, and which part of them that is
_WRAPPED = {"dispatcher": 0, "handler": -1}


class Transforms:
    """Applies transforms and calls their results."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        definitions: Definitions,
        annotations: Annotations,
        declarations: Declarations,
        narrowing: Narrowing,
        keys: Keys,
        calls: Calls,
        donations: Donations,
        lifting: Lifting,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.definitions = definitions
        self.annotations = annotations
        self.declarations = declarations
        self.narrowing = narrowing
        self.keys = keys
        self.calls = calls
        self.donations = donations
        self.lifting = lifting
        # traces of functions that nothing may call, with their place in the order in which they are analyzed
        self.pending: list[tuple[Rank, Callable[[], None]]] = []
        self._rules: dict[str, Callable[..., Value]] = {}
        self.unread = UnreadResults(core.world)
        self._for_one_call: dict[tuple[int, str], bool] = {}
        self.applied: tuple[Module, int] | None = None  # where the transform that is called was applied
        self.called: set[Any] = set()  # the results of transforms that are called
        self.in_traces: set[int] = set()  # the codes of functions that are compiled inside of a trace

    def register(self, *parts: object) -> None:
        """The methods named `t_KIND` say what a call of the result of that transform does."""
        self._rules |= named(*parts, prefix="t_")

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
        if isinstance(func, Unknown) and func.token is not None and exact:
            self._defer(spec, func.token, keywords, nid)
        if (
            isinstance(func, (Unknown, Const))
            and not isinstance(func, Candidates)
            or (isinstance(func, Class) and spec.kind != "jit")
        ):
            if not isinstance(func, Class):
                is_known = isinstance(func, Unknown) and spec.kind in _GIVES_ARRAYS and spec.leaves == "all"
                return Product("transformed-unknown", spec.kind, func) if is_known else UNKNOWN
        if not exact:
            keywords["**"] = UNKNOWN
        options = tuple(sorted(keywords.items(), key=lambda item: item[0]))
        if spec.leaves != "all":
            options = (*options, (LEAVES, Const(spec.leaves)))
        results = []
        # `pmap` knows a method of an object again; `jit` does not
        known = func.func if spec.kind == "pmap" and isinstance(func, Bound) else func
        fresh = self.freshness.is_new(known, by_parts=Const(spec.leaves) == ARRAYS)
        fresh = fresh or (spec.kind == "jit" and self.freshness.binds(func, nid))
        for option in callees_of(func):
            if isinstance(option, Partial):
                option = self._tested_partial(option)
            made = Transformed(spec.kind, option, options, (self.flow.module, nid), fresh)
            made.conditions = self._conditions()
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

    def _conditions(self) -> tuple[Fact, ...]:
        """What tests show here of the attributes of a method's object, of parameters that they keep, and of
        settings."""
        func = self.flow.frame.func
        found: list[Fact] = []
        for fact in self.flow.conditions:
            if fact.is_own():
                found.append(fact)
            elif func is not None and func.cls is not None and (name := fact.variable()):
                found += [fact.held_in("self", each) for each in kept_as(func.code, name)]
        return (*found, *settings_of((*self.flow.context.assumed, *self.flow.conditions)))

    def _tested_partial(self, func: Partial) -> Partial:
        """A partial under tests that show something of what it holds: it is traced only where they hold."""
        args = tuple([self.flow.tested(value) for value in func.args])
        keywords = tuple([(name, self.flow.tested(value)) for name, value in func.keywords])
        if args == func.args and keywords == func.keywords:
            return func
        copy = Partial(func.func, args, keywords)
        copy.birth = func.birth
        return copy

    def _defer(self, spec: Spec, token: Hashable, keywords: dict[str, Value], nid: int) -> None:
        """Applies a transform to what turns out to be there."""
        options = tuple(sorted(keywords.items(), key=lambda item: item[0]))
        if spec.leaves != "all":
            options = (*options, (LEAVES, Const(spec.leaves)))

        def apply(func: Value, _: object) -> None:
            if spec.level and not self.core.silent:
                self.schedule(Transformed(spec.kind, func, options, (self.flow.module, nid)))

        self.calls.deferred.defer(token, nid, apply)

    def schedule(self, func: Transformed) -> None:
        """Later, analyze the function as if called with arguments of which nothing is known."""
        frame, module, nid = self.flow.frame, self.flow.module, func.place[1]
        context = self.flow.context
        loop = frame.loop
        key = ("generic", func.kind, func.func, func.options, context)
        if key in frame.scheduled:
            return
        if context.staged and func.kind in JITS and isinstance(base := base_of(func), Function):
            self.in_traces.add(id(base.code))  # for calls in the trace: it closes over what that has made
            return
        frame.scheduled.add(key)

        def run() -> None:
            if (func.kind, func.func) in self.called or self._is_unread(func):
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
            args, keywords = self.generic_arguments(func, self.static_positions(func, 0))
            if args is not None and not self._refuses(func, len(args)):
                self.flow.looking = True
                self.call_transformed(func, args, keywords, nid, True)
                self.flow.looking = False
            frame.env.vars = state
            frame.loop = kept
            self.flow.frame, self.flow.env, self.flow.context, self.flow.module = saved

        base = base_of(func)
        rank = rank_of(base) if isinstance(base, Function) else (module.name, module.path, "")
        self.pending.append((rank, run))

    def _is_unread(self, func: Transformed) -> bool:
        """Whether nobody calls it: it is kept where nothing reads it. A function that has no other name is
        analyzed nevertheless: it was written to be traced."""
        base = base_of(func)
        if not isinstance(base, Function) or base.code.is_lambda:
            return False
        return self.unread.is_unread(*func.place)

    def _refuses(self, func: Transformed, count: int) -> bool:
        """Whether no call is traced: an argument that is not static is of a class that JAX refuses. What has
        no other name than the transform's is analyzed nevertheless: it was written to be traced."""
        static, base = self.static_positions(func, count), base_of(func)
        if static is None or not isinstance(base, Function) or func.option(LEAVES) is not None:
            return False
        if base.env.vars.get(base.code.name) is not base:
            return False
        names = {param.name for param in base.code.params if not is_optional(param)} - static[1]
        return self.annotations.must_be_static(base, names)

    def generic_arguments(
        self, func: Value, static: tuple[set[int], set[str]] | None = None
    ) -> tuple[list[Value] | None, dict[str, Value]]:
        """One unknown argument for each parameter that a caller must give. `static`: those that a trace
        does not lift. Of others that are annotated as pytrees the class is known."""
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
            elif isinstance(func, Product) and func.kind in _WRAPPED:
                func = func.parts[_WRAPPED[func.kind]]
            else:
                return None, {}
        func = func.with_parameters()
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        for position, param in enumerate(func.code.params):
            if position < taken or param.name in given:
                continue
            if param.kind in "pn" and param.default is None:
                if position == 0 and func.cls is not None and param.name in ("self", "cls"):
                    args.append(self.definitions.generic_instance(func.cls))
                else:
                    is_lifted = static is not None and len(args) not in static[0]
                    args.append(self._generic_argument(func, position, is_lifted))
            elif param.kind == "k" and param.default is None:
                is_lifted = static is not None and param.name not in static[1]
                keywords[param.name] = self._generic_argument(func, position, is_lifted)
        return owner + args, keywords

    def _generic_argument(self, func: Function, position: int, is_lifted: bool) -> Value:
        token = (GENERIC, (id(func.code), position))
        belief = self.annotations.of_parameters(func).get(func.code.params[position].name)
        if not is_lifted or belief is None or belief.is_optional or not isinstance(belief.kind, Class):
            return Unknown(token)
        cls = belief.kind
        if not all(map(_is_pytree, (cls, *self.definitions.heirs.below(cls)))):
            return Unknown(token)
        return self.annotations.parameter(belief, token, position)

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
        exact: bool = True, lifted: Iterable[Value] = (),
    ) -> Value:  # fmt: skip
        """Analyzes a function inside a trace. `lifted`: what a transform that runs the function at once makes
        tracers of."""
        saved = self.flow.context
        deletes = self.donations.depth_inside(level, lifted)
        spread = saved.spread or kind == "shard_map"
        self.flow.context = self.inside(level)._replace(deletes=deletes, spread=spread)
        if self.flow.entering:
            for each in (*args, *keywords.values()):
                self._hand_on(each, saved.depth)
        if kind in _LOOKS or (kind in _RUNS and self.is_for_one_call(func)):
            self.flow.context = self.flow.context._replace(looked=self.flow.context.depth)
        frame = self.flow.frame
        loop, frame.loop = frame.loop, 0
        self.flow.entering = kind
        self.flow.place, self.applied = self.applied or (self.flow.module, nid), None
        around, self.flow.around = self.flow.around, (*self.flow.around, kind)
        try:
            for each in (*args, *keywords.values()):
                self.lifting.make_anew(each, self.calls, nid)
            self.flow.entering = kind
            result = self.calls.call(func, args, keywords, nid, exact)
        finally:
            self.flow.around = around
        self.flow.entering = ""
        self.flow.static = ()
        frame.loop = loop
        self.flow.context = saved
        return result

    def _hand_on(self, value: Value, depth: int) -> None:
        """What one transform has made of an argument and gives at once to the next one nobody else has: it is
        as if it were made for the inner one."""
        if isinstance(value, MutableContainer) and value.depth == depth:
            value.depth = self.flow.context.depth
            for each in (*(value.items or ()), *value.entries.values()):
                self._hand_on(each, depth)

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
        args = self._spread_out(func, args, keywords)
        static = self.static_positions(func, len(args))
        self.calls.function_calls.refused = None
        fixed, is_run = self._static_given(func, args, keywords), not self.flow.looking
        self.freshness.note_use(func, args, keywords, static, nid, fixed)
        if "TransformedCall" in self.core.hooks:
            given = self.declarations.arguments(func, args, keywords)
            frame = self.flow.frame
            self.core.emit("TransformedCall", TransformedCall(nid, frame, func, *given, frame.loop))
        self.applied = func.place
        saved, node = self.flow.context, self.flow.calling
        settings = settings_of((*saved.assumed, *self.flow.conditions))
        if func.conditions or settings:
            self.flow.context = saved._replace(assumed=func.conditions).assuming(settings)
        # of what a loop counts each turn has another one, and its own trace
        self.staleness.hold(func, func.kind, all(self.keys.turn_of(each) is None for each in fixed))
        if is_run:
            note_modules_given(self.core, func, (*args, *keywords.values()), nid)
        result = self._rules[func.kind](func, args, keywords, nid, exact)
        if is_run:
            is_run = self.calls.function_calls.refused is not base_of(func)
            self.unread.note_call(self.flow.module, nid, not is_run)
        if is_run:
            self.called.add((func.kind, func.func))
        self.applied = None  # it may have traced nothing
        self.flow.context = saved
        if is_run and any(name.startswith("donate") for name, _ in func.options):
            self.donations.note_call(func, self.parameter_names(func.func), node, nid, result, args)
        self.flow.last_called = ("$vmap" if func.kind == "vmap" else "", None)
        return result

    def _static_given(self, func: Value, args: list[Value], keywords: Mapping[str, Value]) -> list[Value]:
        """The static arguments of a call, of what is mapped, too."""
        if isinstance(func, Partial):
            return self._static_given(func.func, [*func.args, *args], {**dict(func.keywords), **keywords})
        if not isinstance(func, Transformed) or func.kind == "vmap":
            return self._static_given(func.func, args, keywords) if isinstance(func, Transformed) else []
        numbers, names = self.static_positions(func, len(args)) or (set(), set())
        given = [args[each] for each in sorted(numbers) if each < len(args)]
        return given + [keywords[each] for each in sorted(names & keywords.keys())]

    def _spread_out(self, func: Transformed, args: list[Value], keywords: Mapping[str, Value]) -> list[Value]:
        """Arguments where as many are given by one with a star as the parameters leave to it."""
        stars = [(place, value.parts[0]) for place, value in enumerate(args) if is_rest(value)]
        base = base_of(func) if len(stars) == 1 else None
        names = self.parameter_names(func.func)
        if names is None or not isinstance(base, Function) or any(map(is_optional, base.code.params)):
            return args
        ((start, each),) = stars
        left = len([name for name in names if name not in keywords]) - len(args) + 1
        filled = [self.core.fresh_copy(each) for _ in range(left)]
        return args if left < 0 else [*args[:start], *filled, *args[start + 1 :]]

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
            return None if inner is None else [each for each in inner[len(func.args) :] if each not in given]
        if isinstance(func, Transformed):
            return self.parameter_names(func.func)
        if isinstance(func, Instance):
            method = func.cls.lookup("__call__")
            inner = None if method is None else self.parameter_names(method[0])
            return None if inner is None else inner[1:]
        if isinstance(func, Product) and func.kind in _WRAPPED:
            return self.parameter_names(func.parts[_WRAPPED[func.kind]])
        if isinstance(func, Product) and func.kind == "linen-method":
            return LINEN_METHODS[func.parts[0]]
        if isinstance(func, Product) and func.kind == "haiku-method":
            return haiku_parameters(*func.parts)
        return None


def _is_pytree(cls: Class) -> bool:
    return cls.has_mark("pytree") or cls.has_mark("namedtuple")
