"""Calls of the project's functions, each analyzed in contexts: one a vector of abstract arguments and a trace
context. An equal call takes what the context has; beyond the limits of `ir.limits` calls share one.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.agreement import Agreement, left_in
from jaxlint.analysis.core import TRACER_SEEN, Core
from jaxlint.analysis.events import Hashed, Kept
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Context, Effects, Entry, FunctionContext, Link, Vars
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.arguments import Arguments
from jaxlint.calling.call_effects import CallEffects
from jaxlint.domain.context_budget import Budget
from jaxlint.domain.join import MutableContainer, Tuple, any_of, join_all, level_of, options_of
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Bound, Class, Environment, Function, Instance, Partial, Transformed
from jaxlint.domain.questions import asks, map_tokens
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    FeatureProbe,
    NumPyArray,
    Product,
    Static,
    Unknown,
    Value,
)
from jaxlint.evaluation.control_flow import merge
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.statements import Statements
from jaxlint.ir.limits import CONTEXTS, DEPTH, HIGHER, KEYS, REACHED, SHARED, TRACES
from jaxlint.ir.lowering import Code
from jaxlint.ir.mentions import asks_for_tracer

if TYPE_CHECKING:
    from jaxlint.domain.objects import Module
from jaxlint.analysis.token_names import Outward, Tokens

RunKey = tuple[Code, Environment, Hashable, Context, bool, tuple[Hashable, ...]]

_PLAIN = (Const, Static, Function, Class, External)
# Objects of other classes with which one is compared. Of more, it has its own analysis: no result changes.
COMPARED = 8
_FAR = 6  # how deep containers are looked into for a difference
_HANDED = (Function, Bound, Partial, Transformed)


def _says_nothing(value: Value) -> bool:
    """Whether an argument tells no more than that there is one."""
    if isinstance(value, Tuple):
        return all(map(_says_nothing, value.items if value.items is not None else (value.elem,)))
    if isinstance(value, MutableContainer):
        return not value.entries and not value.items and isinstance(value.elem or UNKNOWN, Unknown)
    return isinstance(value, (Unknown, Class)) or (isinstance(value, Instance) and value.generic)


_AUTOGRAPH = ("malt.", "tensorflow.autograph", "tensorflow.python.autograph")


def _of_tracers(returns: tuple[tuple[Value, Vars], ...]) -> tuple[tuple[Value, Vars], ...]:
    """The returns of a function that says on one path whether something is a tracer, and on others does so
    for what is no array of JAX: where it is one, that path is the one that is taken."""
    asked = tuple([each for each in returns if TRACER_SEEN in each[1]])
    told = all(isinstance(value, Const) and isinstance(value.value, bool) for value, _ in asked)
    return asked if asked and told else returns


def _key(func: Function, context: Context, asked: bool, values: Iterable[Value]) -> RunKey:
    """What the run of a function on these values is remembered by."""
    facts = tuple([value.fact() for value in values])
    return func.code, func.env, func.captured(), context, asked, facts


def _receiver(values: Vars) -> Instance | None:
    """What a method is called on, where it is an object of which only the class is known."""
    first = next(iter(values.values()), None)
    return first if isinstance(first, Instance) and first.generic else None


def _apart(key: RunKey) -> Hashable:
    """What a run of a method is remembered by, without what it is called on."""
    code, env, captured, context, asked, facts = key
    return code, env, captured, context, asked, facts[1:]


def _outcome(activation: FunctionContext, watched: Container[Hashable]) -> object:
    """All that the callers of a function context see of it, but what it may change.

    Args:
        watched: What traces depend on.
    """
    start, end = activation.tokens

    def relative(token: Any) -> Any:
        if isinstance(token, tuple):
            if len(token) == 2 and token[0] == "new" and start < token[1] <= end:
                return ("own", token[1] - start)
            if len(token) == 3:
                return (relative(token[0]), token[1], relative(token[2]))
        return token

    result, notes = activation.result, activation.noted
    effects = activation.affected or Effects()
    return (
        map_tokens(result, relative),
        result.key(_FAR),
        [value.key(_FAR) for value in activation.arguments],
        [(relative(each.token), each.module, each.nid, bool(each.tests)) for each in activation.consumptions],
        list(activation.captures),
        activation.operations,
        [(each.place, each.how, each.nid, level_of(each.new)) for each in activation.mutations],
        (effects.reads, effects.own, effects.uses, effects.ends),
        {key: write[:2] for key, write in effects.written.items() if key in watched},
        {made for made in effects.made if made in watched},
        notes and (notes.statics, {key[:2] for key in notes.changes}),
    )


class FunctionCalls:
    """Finds or makes the context of a call, and analyzes it."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        consumption: KeyConsumption,
        definitions: Definitions,
        statements: Statements,
        arguments: Arguments,
        effects: CallEffects,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.consumption = consumption
        self.definitions = definitions
        self.statements = statements
        self.arguments = arguments
        self.effects = effects
        self.interpreter = interpreter
        self.functions: dict[int, Function] = {}
        self.variants: dict[tuple[int, Environment], Function] = {}  # by what they close over, too
        self.classes: dict[Class, None] = {}
        self.generics: dict[int, FunctionContext] = {}  # by code: the run for an outside caller
        self.budget = Budget()
        self.agreement = Agreement()
        # methods analyzed outside traces on an object of which the class is known, by all else in their keys
        self.alike: dict[Hashable, list[FunctionContext]] = {}
        self.answers: dict[int, Value] = {}  # by code: what it found when it asked a library
        self.closures: dict[int, list[FunctionContext]] = {}  # by the environment closed over
        self.steps = 0  # grows with each call and body analyzed: while it is equal, so is the call graph
        self.rewritten: set[int] = set()  # codes that do not run as they are written
        self._rewriters: dict[str, bool] = {}
        self._askers: dict[int, bool] = {}  # whether a function asks if something is a tracer
        # calls of memoised functions: the first in a trace, by where the trace begins; those that no trace
        # is around; and those in traces whose tracers other calls are given
        self.remembered: dict[Hashable, tuple[Kept, Code | None]] = {}
        self.warm: set[Hashable] = set()
        self.leaks: dict[Hashable, Kept] = {}
        self.activations: dict[Hashable, FunctionContext] = {}
        self.homes: dict[Environment, FunctionContext] = {}  # of which function context the variables are
        self.staged_codes: set[int] = set()
        self.traced_codes: set[int] = set()
        self.driven: set[int] = set()  # the functions that module bodies call
        self.unjitted_codes: set[int] = set()  # called under jax.disable_jit()

    def note_function(self, function: Function) -> None:
        self.functions.setdefault(id(function.code), function)
        if function.env.parent is not None:
            self.variants.setdefault((id(function.code), function.env), function)

    def note_class(self, cls: Class) -> None:
        self.classes[cls] = None

    # ---- functions

    def call_function(
        self,
        func: Function,
        args: list[Value],
        keywords: dict[str, Value],
        nid: int,
        exact: bool = True,
        context: Context | None = None,
    ) -> Value:
        """Analyzes a function of the project with these arguments."""
        values = self.arguments.bind_arguments(func, args, keywords, exact)
        if values is None:
            self.flow.unbound = None if func.code.decorators else (self.flow.module, nid)
            return UNKNOWN
        if len(args) == 1:
            self.flow.subjects[nid] = args[0]
        if self._rewrites(func.module):
            self.rewritten.update(id(each.code) for each in args if isinstance(each, Function))
        context = context or self.flow.context
        if context.depth > TRACES.most:
            REACHED["traces"] += 1
            return UNKNOWN
        if self.core.silent:
            context = context._replace(quiet=True)
        most = self._most_runs(func, values, context)
        tokens = Tokens(func)
        given = values
        if most:
            values = self.arguments.arguments_apart(func, given, tokens)
        memo = None
        if id(func.code) in self.staleness.memoised:
            for value in (*args, *keywords.values()):
                if isinstance(value, Array):
                    self.core.emit("Hashed", Hashed(nid, self.flow.frame, value, "memo"))
            if exact and all(isinstance(value, Const) for value in (*args, *keywords.values())):
                memo = (func, tuple(args), tuple(sorted(keywords.items(), key=lambda item: item[0])))
        transform, self.flow.entering = self.flow.entering, ""
        mapped, self.flow.mapped = self.flow.mapped, None
        module, place = self.flow.place if transform else (self.flow.module, nid)
        static = self.freshness.static if transform else ()
        self.freshness.note_site(func, nid)
        self.flow.unsure = False
        link = Link(self.flow.frame, module, place, transform, static)
        calling = self.flow.calling
        activation = self._activation_within(func, values, context, link, most) if most else None
        if activation is None:
            if id(func.code) in self.driven and not (context.depth or self.flow.driving):
                # what a module runs is known as it is run: a call of which nothing is known adds nothing
                context = context._replace(quiet=True)
            return self._call_in_general(func, given, context, link, nid)
        self.flow.frame.operations += activation.operations
        result = self.effects.returned(activation, tokens, nid, calling=calling)
        if mapped is not None:
            self.consumption.tell_shared(
                activation, Outward(self.flow, self.consumption, tokens, activation, False), mapped, nid
            )
        if memo is not None and func.env.depth == 0:
            self.flow.frame.notes.recalls = True
            self._remember(memo, result, nid)
        return result

    def _remember(self, memo: Hashable, result: Value, nid: int) -> None:
        """functools keeps what a call in a trace gives, and gives it to other traces, and to none."""
        made = self.remembered.get(memo)
        if not self.flow.context.depth:
            if made is None or not self.flow.driving:
                self.warm.add(memo)
            else:
                self.leaks[memo] = made[0]
        elif level_of(result):
            frame = self.flow.frame
            while (
                frame.link is not None and frame.link.parent is not None and frame.link.parent.context.depth
            ):
                frame = frame.link.parent
            root = None if frame.func is None else frame.func.code
            if made is None:
                self.remembered[memo] = (Kept(nid, self.flow.frame, result), root)
            elif made[1] is not root:
                self.leaks[memo] = made[0]

    def tell_leaks(self) -> None:
        """Tells of the tracers that memoised functions keep, where no call outside of traces came first."""
        for memo, event in self.leaks.items():
            if memo not in self.warm:
                self.flow.frame = event.frame
                self.core.emit("Kept", event)

    def _call_in_general(self, func: Function, given: Vars, context: Context, link: Link, nid: int) -> Value:
        """A call of a function that is called in many ways: what holds in all of them holds in this one.
        `nid` is the call; the link may be where a transform was applied, in another module."""
        owner = next(iter(given.values()), None)
        own = owner if isinstance(owner, Instance) and func.cls is not None else None
        answer = self.guards.answer([*given.values()], UNKNOWN)
        tokens = Tokens(func)
        # Nothing is reported there: what the method does for objects of its own class is enough.
        is_of_base = own is not None and context.quiet and not context.depth and own.cls is not func.cls
        kind = func.cls if own is None or is_of_base else own.cls
        values = self.arguments.arguments_in_general(func, given, tokens, kind, context.depth)
        key = self._key_of(func, context, values)
        if context.depth and not self.budget.admits((func.code, "shared"), key, SHARED.most):
            REACHED["shared"] += 1
            return self._answer_beyond(func, values, nid)
        served = None if context.depth or is_of_base else self._served(key, values)
        if served is not None:
            values = {**values, func.code.params[0].name: served.arguments[0]}
            key = self._key_of(func, context, values)
        trace_cache, self.staleness.trace_cache = self.staleness.trace_cache, TraceCache()
        activation = self.activation(func, values, context, link, key)
        self.staleness.trace_cache = trace_cache
        if activation is None:
            return self._answer_beyond(func, values, nid)
        self.flow.frame.operations += activation.operations
        first = next(iter(values.values()), None)
        stand_in = first if isinstance(first, Instance) and first is not own else None
        result = self.effects.returned(activation, tokens, nid, stand_in, original=own)
        if isinstance(answer, FeatureProbe):
            return answer
        if own is None or stand_in is None:
            return result
        if served is not None:
            self._serve(activation, stand_in, own)
        self.freshness.note_effects(activation, own, stand_in)
        for name in activation.written_of(stand_in):
            mark = self.flow.frame.writes[own, name] = ("@", id(own), name)
            self.flow.env.vars[mark] = Unknown(self.core.fresh())
        if is_of_base and result != NONE and result is not stand_in:
            return UNKNOWN  # the class of the object may have another method that says it

        def held(token: Any) -> Any:
            return self.effects.held_by(own, token) if root_of(token) == id(stand_in) else token

        result = map_tokens(result, held)
        return any_of(own if each is stand_in else each for each in options_of(result))

    def _served(self, key: RunKey, values: Vars) -> FunctionContext | None:
        """The run of a method on an object of another class, where it is the same as on this one."""
        receiver = _receiver(values)
        before = self.activations.get(key)
        if receiver is None or (before is not None and before.done):
            return None
        for each in self.alike.get(_apart(key), ())[:COMPARED]:
            if each.done and not each.running and each is not before:
                other = each.arguments[0]
                assert isinstance(other, Instance)
                lookups = self.agreement.lookups(each)
                if lookups is not None and self.agreement.holds(lookups, other, receiver):
                    reads = dict.fromkeys([(receiver, lookup) for lookup in lookups], self.core.changes)
                    self.flow.frame.reads = reads | self.flow.frame.reads
                    return each
        return None

    def _serve(self, activation: FunctionContext, stand_in: Instance, own: Instance) -> None:
        """What a method sets on the object that it was analyzed for, it sets on those of another class."""
        generic = self.definitions.generic_instance(own.cls)
        for name, value in left_in(activation, stand_in):
            self.core.set_attribute(generic, name, value)

    def _answer_beyond(self, func: Function, values: Vars, nid: int) -> Value:
        """What is known of a call that is not analyzed: what it says of a library, and not what it says of a
        tracer."""
        if any(map(level_of, values.values())) and self._asks_for_tracer(func.code):
            self.flow.env.vars["tracer", nid] = NONE
        return self.answers.get(id(func.code), UNKNOWN)

    def _rewrites(self, module: Module) -> bool:
        """Whether a module uses AutoGraph, which makes another function of the source of one."""
        known = self._rewriters.get(module.path)
        if known is None:
            known = any(name.startswith(_AUTOGRAPH) for name, _, _ in module.program.imports)
            self._rewriters[module.path] = known
        return known

    def _asks_for_tracer(self, code: Code) -> bool:
        known = self._askers.get(id(code))
        if known is None:
            known = self._askers[id(code)] = asks_for_tracer(code)
        return known

    def _activation_within(
        self, func: Function, values: Vars, context: Context, link: Link, most: int
    ) -> FunctionContext | None:
        """The run of a function on these values, as far as its runs are told apart; None where calls like
        this one share a run that knows little of the arguments."""
        key = self._key_of(func, context, values)
        if not self.budget.admits((func.code, context.depth > 0), key, most):
            REACHED["contexts" if most > HIGHER.most else "higher"] += 1
            return None
        return self.activation(func, values, context, link, key)

    def _key_of(self, func: Function, context: Context, values: Vars) -> RunKey:
        return _key(func, context, self.guards.enters_asked(func), values.values())

    def activation(
        self, func: Function, values: Vars, context: Context, link: Link, key: RunKey | None = None
    ) -> FunctionContext | None:
        """The run of a function on these values; None where calls are nested too deeply. `key`: what it is
        remembered by, where the caller knows."""
        self.steps += 1
        key = key or self._key_of(func, context, values)
        found = self.activations.get(key)
        if found is None:
            if self.flow.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            env = Environment(func.code, func.module, func.env, context.depth)
            _, _, _, _, asked, _ = key
            found = FunctionContext(func.module, func, context, env, link, asked=asked, key=key)
            self.activations[key] = self.homes[env] = found
            self.staleness.order.append(found)
            self.closures.setdefault(id(func.env), []).append(found)
            if not context.depth and func.cls is not None and _receiver(values) is not None:
                self.alike.setdefault(_apart(key), []).append(found)
        found.links[link] = None
        if link.parent is not None:
            self.flow.frame.callees[found] = None
        if self.flow.driving:
            self.driven.add(id(func.code))
        begins = context.staged and not self.flow.frame.context.staged
        holder, given = self.staleness.holder, self.staleness.given
        if begins:
            found.arguments = tuple(values.values())
            self.staleness.use_trace(found, holder)
        if not found.done and not found.running:
            if self.flow.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            self.analyze(found, values)
        elif not found.running and not context.staged:
            self.staleness.replay(found)
        if begins:
            self.staleness.keep_trace(found, holder, given)
        elif context.staged:
            if found.affected is not None:
                if not self.is_inert(found):
                    self.flow.frame.effects.reads.update(found.affected.reads)
                self.flow.frame.effects.own |= found.affected.own
        return found

    def is_inert(self, activation: FunctionContext) -> bool:
        """Whether nothing that a call reads gets to what its caller computes: it gives back nothing, or is
        the generator of a context manager, and it is handed nothing that it could change."""
        if activation.func is None or not all(isinstance(each, _PLAIN) for each in activation.arguments):
            return False
        if id(activation.func.code) in self.effects.managers:
            held = activation.result.parts[0] if isinstance(activation.result, Product) else UNKNOWN
            return not isinstance(held, (Const, Static, NumPyArray, Array)) or held == NONE
        return activation.result == NONE and not activation.mutations

    def _most_runs(self, func: Function, values: Vars, context: Context) -> int:
        if context.depth or self.flow.driving:
            return CONTEXTS.most
        if id(func.code) in self.driven:
            return 0 if all(map(_says_nothing, values.values())) else HIGHER.most
        return HIGHER.most if any(isinstance(each, _HANDED) for each in values.values()) else 0

    def analyze(self, activation: FunctionContext, values: Vars) -> None:
        """Runs the body of a function context."""
        self.steps += 1
        func = activation.func
        assert func is not None
        code = func.code
        if activation.context.staged:
            self.staged_codes.add(id(code))
        if activation.context.depth:
            self.traced_codes.add(id(code))
        if activation.context.unjitted:
            self.unjitted_codes.add(id(code))
        saved = (self.flow.frame, self.flow.env, self.flow.context, self.flow.module, self.flow.block)
        activation.running = True
        activation.arguments = tuple(values.values())
        activation.entry = Entry(self.staleness.trace_cache.traces, self.flow.driving, self.flow.depth)
        for inner in self.closures.get(id(activation.env), ()):
            inner.done = False  # the variables that it closes over are made anew
        activation.begin()
        self.flow.frame, self.flow.env = activation, activation.env
        self.flow.context, self.flow.module = activation.context, func.module
        self.flow.block = self.core.new_block()
        self.flow.depth += 1
        start = self.core.clock
        conditions, self.flow.conditions = self.flow.conditions, []
        tests, self.flow.tests = self.flow.tests, []
        asking = (self.flow.guards, self.flow.warned, self.flow.floors)
        self.flow.guards, self.flow.warned, self.flow.floors = int(activation.asked), 0, ()
        trace_cache, self.staleness.trace_cache = (
            self.staleness.trace_cache,
            self.staleness.trace_cache.inner(),
        )
        env = activation.env
        env.vars = dict(values)
        if self.statements.run_block(code.body):
            activation.returns += ((NONE, env.vars),)
        if activation.sees_tracer:
            activation.returns = _of_tracers(activation.returns)
        if activation.returns:
            env.vars = merge([state for _, state in activation.returns])
        result = join_all([value for value, _ in activation.returns])
        if code.is_generator:
            result = Product("iterator", join_all(activation.yields), None, activation.context.depth)
        elif code.is_async:
            result = UNKNOWN
        activation.result = result
        if asks(result):
            self.answers[id(code)] = result
        spent = env.vars.get("$spent")
        found = [*spent.parts[0].all().values()] if isinstance(spent, Product) else []
        if len(found) > KEYS.most:
            REACHED["keys"] += 1
        activation.consumptions = tuple(
            [self.consumption.representative(each) for each in found[: KEYS.most]]
        )
        activation.tokens = (start, self.core.clock)
        # What is set of an object of which nothing is known, callers have to read anew.
        marks = [each for each in env.vars if type(each) is tuple and each[0] == "@"]
        activation.touched.update([token for _, token, _ in marks if type(token) is not int])
        activation.touched = {each for each in activation.touched if not activation.has_made(root_of(each))}
        activation.done = True
        activation.running = False
        self.staleness.trace_cache.end(trace_cache, activation)
        self.staleness.trace_cache = trace_cache
        activation.end()
        self.flow.depth -= 1
        self.flow.conditions, self.flow.tests = conditions, tests
        self.flow.guards, self.flow.warned, self.flow.floors = asking
        self.flow.frame, self.flow.env, self.flow.context, self.flow.module, self.flow.block = saved
        self.flow.last_called = ("", None)  # what the body called is not what its caller called

    def analyze_again(self, activation: FunctionContext, watched: Container[Hashable]) -> bool:
        """Runs a body anew as it was called; says whether its callers may see a difference. Where what it was
        called with is no longer what it was, only its callers can run it anew."""
        func, entry = activation.func, activation.entry
        begins = activation.link is not None and activation.link.transform
        if func is None or entry is None or begins or func.env.parent is not None:
            activation.done = False
            return True
        key = _key(func, activation.context, activation.asked, activation.arguments)
        if self.activations.get(key) is not activation:
            activation.done = False
            return True
        before, written, touched = _outcome(activation, watched), activation.writes.keys(), activation.touched
        self.staleness.trace_cache, self.flow.driving, self.flow.depth = (
            TraceCache(entry.traces),
            entry.driving,
            entry.depth,
        )
        names = [param.name for param in func.code.params]
        self.analyze(activation, dict(zip(names, activation.arguments, strict=True)))
        # Where less is written now, callers may go on with what they know: it may be written.
        is_less = activation.writes.keys() <= written and activation.touched <= touched
        return not is_less or before != _outcome(activation, watched)

    # ---- generic runs

    def analyze_generic(self, func: Function) -> None:
        """Analyzes a function of which no call is known: nothing is known of its arguments."""
        before = self.generics.get(id(func.code))
        if before is not None and before.done:
            return
        around = self.generics.get(id(func.env.code))
        if around is not None:  # what closes over as little that is known
            func = self.variants.get((id(func.code), around.env), func)
        args = self.arguments.unknown_arguments(func, Tokens(func), {}, func.cls)
        self.flow.depth = 0
        self.staleness.trace_cache = TraceCache()
        link = Link(None, func.module, func.code.nid)
        found = self.activation(func, args, self.interpreter.loader.context_after(func.module), link)
        if found is not None:
            self.generics[id(func.code)] = found
