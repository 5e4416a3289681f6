"""Calls of the project's functions: each is analyzed in a context, or answered by one that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeGuard

from jaxlint.analysis.agreement import Agreement, left_in
from jaxlint.analysis.copies.given_copies import arguments_in, with_copies
from jaxlint.analysis.copies.module_states import ModuleStates
from jaxlint.analysis.core import Core
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Link, Vars
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.token_names import Tokens, argument_in, position_of
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.arguments import Arguments, is_flag, token_of
from jaxlint.calling.call_effects import CallEffects
from jaxlint.calling.contexts import Contexts, RunKey, apart, receiver_of
from jaxlint.calling.deferred_calls import DeferredCalls
from jaxlint.calling.donated.donation import Donations
from jaxlint.calling.handed_tests import handed_facts
from jaxlint.calling.memoised_calls import MemoisedCalls
from jaxlint.domain.facts import facts_of, settings_of
from jaxlint.domain.handed_values import is_called
from jaxlint.domain.join import Tuple, any_of, level_of, options_of
from jaxlint.domain.key_tokens import made_alike, root_of
from jaxlint.domain.objects import CONSTRUCTION, Class, Function, Instance
from jaxlint.domain.questions import map_tokens
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Const,
    External,
    FeatureProbe,
    NumPyArray,
    Product,
    Static,
    Unknown,
    Value,
)
from jaxlint.evaluation.definitions import Definitions
from jaxlint.ir.limits import CHOSEN, COMMON, EAGER, REACHED, SHARED, TRACES
from jaxlint.ir.mentions import asks_for_tracer
from jaxlint.ir.nodes import CallExpr, CompareExpr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import nodes_of

if TYPE_CHECKING:
    from jaxlint.domain.objects import Module

# Objects of other classes with which one is compared. Of more, it has its own analysis: no result changes.
COMPARED = 8

_SAME_FOR_ALL = (Const, NumPyArray)  # what a method that calls share has set so is so for each of them

_AUTOGRAPH = ("malt.", "tensorflow.autograph", "tensorflow.python.autograph")


class FunctionCalls:
    """Finds what a call of a function gives: of a context of its own, or of one that calls share."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        consumption: KeyConsumption,
        definitions: Definitions,
        arguments: Arguments,
        effects: CallEffects,
        contexts: Contexts,
        deferred: DeferredCalls,
        donations: Donations,
        module_states: ModuleStates,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.consumption = consumption
        self.definitions = definitions
        self.arguments = arguments
        self.effects = effects
        self.contexts = contexts
        self.deferred = deferred
        self.donations = donations
        self.module_states = module_states
        self._askers: dict[int, bool] = {}  # whether a function asks if something is a tracer
        self.rewritten: set[int] = set()  # codes that do not run as they are written
        self.agreement = Agreement()
        self.refused: Function | None = None  # what a call was last made of whose arguments do not fit
        self.memoised = MemoisedCalls(flow, core, staleness, definitions)
        self._rewriters: dict[str, bool] = {}
        # by the function, and the class of a method's object: what is known of the arguments of all calls
        # that share the last contexts
        self._common: dict[tuple[Code, Class | None], dict[Hashable, Hashable]] = {}
        self._flags: dict[Code, Vars] = {}  # and which flags all of them give, with what value

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
        given = self.arguments.bind_arguments(func, args, keywords, exact)
        if given is None:
            self.refused = func
            self.flow.unbound = None if func.code.decorators else (self.flow.module, nid)
            return UNKNOWN
        context = context or self.flow.context
        if context.depth:
            self.arguments.believe(func, given)
        if len(args) == 1:
            self.flow.subjects[nid] = args[0]
        if self._rewrites(func.module):
            self.rewritten.update(id(each.code) for each in args if isinstance(each, Function))
        nested = TRACES if context.staged else EAGER
        if context.depth > nested.most:
            REACHED[nested.name] += 1
            return UNKNOWN
        context = self._entered(context, func, given, nid)
        self.deferred.hand_over(func, given)
        limit = self.contexts.limit_of(func, given, context)
        tokens, values = Tokens(func, self.flow.called), given
        if limit is not None:
            values = self.arguments.arguments_apart(func, given, tokens)
            self.deferred.link(func, tokens)
        is_memoised = id(func.code) in self.staleness.memoised
        hashed = self.memoised.memo(func, args, keywords, nid, context.depth) if is_memoised else None
        memo = hashed if exact else None
        transform, self.flow.entering = self.flow.entering, ""
        mapped, self.flow.mapped = self.flow.mapped, None
        module, place = self.flow.place if transform else (self.flow.module, nid)
        static = self.flow.take_static() if transform else ()
        self.freshness.note_site(func, nid, is_call=not transform)
        self.flow.unsure = False
        around = self.flow.around
        link = Link(self.flow.frame, module, place, transform, static, around[:-1] if transform else ())
        calling = self.flow.calling
        self.flow.around = ()
        try:
            activation = None
            if limit is not None:
                activation = self.contexts.activation_within(func, values, context, link, limit)
        finally:
            self.flow.around = around
        if activation is None:
            if id(func.code) in self.contexts.driven and not (context.depth or self.flow.driving):
                # what a module runs is known as it is run: a call of which nothing is known adds nothing
                context = context._replace(quiet=True)
            result = self._call_in_general(func, given, context, link, nid, len(args))
            if memo is not None:
                self.memoised.remember(memo, None, result, nid)
            return result
        self._follow(activation, tokens, given)
        result = self.effects.returned(activation, tokens, nid, calling=calling, made=func.made)
        self._note_arguments(func, activation, calling, nid, len(args))
        if mapped is not None:
            outward = self.effects.parts.outward(self.consumption, tokens, activation)
            self.consumption.tell_shared(activation, outward, mapped | tokens.noted, nid)
        if memo is not None:
            self.flow.frame.notes.recalls = True
            self.memoised.remember(memo, activation, result, nid)
        return result

    def _entered(self, context: Context, func: Function, given: Vars, nid: int) -> Context:
        """The trace context of what is called here."""
        handed = handed_facts(func, given, self.flow, nid) if context.depth else ()
        if handed or context.handed:
            context = context._replace(handed=handed)
        if self.core.silent:
            context = context._replace(quiet=True)
        shown = settings_of(self.flow.conditions)
        if not context.depth:  # which one it is, and not which it is none of: each is another context
            shown = [each for each in shown if each.constant() is not None]
        return (
            context.assuming([each for each in shown if each.subject in self._settings]) if shown else context
        )

    @cached_property
    def _settings(self) -> frozenset[Hashable]:
        """The settings that tests of several functions ask for: what one shows may answer another."""
        found: Counter[Hashable] = Counter()
        for module in self.core.world.modules:
            for code in (module.program.body, *module.program.codes):
                tests = [each for each in nodes_of(code.body) if isinstance(each, CompareExpr)]
                found.update({fact.subject for each in tests for fact in settings_of(facts_of(each, True))})
        return frozenset([subject for subject, count in found.items() if count > 1])

    def _call_in_general(
        self, func: Function, given: Vars, context: Context, link: Link, nid: int, count: int
    ) -> Value:
        """A call of a function that is called in many ways: what holds in all of them holds in this one.
        `nid` is the call, `count` how many arguments it gives by position; the link may be where a transform
        was applied, in another module."""
        owner = next(iter(given.values()), None)
        own = owner if isinstance(owner, Instance) and func.cls is not None else None
        answer = self.guards.answer([*given.values()], UNKNOWN)
        tokens, calling = Tokens(func, self.flow.called), self.flow.calling
        # Nothing is reported there: what the method does for objects of its own class is enough.
        is_of_base = own is not None and context.quiet and not context.depth and own.cls is not func.cls
        kind = func.cls if own is None or is_of_base else own.cls
        values = self.arguments.arguments_in_general(func, given, tokens, kind, context.depth)
        self.deferred.link(func, tokens)
        shared = self._shared(func, given, values, context)
        if shared is None:
            REACHED["shared"] += 1
            self._note_asked(func, given, nid)
            tokens, told = Tokens(func, tokens.called), self._told_by_all(func, kind, given, values)
            values = self.arguments.arguments_in_general(func, told, tokens, kind, context.depth)
            values |= self._flags[func.code]
            key = self.contexts.key_of(func, context, values)
            if not self.contexts.budget.admits((func.code, "common"), key, COMMON.most):
                REACHED["common"] += 1
                return self._answer_beyond(func, values, nid)
            self.deferred.link(func, tokens)
        else:
            key, values = shared
        served = None if context.depth or is_of_base else self._served(key, values)
        if served is not None:
            values = {**values, func.code.params[0].name: served.arguments[0]}
            key = self.contexts.key_of(func, context, values)
        trace_cache, self.staleness.trace_cache = self.staleness.trace_cache, TraceCache()
        activation = self.contexts.activation(func, values, context, link, key)
        self.staleness.trace_cache = trace_cache
        if activation is None:
            return self._answer_beyond(func, values, nid)
        self._follow(activation, tokens, given)
        first = next(iter(values.values()), None)
        is_method = func.cls is not None and first not in tokens.stands
        stand_in = first if is_method and isinstance(first, Instance) and first is not own else None
        is_equal = served is not None and self._serve(activation, stand_in, own)
        result = self.effects.returned(
            activation, tokens, nid, stand_in, calling, own, is_equal, func.made, given
        )
        self._note_arguments(func, activation, calling, nid, count)
        result = _given_itself(activation, given, result)
        if isinstance(result, (Unknown, Tuple)):
            result = with_copies(self.flow, self.core, func, given, result, nid)
        if tokens.stands:
            result = self._given_back(activation, tokens, result, nid)
        if isinstance(answer, FeatureProbe):
            return answer
        if not context.depth and stand_in is not None and self._is_one(own):
            self.staleness.follow_writes(activation, stand_in, own)
        if stand_in is None:
            return result
        if own is not None:
            self.freshness.note_effects(activation, own, stand_in)
            if not own.generic:
                self._keep_given(func, activation, stand_in, own, [*given.values()])
            if is_of_base and result != NONE and result is not stand_in:
                return UNKNOWN  # the class of the object may have another method that says it

        def held(token: Any) -> Any:
            return self.effects.left.held_by(own, token) if root_of(token) == id(stand_in) else token

        result = map_tokens(result, held, made_alike)
        return any_of([own if own and each is stand_in else each for each in options_of(result)])

    def _note_arguments(
        self, func: Function, activation: FunctionContext, node: CallExpr | None, nid: int, count: int
    ) -> None:
        """What a call has done to arguments as they are written. `count`: how many it has by position."""
        self.donations.note_helper(func, activation.donates, node, nid, count)
        self.module_states.note_called(func, activation.changes, node, nid, count)

    def _keep_given(
        self,
        func: Function,
        activation: FunctionContext,
        stand_in: Instance,
        own: Instance,
        given: Sequence[Value],
    ) -> None:
        """What a method that calls share has set on all of its paths each object has: what is the same for
        all, and of an attribute that is set to an argument as it is what its own call gave. What is known of
        other attributes is what a constructor has set: they may hold something else now."""
        constructs = func.code.name in CONSTRUCTION
        for each, name, _, value in activation.left():
            if each is not stand_in or not (constructs or name in own.attributes):
                continue
            code, position = (position_of(value.token) if isinstance(value, Unknown) else None) or (0, 0)
            # what is kept of arguments in general is counted behind the parameters
            is_given = code == id(func.code) and position < len(given)
            kept = given[position] if is_given else value
            if kept is None or not (type(kept) in _SAME_FOR_ALL or (is_given and _is_whole(kept))):
                kept = UNKNOWN
            if not constructs or kept is not UNKNOWN:
                self.core.set_attribute(own, name, kept)
            if constructs and kept is not UNKNOWN:
                self.flow.env.vars["@", id(own), name] = kept

    def _follow(self, activation: FunctionContext, tokens: Tokens, given: Vars) -> None:
        """What becomes of a call beside its result. What a constructor sets on some of its paths alone is on
        the others what the class says."""
        self.flow.frame.operations += activation.operations
        self.deferred.follow_out(activation, tokens, given)
        if activation.func is None or activation.func.code.name not in CONSTRUCTION:
            return
        owner = activation.arguments[0] if activation.arguments else None
        for each, name, _, last in activation.left():
            found = each.cls.lookup(name) if last is None and each is owner else None
            if found is not None and isinstance(found[0], (Const, Static)):
                self.core.set_attribute(each, name, found[0])

    def _is_one(self, owner: Instance | None) -> TypeGuard[Instance]:
        """Whether an object is known: what stands for any of its class is that of the method that runs."""
        arguments = self.flow.frame.arguments
        return owner is not None and (not owner.generic or (bool(arguments) and arguments[0] is owner))

    def _shared(
        self, func: Function, given: Vars, values: Vars, context: Context
    ) -> tuple[RunKey, Vars] | None:
        """What calls like this one share, and what it is remembered by; None where nothing more is shared.
        `values`: what is known of the arguments in general."""
        if context.depth:
            flags = self._flags_of(func, given)
            if flags:
                chosen = {**values, **flags}
                key = self.contexts.key_of(func, context, chosen)
                if self.contexts.budget.admits((func.code, "chosen"), key, CHOSEN.most):
                    return key, chosen
                REACHED["chosen"] += 1
            values = {**values, **self._held_by_all(func, flags)}
        key = self.contexts.key_of(func, context, values)
        if context.depth and not self.contexts.budget.admits((func.code, "shared"), key, SHARED.most):
            return None
        return key, values

    def _flags_of(self, func: Function, given: Vars) -> Vars:
        """The arguments by which a function chooses what it does."""
        chosen_by = self.contexts.choosing(func, given)
        return {
            name: value
            for name, value in given.items()
            if is_flag(value) or (name in chosen_by and type(value) is Const)
        }

    def _held_by_all(self, func: Function, flags: Vars) -> Vars:
        """Those of the flags of a call that all calls up to here give of those that are not told apart."""
        common = self._flags.get(func.code, flags)
        held = {name: value for name, value in common.items() if flags.get(name) == value}
        self._flags[func.code] = held
        return held

    def _told_by_all(self, func: Function, cls: Class | None, given: Vars, values: Vars) -> Vars:
        """The arguments of a call of which only that is known what was known of all such calls up to here.
        `values`: what is known of them in general; `cls`: of the object whose method it is."""
        common = self._common.setdefault((func.code, cls), {})
        told: Vars = {}
        for name, value in given.items():
            fact = values[name].fact()
            if common.setdefault(name, fact) != fact:
                common[name] = None
            told[name] = Unknown(token_of(value)) if common[name] is None else value
        return told

    def _given_back(self, activation: FunctionContext, tokens: Tokens, result: Value, nid: int) -> Value:
        """What a callee has done to an object that is annotated it has done to the one that it was given."""
        for stand_in, value in tokens.stands.items():
            names = activation.written_of(stand_in)
            for each in options_of(value):
                if isinstance(each, Instance):
                    for name in names:
                        mark = self.flow.frame.writes[each, name] = ("@", id(each), name)
                        self.flow.env.vars[mark] = Unknown(self.core.fresh())
                elif type(each) is Unknown and each.token is not None and names:
                    self.flow.frame.touched.add(each.token)
        options = options_of(result)
        if not any(isinstance(each, Instance) and each in tokens.stands for each in options):
            return result
        return any_of(arguments_in(self.flow, self.core, options, tokens.stands, nid))

    def _served(self, key: RunKey, values: Vars) -> FunctionContext | None:
        """The run of a method on an object of another class, where it is the same as on this one."""
        receiver = receiver_of(values)
        before = self.contexts.activations.get(key)
        if receiver is None or (before is not None and before.done):
            return None
        for each in self.contexts.alike.get(apart(key), ())[:COMPARED]:
            if each.done and not each.running and each is not before:
                other = each.arguments[0]
                assert isinstance(other, Instance)
                lookups = self.agreement.lookups(each)
                if lookups is not None and self.agreement.holds(lookups, other, receiver):
                    reads = dict.fromkeys([(receiver, lookup) for lookup in lookups], self.core.changes)
                    self.flow.frame.reads = reads | self.flow.frame.reads
                    return each
        return None

    def _serve(self, activation: FunctionContext, stand_in: Instance | None, own: Instance | None) -> bool:
        """What a method sets on the object that it was analyzed for, it sets on those of another class.
        Whether `own` is the one that stands for these."""
        if own is None or stand_in is None:
            return False
        generic = self.definitions.generic_instance(own.cls)
        for name, value in left_in(activation, stand_in):
            self.core.set_attribute(generic, name, value)
        return own is own.cls.generic

    def _answer_beyond(self, func: Function, values: Vars, nid: int) -> Value:
        """What is known of a call that is not analyzed: what it says of a library, but not of a tracer."""
        self._note_asked(func, values, nid)
        return self.contexts.answers.get(id(func.code), UNKNOWN)

    def _note_asked(self, func: Function, given: Vars, nid: int) -> None:
        """A call that is not analyzed with these arguments may ask which of them are tracers."""
        if any(map(level_of, given.values())) and self._asks_for_tracer(func.code):
            self.flow.env.vars["tracer", nid] = NONE

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


def _is_whole(value: Value) -> bool:
    """Whether all is known of a value that a call gives: it is called, or is of a library."""
    return is_called(value) or type(value) in (External, Product)


def _given_itself(activation: FunctionContext, given: Vars, result: Value) -> Value:
    """What a call gives that gives back an argument as it is: that argument, whatever others give."""
    position = argument_in([activation.result], activation.code)
    value = UNKNOWN if position is None else given.get(activation.code.params[position].name, UNKNOWN)
    return result if isinstance(value, Unknown) else value
