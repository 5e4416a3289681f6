"""Analyzes a whole project: every module, every trace, and every function that no call reaches.

In: the modules. Out: findings, each with the function context that it was found in. Rounds are repeated
while what objects hold still changes, so that no finding rests on a half-filled object; a later round
analyzes what read something that has changed, and its callers where they would see a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence, Set
from heapq import heapify, heappop, heappush
from itertools import chain
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from jaxlint.analysis.agreement import Agreement
from jaxlint.analysis.copies.lost_changes import lost_changes
from jaxlint.analysis.core import Unreachable, rank_of
from jaxlint.analysis.events import Recompile, Reference
from jaxlint.analysis.expected_errors import run_for_errors
from jaxlint.analysis.function_context import Event, FunctionContext, Mutation, below
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import EAGER, Context
from jaxlint.analysis.whole_program import WholeProgram
from jaxlint.domain.join import options_of
from jaxlint.domain.objects import CONSTRUCTION, Class, Function, Module, Transformed
from jaxlint.domain.program import World
from jaxlint.domain.values import UNKNOWN, Product, Value
from jaxlint.failure import Failure
from jaxlint.ir.limits import AGAIN, REACHED, ROUNDS
from jaxlint.library.modelled import ModelFunction, Models
from jaxlint.library.models import models
from jaxlint.library.parts import Parts
from jaxlint.library.rule_model import Model, Target
from jaxlint.session import worklist
from jaxlint.session.inheritance import Inheritance, constructors
from jaxlint.session.observed_calls import ObservedCalls, Seen
from jaxlint.session.progress import SILENT, Progress
from jaxlint.session.worklist import name_of, rank_of_caller, rank_of_inherited

if TYPE_CHECKING:
    from jaxlint.ir.finding import Finding
    from jaxlint.project.settings import JaxSettings
    from jaxlint.rule.definition import Rule


Found = tuple[Event, "Finding"]


class Driver:
    """The analysis of one project."""

    def __init__(
        self,
        world: World,
        rules: Sequence[Rule],
        target: Target,
        taught: JaxSettings,
        progress: Progress = SILENT,
        is_test: Callable[[str], bool] | None = None,
        own_models: Mapping[str, ModelFunction] = MappingProxyType({}),
        seen: Mapping[int, Seen] = MappingProxyType({}),
    ) -> None:
        """
        Args:
            seen: What runs showed of functions, by the identity of their codes.
        """
        self.progress = progress
        self._is_test = is_test or (lambda path: False)
        modelled = Models({**models(), **own_models}) if own_models else models()
        parts = Parts(world, rules, taught, modelled, modelled.over_source, self)
        parts.core.model = self.model = Model(
            parts.flow,
            parts.consumption,
            parts.calls,
            parts.transforms,
            parts.containers,
            parts.arrays,
            parts.pytrees,
            target,
            world,
            is_test,
        )
        self._parts = parts
        self.flow = parts.flow
        self.core = parts.core
        self.expressions = parts.expressions
        self.staleness = parts.staleness
        self.definitions = parts.definitions
        self.attributes = parts.attributes
        self.assignments = parts.assignments
        self.statements = parts.statements
        self.arguments = parts.arguments
        self.contexts = parts.contexts
        self.fixtures = parts.fixtures
        self.function_calls = parts.function_calls
        self.storing = parts.storing
        self.lifting = parts.lifting
        self.transforms = parts.transforms
        self.deferred = parts.deferred
        self.calls = parts.calls
        self.observed = ObservedCalls(parts, seen, is_test, self.guard)
        self.analyzed: set[Hashable] = set()
        self.bodies: dict[str, FunctionContext] = {}
        self.unsettled: set[FunctionContext] = set()  # what reads attributes that have not settled, and below
        self._reached: tuple[int, set[FunctionContext]] = (-1, set())  # and at which step
        self.inherited: set[tuple[int, Class]] = set()  # methods analyzed for a subclass, by code
        self._rested = -1  # the step at which every function had been analyzed
        self.repeats = False  # this is not the first round
        self._history: WholeProgram | None = None

    def run(self) -> list[Found]:
        """All findings of the project, in a stable order, each with the function context that it comes
        from."""
        self.guard(self._analyze_all)
        self.guard(self._check_classes)
        self.guard(self.function_calls.memoised.tell_leaks)
        self.guard(lambda: self.staleness.check_setters(self.lasting()))
        self.model.settle(self.reached())
        return list(self._found())

    def release(self) -> None:
        """Takes apart what the analysis has made; nothing can be asked of it afterwards. It is full of rings,
        which the garbage collector finds at several times the cost of this."""
        for activation in self.staleness.order:
            _empty(activation.env)
            _empty(activation)
        for made in (*self.contexts.classes, *self.core.world.modules):
            _empty(made)
        for part in (self.model, self._history, *vars(self._parts).values()):
            if hasattr(part, "__dict__"):
                vars(part).clear()
        vars(self._parts).clear()

    def _analyze_all(self) -> None:
        stale: list[FunctionContext] = []
        for _ in range(ROUNDS.most):
            self.core.begin_round()
            self.staleness.trace_cache = TraceCache()
            self.definitions.pending_checks = []
            self.analyzed, self._rested, self.repeats = set(), -1, bool(stale)
            self.function_calls.agreement = Agreement()
            self.observed.begin()
            self._renew(stale)
            self.staleness.trace_cache, self.function_calls.agreement = TraceCache(), Agreement()
            for module in worklist.in_order(self.core.world.modules, name_of):
                self.load(module)
            self._settle()
            stale = self._stale() or self._analyze_inherited()
            if not stale:
                break
        else:
            REACHED["rounds"] += 1
            self.unsettled = below(stale)

    def _stale(self) -> list[FunctionContext]:
        """What read a value that has changed since; what nothing leads to waits until a call does."""
        dirty = self.core.dirty
        if not dirty:
            return []
        stale = [
            activation
            for activation in self.staleness.order
            if not dirty.keys().isdisjoint(activation.reads.keys())
            and any(dirty.get(read, 0) > moment for read, moment in activation.reads.items())
        ]
        if not stale:
            return []
        reached = self.reached()
        for activation in stale:
            activation.done = activation.done and activation in reached
        return [activation for activation in stale if activation in reached]

    def _renew(self, stale: Iterable[FunctionContext]) -> None:
        """Analyzes these again, and what called them where that makes a difference: callees first."""
        numbers = worklist.callees_first(self.staleness.order)
        inside = worklist.in_order(numbers, numbers.__getitem__)
        place = {activation: number for number, activation in enumerate(inside)}
        callers: dict[FunctionContext, list[FunctionContext]] = {}
        for activation in self.staleness.order:
            for callee in activation.callees:
                callers.setdefault(callee, []).append(activation)
        watched = self.staleness.watched()
        heap = [place[activation] for activation in stale]
        heapify(heap)
        waiting = set(heap)
        times: Counter[int] = Counter()
        while heap:
            number = heappop(heap)
            waiting.discard(number)
            times[number] += 1
            activation = inside[number]
            if activation.func is None:
                activation.module.state = "new"
                continue
            outer: list[FunctionContext] = []
            if self._differs(activation, watched):
                outer += callers.get(activation, ())
            for inner in self.contexts.closures.get(id(activation.env), ()):
                if not inner.done:  # what calls it now gets to other variables
                    outer += callers.get(inner, ())
            for each in outer:
                if place[each] in waiting:
                    continue
                if times[place[each]] == AGAIN.most:
                    REACHED["again"] += 1
                    continue
                waiting.add(place[each])
                heappush(heap, place[each])

    def _differs(self, activation: FunctionContext, watched: Container[Hashable]) -> bool:
        """Analyzes a function context again, as a task that may fail; says whether its callers must be,
        too."""
        differs = [True]

        def task() -> None:
            differs[0] = self.contexts.analyze_again(activation, watched)

        self.guard(task, is_entry=False)
        self.flow.driving = self.flow.launching = False
        return differs[0]

    def _settle(self) -> None:
        """Analyzes what nothing leads to, what was put off, and what runs have shown, until nothing is
        left."""
        self._analyze_rest()
        while self._drain() or self.observed.enter():
            self._analyze_rest()

    def _drain(self) -> bool:
        """Does what was put off until functions were analyzed, and what comes of it; says whether there was
        anything."""
        found = bool(queue := [*self.transforms.pending, *self.deferred.pending])
        while queue:
            self.transforms.pending, self.deferred.pending = [], []
            for _, task in worklist.in_order(queue, itemgetter(0)):
                self.guard(task, is_entry=False)
            queue = [*self.transforms.pending, *self.deferred.pending]
        return found

    def guard(self, task: Any, is_entry: bool = True) -> None:
        """Runs a task. What goes wrong in it is told, unless the program itself raises; the rest goes on."""
        self.progress.step()
        before, self.staleness.entry = self.staleness.entry, object() if is_entry else None
        saved = self.flow.position()
        stack, asking = [*self.flow.class_stack], (self.flow.guards, self.flow.warned, self.flow.floors)
        try:
            task()
        except Exception as error:
            if not isinstance(error, Unreachable):
                self.core.note_failure(Failure.of(error, self.flow.module.path))
            for activation in self.staleness.order:
                activation.running = False
            self.flow.class_stack = stack
            self.flow.guards, self.flow.warned, self.flow.floors = asking
            self.lifting.copying.clear()
            self.flow.return_to(saved)
        self.flow.depth, self.staleness.entry = 0, before

    def load(self, module: Module) -> None:
        """Analyzes a module's body, once a round: after those of its packages, as Python does."""
        if module.state != "new":
            return
        parts = module.name.split(".")
        for end in range(1, len(parts)):
            if package := self.core.world.by_name.get(".".join(parts[:end])):
                self._load_alone(package)
        self._load_alone(module)  # unless a package has imported it
        if not any(each.state == "running" for each in self.core.world.modules):
            self.guard(self._parts.imports.bind_postponed)

    def _load_alone(self, module: Module) -> None:
        if module.state != "new":
            return
        module.state = "running"
        self.flow.driving, self.flow.launching, saved = True, False, (self.flow.driving, self.flow.launching)
        cache = self.staleness.trace_cache
        if self.flow.frame.func is not None:
            # A function imports it: whichever call is the first runs the body, before what it traces.
            self.staleness.trace_cache = TraceCache()
        self.guard(lambda: self._load(module))
        self.staleness.trace_cache = cache
        self.flow.driving, self.flow.launching = saved
        module.state = "done"

    def _load(self, module: Module) -> None:
        body = self.bodies.get(module.path)
        if body is None:
            body = FunctionContext(module, None, EAGER, module.env)
            self.bodies[module.path] = self.core.homes[module.env] = body
            self.staleness.order.append(body)
        saved = self.flow.position()
        self.contexts.steps += 1
        body.begin()
        body.context = EAGER
        body.done = True
        body.breaks, body.continues, body.caught, body.raised = (), (), (), ()
        module.stars = []
        module.env.vars = {name: each for name, each in module.env.vars.items() if name[0] == "late"}
        self.flow.frame, self.flow.env, self.flow.context, self.flow.module = body, module.env, EAGER, module
        self.flow.block = self.core.new_block()
        stack, self.flow.class_stack = self.flow.class_stack, []
        asking = (self.flow.guards, self.flow.warned, self.flow.floors)
        self.flow.guards, self.flow.warned, self.flow.floors = 0, 0, ()
        tests, self.flow.tests = self.flow.tests, []
        self.statements.run_block(module.program.body.body)
        self.definitions.run_main(module)
        self.flow.tests = tests
        self._parts.consumption.settle_splits(body)
        self.flow.class_stack = stack
        self.flow.guards, self.flow.warned, self.flow.floors = asking
        self.flow.return_to(saved)

    def context_of(self, func: Function) -> Context:
        """That of a function of which no call is known."""
        body = self.bodies.get(func.module.path)
        context = EAGER if body is None else body.context
        return context.expecting() if self.definitions.may_fail(func) else context

    def _analyze_rest(self) -> None:
        """Every function is also analyzed once as a caller outside the project might call it."""
        if self.contexts.driven and self.repeats:
            reached = {id(each.func.code) for each in self.reached() if each.func is not None}
            self.contexts.driven &= reached  # calls that led to the others are no longer made
        while self._rested != self.contexts.steps:
            left = [
                func
                for key, func in self.contexts.functions.items()
                if key not in self.analyzed
                and key not in self.contexts.unjitted_codes
                and key not in self.contexts.driven
                and key not in self.transforms.in_traces
                if key not in self.function_calls.rewritten
                if (generic := self.contexts.generics.get(key)) is None or not generic.done
            ]
            inherited = constructors(self.contexts, left, self.analyzed, self.function_calls.rewritten)
            if not left and not inherited:
                self._rested = self.contexts.steps
            # constructors first: what they set is what the other methods read
            makers = [func for func in left if func.code.name in CONSTRUCTION]
            others = [func for func in left if func.code.name not in CONSTRUCTION]
            for func in worklist.in_order(makers, rank_of):
                self._analyze_alone(func)
            for func, cls in worklist.in_order(inherited, rank_of_inherited):
                self.analyzed.add((id(func.code), id(cls)))
                self.guard(lambda func=func, cls=cls: self.contexts.analyze_inherited(func, cls))
            for func in worklist.in_order(others, rank_of_caller):
                self._analyze_alone(func)

    def _analyze_alone(self, func: Function) -> None:
        """Analyzes a function as a caller outside the project might call or trace it."""
        traced = self.core.taught.traced_functions
        self.analyzed.add(id(func.code))
        if traced and self.arguments.full_name(func) in traced:
            self.guard(lambda: self.analyze_traced(func))
        else:
            self.guard(lambda: self.fixtures.analyze(func))

    def _analyze_inherited(self) -> list[FunctionContext]:
        """Methods do for the objects of a subclass what it has them do. Gives back what this makes stale."""
        Inheritance(self.staleness.order, self.contexts.classes, self._analyze_for, self.inherited).run()
        self._settle()
        return self._stale()

    def _analyze_for(self, func: Function, value: Value, cls: Class) -> None:
        """Analyzes a method that a class inherits, on an object of which only the class is known."""
        if value is func:
            self.guard(lambda: self.contexts.analyze_inherited(func, cls))
        else:
            self.guard(lambda: self._call_for(func, value, cls))

    def analyze_traced(self, func: Function) -> None:
        """Analyzes a function that something outside the project traces."""
        body: Value = func
        if func.cls is not None:
            body = self.attributes.bind_method(
                func, self.definitions.generic_instance(func.cls), func.code.nid
            )
        self._call_as_outside(func, Transformed("jit", body, (), (func.module, func.code.nid)))

    def _call_for(self, func: Function, value: Value, cls: Class) -> None:
        owner = self.definitions.generic_instance(cls)
        self._call_as_outside(func, self.attributes.bind_method(value, owner, func.code.nid))

    def _call_as_outside(self, func: Function, made: Value) -> None:
        """Calls what is made of a function with arguments of which nothing is known."""
        saved = (self.flow.frame, self.flow.env, self.flow.context, self.flow.module, self.flow.depth)
        self.flow.frame, self.flow.module = self.bodies[func.module.path], func.module
        self.flow.context, self.flow.env, self.flow.depth = EAGER, func.module.env, 0
        self.staleness.trace_cache = TraceCache()
        state = func.module.env.vars
        func.module.env.vars = dict(state)  # what this call consumes the next one does not
        args, keywords = self.transforms.generic_arguments(made)
        if args is not None:
            self.flow.looking = True
            self.calls.call(made, args, keywords, func.code.nid)
            self.flow.looking = False
        func.module.env.vars = state
        self.flow.frame, self.flow.env, self.flow.context, self.flow.module, self.flow.depth = saved

    def lasting(self) -> dict[Transformed, set[Hashable]]:
        """The results of transforms that modules and objects keep, and in which attributes."""
        found: dict[Transformed, set[Hashable]] = {}
        for module in self.core.world.modules:
            for each in module.env.vars.values():
                if isinstance(each, Transformed):
                    found.setdefault(each, set())
        for cls in self.contexts.classes:
            if cls.generic is not None:
                for name, value in cls.generic.attributes.items():
                    for each in options_of(value):
                        if isinstance(each, Transformed):
                            found.setdefault(each, set()).add(("set", id(cls.generic), name))
            for value in cls.attributes.values():
                for each in options_of(self._cached_by(value)):
                    if isinstance(each, Transformed):
                        found.setdefault(each, set())
        return found

    def _cached_by(self, value: Value) -> Value:
        """What a cached property keeps of an object, whoever makes that."""
        func = value.parts[0] if isinstance(value, Product) and value.kind == "property" else None
        if not isinstance(func, Function) or not value.parts[1]:  # type: ignore[attr-defined]
            return UNKNOWN
        context = self.contexts.generics.get(id(func.code))
        return UNKNOWN if context is None else context.result

    def _check_classes(self) -> None:
        for event in self.definitions.pending_checks:
            self.flow.frame = event.frame
            self.flow.context = EAGER
            self.core.emit("ClassDef", event)
        reached = self.reached()
        history = self._history = WholeProgram(
            (each for each in self.staleness.order if each in reached), self.contexts.classes
        )
        lost = lost_changes(history.activations, self.lifting.handing_back)
        for name, told in chain(history.events(), (("LostChange", each) for each in lost)):
            self.flow.frame = told.frame
            self.core.emit(name, told)

    def reached(self, host: bool = False, apart: Set[FunctionContext] = frozenset()) -> set[FunctionContext]:
        """The function contexts that the last round still leads to. host: not those to which only functions
        lead that traced code defines and nothing calls: these could only run while JAX traces. apart: what is
        left out besides."""
        step, known = self._reached
        if step == self.contexts.steps and not host:
            return known
        starts = [each for each in self.staleness.order if each.link is None or each.link.parent is None]
        found = below(
            each
            for each in (*starts, *self.contexts.generics.values(), *self.observed.entered)
            if each.func is None or id(each.func.code) not in self.function_calls.rewritten
            if each not in self.contexts.retired
            if not host or each.func is None or not each.func.is_made_in_trace()
            if each not in apart
        )
        if idle := run_for_errors(self.contexts.generics.values(), found, self._is_test) - apart:
            return self.reached(host, idle | apart)
        if not host:
            self._reached = self.contexts.steps, found
        return found

    def _found(self) -> Iterable[Found]:
        reached = self.reached()
        host = {each for each in self.reached(host=True) if not each.context.depth}
        for activation in self.staleness.order:
            if activation not in reached or activation in self.unsettled:
                continue
            for event, finding in activation.findings:
                if isinstance(event, Reference) and event.name in self.storing.patched:
                    continue
                if isinstance(event, Mutation) and self.storing.is_undone(event):
                    continue
                if finding.rule.when == "eager" and activation.func is not None:
                    is_staged = id(activation.func.code) in self.contexts.staged_codes
                    if activation not in host or (is_staged and not isinstance(event, Recompile)):
                        continue
                if self._stands(event, finding):
                    yield event, finding

    def _stands(self, event: Event, finding: Finding) -> bool:
        """Whether a rule still says, now that all is known, what it has found."""
        try:
            return bool(finding.rule.stands(event, finding, self.model))
        except Exception as error:
            self.core.note_failure(Failure.of(error, event.module.path, event.nid, finding.rule.code))
            return False


def _empty(made: Any) -> None:
    """Takes from an object what it has."""
    for kind in type(made).__mro__:
        for name in getattr(kind, "__slots__", ()):
            try:
                delattr(made, name)
            except AttributeError:  # it never had one
                pass
