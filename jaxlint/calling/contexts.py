"""Function contexts: found by their keys or made, one for a vector of abstract arguments and a trace context,
and analyzed. Beyond the limits of `ir.limits` there is none: calls share one, see `calling.function_calls`.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Mapping, Sequence
from types import MappingProxyType

from jaxlint.analysis.conditions.held_facts import holding
from jaxlint.analysis.consumption import representative
from jaxlint.analysis.core import TRACER_SEEN, Core
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Entry, FunctionContext, Link, Vars
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.joined_states import merge
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.token_names import Tokens, argument_in
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.arguments import Arguments
from jaxlint.calling.call_effects import CallEffects
from jaxlint.calling.outcomes import outcome
from jaxlint.domain.context_budget import Budget, most_of
from jaxlint.domain.handed_values import holds_handed, keeps_handed, tells_called
from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import (
    CONSTRUCTION,
    Class,
    Environment,
    Function,
    Instance,
)
from jaxlint.domain.questions import asks, texts_of
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Unknown,
    Value,
)
from jaxlint.evaluation.statements import Statements
from jaxlint.ir.limits import (
    CANDIDATES,
    CONTEXTS,
    DEPTH,
    HANDED,
    HIGHER,
    KEYS,
    REACHED,
    RENEWED,
    STRATEGIES,
    Limit,
)
from jaxlint.ir.mentions import chosen_by, closed_over, fills_registry, leaves_alone
from jaxlint.ir.program import Code
from jaxlint.ir.walks import asks_for_class

RunKey = tuple[Code, Environment, Hashable, Context, bool, tuple[Hashable, ...]]
"""A function, what it closes over, and how it is called: the context, whether something asks for it, and
what is known of the arguments."""

_NOTHING: Mapping[str, Value] = MappingProxyType({})
_PLAIN = (Const, Static, Function, Class, External)


def _says_nothing(value: Value) -> bool:
    """Whether an argument tells no more than that there is one."""
    if isinstance(value, Tuple):
        return all(map(_says_nothing, value.items if value.items is not None else (value.elem,)))
    if isinstance(value, MutableContainer):
        return not value.entries and not value.items and isinstance(value.elem or UNKNOWN, Unknown)
    if isinstance(value, OneOf):  # of a class, or what is there in its place
        return any(isinstance(each, Instance) and each.generic for each in value.options)
    if isinstance(value, Candidates):
        return False
    return isinstance(value, (Unknown, Class)) or (isinstance(value, Instance) and value.generic)


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


def receiver_of(values: Vars) -> Instance | None:
    """What a method is called on, where it is an object of which only the class is known."""
    first = next(iter(values.values()), None)
    return first if isinstance(first, Instance) and first.generic else None


def apart(key: RunKey) -> Hashable:
    """What a run of a method is remembered by, without what it is called on."""
    code, env, captured, context, asked, facts = key
    return code, env, captured, context, asked, facts[1:]


class Contexts:
    """Finds or makes the context of a call, and analyzes it."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        consumption: KeyConsumption,
        statements: Statements,
        arguments: Arguments,
        effects: CallEffects,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.consumption = consumption
        self.statements = statements
        self.arguments = arguments
        self.effects = effects
        self.interpreter = interpreter
        self.functions: dict[int, Function] = {}
        self.variants: dict[tuple[int, Environment], Function] = {}  # by what they close over, too
        self.classes: dict[Class, None] = {}
        self.generics: dict[int, FunctionContext] = {}  # by code: the run for an outside caller
        self.fed: dict[FunctionContext, None] = {}  # those of them that are given what is known: of tests
        self.retired: set[FunctionContext] = set()  # and those that now are given something else
        self.budget = Budget()
        # methods analyzed outside traces on an object of which the class is known, by all else in their keys
        self.alike: dict[Hashable, list[FunctionContext]] = {}
        self.answers: dict[int, Value] = {}  # by code: what it found when it asked a library
        self.closures: dict[int, list[FunctionContext]] = {}  # by the environment closed over
        self.steps = 0  # grows with each call and body analyzed: while it is equal, so is the call graph
        self.activations: dict[Hashable, FunctionContext] = {}
        self._choosers: dict[int, frozenset[str]] = {}  # parameters that choose what a function gives back
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

    def activation_within(
        self, func: Function, values: Vars, context: Context, link: Link, limit: Limit
    ) -> FunctionContext | None:
        """The run of a function on these values, as far as its runs are told apart; None where calls like
        this one share a run that knows little of the arguments."""
        key = self.key_of(func, context, values)
        most = most_of(limit, func.code)
        if not self._admits(func, values, context.depth > 0, key, most):
            REACHED[limit.name if most == limit.most else "work"] += 1
            return None
        return self.activation(func, values, context, link, key)

    def _admits(self, func: Function, values: Vars, is_traced: bool, key: RunKey, most: int) -> bool:
        """Whether a run is one of the first so many; or the first of a nested function in this context of the
        function around it, or, in traces, of a method on objects of this class; of a constructor also outside
        of traces."""
        if self.budget.admits((*self._counted_as(func, values), is_traced), key, most):
            return True
        apart: Hashable = None
        is_constructor = func.code.name in CONSTRUCTION
        if func.env.parent is not None:
            apart = func.env
        elif func.cls is not None and (is_traced or is_constructor):
            receiver = next(iter(values.values()), None)
            apart = receiver.cls if isinstance(receiver, Instance) else None
        most = HIGHER.most if is_constructor and not is_traced else 1
        return apart is not None and self.budget.admits((func.code, apart, is_traced), key, most)

    def _counted_as(self, func: Function, values: Vars) -> tuple[Hashable, ...]:
        """What the contexts of a function are counted for. What decorators make of each function is a new
        function, and so is their work on it: a decorator may have as many uses as there are functions."""
        if func.stands_for is not None:
            return func.code, func.env
        if self.flow.decorating:
            decorated = next((each for each in values.values() if isinstance(each, Function)), None)
            if decorated is not None:
                return func.code, decorated.code
        return (func.code,)

    def key_of(self, func: Function, context: Context, values: Vars) -> RunKey:
        return _key(func, context, self.guards.enters_asked(func), values.values())

    def activation(
        self, func: Function, values: Vars, context: Context, link: Link, key: RunKey | None = None
    ) -> FunctionContext | None:
        """The run of a function on these values; None beyond a limit. `key`: what it is remembered by."""
        self.steps += 1
        key = key or self.key_of(func, context, values)
        found = self.activations.get(key)
        if found is None:
            if self.flow.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            env = Environment(func.code, func.module, func.env, context.depth)
            _, _, _, _, asked, _ = key
            found = FunctionContext(func.module, func, context, env, link, asked=asked, key=key)
            self.activations[key] = self.core.homes[env] = found
            self.staleness.order.append(found)
            self.closures.setdefault(id(func.env), []).append(found)
            if not context.depth and func.cls is not None and receiver_of(values) is not None:
                self.alike.setdefault(apart(key), []).append(found)
        found.links[link] = None
        if link.parent is not None:
            self.flow.frame.callees[found] = None
            if not context.quiet:
                self.staleness.note_call(id(func.code), context.depth > 0)
        if self.flow.driving and not self.flow.launching:
            self.driven.add(id(func.code))
        begins = context.staged and not self.flow.frame.context.staged
        holder, given = self.staleness.holder, self.staleness.given
        if begins:
            found.arguments = tuple(values.values())
            self.staleness.use_trace(found, holder)
        if found.replaces and found.done and not found.running:
            entry, count = found.renewals
            count = count + 1 if entry is self.staleness.entry else 1
            found.renewals = self.staleness.entry, count
            if count > RENEWED.most:
                REACHED["renewed"] += 1
                return None
            found.done = False  # it finds other keys than those that it has replaced
        is_remembered = found.done
        if not found.done and not found.running:
            if self.flow.depth > DEPTH.most:
                REACHED["depth"] += 1
                return None
            self.analyze(found, values, None if link.parent is None else self.flow.frame)
            if found.recurs and found.consumptions:  # a call of it in itself consumes them, too
                self.analyze(found, values)
        elif found.running:
            found.recurs = True
        elif not context.staged:
            self.staleness.replay(found)
        self.flow.frame.replaces |= found.replaces
        self.core.pass_filled(found, is_remembered)
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

    def limit_of(self, func: Function, values: Vars, context: Context) -> Limit | None:
        """How many runs of a function are told apart that are called like this; None where none is."""
        program = func.module.program
        is_holding = any(map(holds_handed, values.values()))
        handed = [name for name, value in values.items() if tells_called(value)]
        is_handed = is_holding or bool(handed)
        is_predicate = asks_for_class(func.code, program)
        if context.depth:
            return STRATEGIES if is_handed or is_predicate else CONTEXTS
        if self.flow.driving:
            is_apart = is_handed or is_predicate
            return HANDED if is_apart else CANDIDATES if fills_registry(func.code, program) else CONTEXTS
        if self.flow.launching and func.code.name in CONSTRUCTION:  # what a test makes is known as it is
            return HANDED if is_handed else CONTEXTS
        is_wrapped = bool(handed) and not closed_over(func.code, program).isdisjoint(handed)
        if is_holding or is_wrapped or self.choosing(func, values):
            return HANDED
        if is_predicate or id(func.code) in self.driven:
            says_nothing = all(map(_says_nothing, values.values()))
            return None if says_nothing else HANDED if is_predicate else HIGHER
        return HIGHER if is_handed or any(map(keeps_handed, values.values())) else None

    def choosing(self, func: Function, values: Vars) -> Sequence[str]:
        """The parameters that are given known texts, by which the function chooses what it gives back."""
        texts = [name for name, value in values.items() if texts_of(value)]
        if not texts:
            return ()
        chosen = self._choosers.get(id(func.code))
        if chosen is None:
            chosen = self._choosers[id(func.code)] = chosen_by(func.code)
        return [name for name in texts if name in chosen]

    def analyze(
        self, activation: FunctionContext, values: Vars, caller: FunctionContext | None = None
    ) -> None:
        """Runs the body of a function context. caller: what calls it here."""
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
        activation.running, activation.arguments = True, tuple(values.values())
        flow, trace_cache = self.flow, self.staleness.trace_cache
        activation.entry = Entry(trace_cache.traces, flow.driving, flow.launching, flow.depth)
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
        enclosing, self.flow.enclosing = self.flow.enclosing, {**self.flow.enclosing, saved[1]: tests}
        asking = (self.flow.guards, self.flow.warned, self.flow.floors)
        self.flow.guards, self.flow.warned, self.flow.floors = int(activation.asked), 0, ()
        self.staleness.trace_cache = trace_cache.inner()
        activation.env.vars = {**values, **holding(activation.context.handed)}
        self._own_keywords(activation, code)
        if self.statements.run_block(code.body):
            activation.leave(NONE, activation.env.vars, self.flow.tests)
        activation.running = False
        self._keep_outcome(activation, code, start)
        activation.done = True
        if caller is not None and not activation.context.staged:
            self.staleness.pass_uses(activation, caller, trace_cache)
        self.staleness.trace_cache.end(trace_cache, activation)
        self.staleness.trace_cache = trace_cache
        activation.end()
        self.flow.depth -= 1
        self.flow.conditions, self.flow.tests = conditions, tests
        self.flow.enclosing = enclosing
        self.flow.guards, self.flow.warned, self.flow.floors = asking
        self.flow.frame, self.flow.env, self.flow.context, self.flow.module, self.flow.block = saved
        self.flow.last_called = ("", None)  # what the body called is not what its caller called

    def _own_keywords(self, activation: FunctionContext, code: Code) -> None:
        """What `**` takes is a dict of this call: a body that changes it has a copy of its own."""
        param = code.params[-1] if code.params else None
        given = activation.env.vars.get(param.name) if param is not None and param.kind == "**" else None
        if param is None or activation.func is None or not isinstance(given, MutableContainer):
            return
        if not leaves_alone(code, param.name, activation.func.module.program):
            own = self.core.box("dict", param.nid, "keywords")
            own.fill_as(given)
            own.of_call = given.of_call
            activation.env.vars[param.name] = own

    def _keep_outcome(self, activation: FunctionContext, code: Code, start: int) -> None:
        """Notes what a body that was run gives back and has done. `start`: the clock when it began."""
        if activation.sees_tracer:
            activation.returns = _of_tracers(activation.returns)
        if activation.returns:
            activation.env.vars = merge([state for _, state in activation.returns])
        values = [value for value, _ in activation.returns]
        result = join_all(values) if argument_in(values, code) is None else values[0]
        if code.is_generator:
            how = activation.manner(code)
            result = Product("iterator", join_all(activation.yields), None, *how, activation.context.depth)
        elif code.is_async:
            result = UNKNOWN
        activation.result = result
        self.consumption.settle_splits(activation)
        if asks(result):
            self.answers[id(code)] = result
        spent = activation.env.vars.get("$spent")
        found = [*spent.parts[0].all().values()] if isinstance(spent, Product) else []
        if len(found) > KEYS.most:
            REACHED["keys"] += 1
        activation.consumptions = tuple([representative(each) for each in found[: KEYS.most]])
        activation.tokens = (start, self.core.clock)
        # What is set of an object of which nothing is known, callers have to read anew.
        marks = [each for each in activation.env.vars if type(each) is tuple and each[0] == "@"]
        activation.touched.update([token for _, token, _ in marks if type(token) is not int])
        activation.touched = {each for each in activation.touched if not activation.has_made(root_of(each))}

    def analyze_again(self, activation: FunctionContext, watched: Container[Hashable]) -> bool:
        """Runs a body anew as it was called; says whether its callers may see a difference. Where what it was
        called with is no longer what it was, only its callers can run it anew."""
        func, entry = activation.func, activation.entry
        begins = activation.link is not None and (activation.link.transform or activation in self.fed)
        if func is None or entry is None or begins or func.env.parent is not None:
            activation.done = False
            if func is not None and activation in self.fed and (known := self.generics.get(id(func.code))):
                known.done = False
            return True
        key = _key(func, activation.context, activation.asked, activation.arguments)
        if self.activations.get(key) is not activation:
            activation.done = False
            return True
        before, written, touched = outcome(activation, watched), activation.writes.keys(), activation.touched
        self.staleness.trace_cache = TraceCache(entry.traces)
        self.flow.driving, self.flow.launching, self.flow.depth = entry.driving, entry.launching, entry.depth
        names = [param.name for param in func.code.params]
        self.analyze(activation, dict(zip(names, activation.arguments, strict=True)))
        # Where less is written now, callers may go on with what they know: it may be written.
        is_less = activation.writes.keys() <= written and activation.touched <= touched
        return not is_less or before != outcome(activation, watched)

    def is_analyzed(self, func: Function) -> bool:
        """Whether a function was analyzed for callers of which nothing is known."""
        known = self.generics.get(id(func.code))
        return known is not None and known.done

    def renew_tests(self) -> None:
        """What tests are called with is not what it was."""
        for each in self.fed:
            each.done = False
            if each.func is not None and (known := self.generics.get(id(each.func.code))):
                known.done = False

    def analyze_generic(
        self,
        func: Function,
        given: Mapping[str, Value] = _NOTHING,
        sources: Iterable[FunctionContext] = (),
        is_apart: bool = False,
    ) -> FunctionContext | None:
        """Analyzes a function of which no call is known: nothing is known of its arguments but what is given,
        from these sources. `is_apart`: it is not what is given to it elsewhere."""
        around = self.generics.get(id(func.env.code))
        if around is not None:  # what closes over as little that is known
            func = self.variants.get((id(func.code), around.env), func)
        tokens = Tokens(func)
        args = self.arguments.unknown_arguments(func, tokens, {}, func.cls)
        for name, value in given.items():
            if name in args and type(value) is not Unknown:
                args[name] = tokens.argument(value)
        self.flow.depth = 0
        self.staleness.trace_cache = TraceCache()
        link = Link(None, func.module, func.code.nid)
        found = self.activation(func, args, self.interpreter.loader.context_of(func), link)
        if found is None:
            return None
        if given:
            self.fed[found] = None
            found.callees.update(dict.fromkeys(sources))
        before = None if is_apart else self.generics.get(id(func.code))
        if before is not None:
            self.retired.add(before)
        self.retired.discard(found)
        if not is_apart:
            self.generics[id(func.code)] = found
        return found

    def analyze_inherited(self, func: Function, cls: Class) -> None:
        """Analyzes a method of another class on an object of a class that inherits it."""
        context = self.interpreter.loader.context_of(func)
        if id(func.code) in self.driven:
            context = context._replace(quiet=True)  # what a module runs is reported as it is run
        args = self.arguments.unknown_arguments(func, Tokens(func), {}, cls)
        self.flow.depth = 0
        self.staleness.trace_cache = TraceCache()
        self.activation(func, args, context, Link(None, func.module, func.code.nid))
