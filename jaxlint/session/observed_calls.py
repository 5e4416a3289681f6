"""Functions entered as runs have entered them: entries of the analysis, as if a caller had been read.

In: the functions of which facts hold, by their code. Out: their contexts in the traces that were seen, each
with a link that says where. What was called with no tracer around is no entry. A function in another one is
entered with the variables that it closes over, in a context of the outer one that is as deep in traces as in
the run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from jaxlint.analysis.core import Rank, rank_of
from jaxlint.analysis.function_context import FunctionContext, Link, Vars
from jaxlint.analysis.token_names import Tokens
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.domain.join import join
from jaxlint.domain.objects import CONSTRUCTION, Class, Environment, Function, Instance, Module
from jaxlint.domain.values import Unknown
from jaxlint.ir.limits import OBSERVED, REACHED, TRACES
from jaxlint.ir.program import Code
from jaxlint.library.parts import Parts
from jaxlint.observe.facts import Entry
from jaxlint.observe.facts import Function as Facts
from jaxlint.session.observed_values import (
    ObservedValues,
    Where,
    context_of,
    is_traced,
    level_of_entry,
    level_of_transform,
)


class Seen(NamedTuple):
    """What runs showed of a function that is as it was then. key: as facts name it. raised: whether something
    was raised in it while it was traced."""

    key: str
    code: Code
    module: Module
    facts: Facts
    raised: bool

    def traced(self) -> Iterator[Entry]:
        """The ways in which it was entered in a trace."""
        for entry in self.facts.entries:
            if entry.staged or any(map(is_traced, entry.parameters.values())):
                if entry.staged or any(map(level_of_transform, entry.transforms)):
                    yield entry

    def depths(self, inner: Entry) -> set[int]:
        """How many traces were around it when it made a function that was entered so."""
        found: set[int] = set()
        for entry in self.facts.entries:
            if entry.transforms == inner.transforms[: len(entry.transforms)]:
                found.add(context_of(entry.transforms, entry.staged, TRACES.most).depth)
        return found


class _Way(NamedTuple):
    """How a function is entered: the trace context, the arguments, and who was seen to do so."""

    context: Context
    values: Vars
    transform: str
    seen: str


class ObservedCalls:
    """Enters functions as they were seen to be entered.

    Args:
        seen: What is known of functions, by the identity of their codes.
        is_test: Whether the file of a path is a test.
        guard: Runs a task, which may fail.
    """

    def __init__(
        self,
        parts: Parts,
        seen: Mapping[int, Seen],
        is_test: Callable[[str], bool] | None,
        guard: Callable[[Callable[[], None]], None],
    ) -> None:
        self._flow, self._core, self._definitions = parts.flow, parts.core, parts.definitions
        self._staleness, self._deferred = parts.staleness, parts.deferred
        self._contexts, self._arguments = parts.contexts, parts.arguments
        self._rewritten = parts.function_calls.rewritten
        self._seen = seen
        self._is_test = is_test or (lambda path: False)
        self._guard = guard
        self._by_key = {each.key: each for each in seen.values()}
        self._tests = {each.key for each in seen.values() if self._is_test(each.module.path)}
        self._values = ObservedValues(parts.core, parts.definitions, self._class_of, self._function_of)
        self._done: set[tuple[int, Environment]] = set()
        self._made: Counter[int] = Counter()  # by code: functions in others that were entered
        self._classes: dict[str, Class] = {}
        self._home = FunctionContext(parts.flow.module, None, parts.flow.context, parts.flow.env)
        self.entered: dict[FunctionContext, None] = {}

    def begin(self) -> None:
        """A round begins: what has been entered is entered again."""
        self._contexts.retired.update(self.entered)
        self._done, self.entered = set(), {}
        self._made.clear()

    def enter(self) -> bool:
        """Enters what has been defined since; says whether there was anything."""
        if not self._seen:
            return False
        waiting: list[tuple[Rank, int, Function]] = []
        for func in self._functions():
            key = (id(func.code), func.env)
            if key not in self._done:
                self._done.add(key)
                waiting.append((rank_of(func), len(waiting), func))
        for _, _, func in sorted(waiting, key=lambda each: each[:2]):
            self._guard(partial(self._enter, func))
        return bool(waiting)

    def _functions(self) -> Iterator[Function]:
        """The functions of which something is known; of those in others, one for each way of making them."""
        functions, variants = self._contexts.functions, self._contexts.variants
        inner: set[int] = set()
        for code in self._seen:
            func = functions.get(code)
            if func is not None and code not in self._rewritten:
                if func.env.parent is None:
                    yield func
                else:
                    inner.add(code)
        for (code, _), func in tuple(variants.items()) if inner else ():
            if code in inner:
                yield func

    def _enter(self, func: Function) -> None:
        """Enters a function in each way that was seen."""
        seen = self._seen[id(func.code)]
        ways = self._ways(func, seen)
        if ways and func.env.parent is not None:
            if self._made[id(func.code)] == OBSERVED.most:
                REACHED[OBSERVED.name] += 1
                return
            self._made[id(func.code)] += 1
        for way in ways:
            self._flow.depth = 0
            self._staleness.trace_cache, self._staleness.holder = TraceCache(), False
            self._deferred.hand_over(func, way.values)
            link = Link(None, func.module, func.code.nid, way.transform, seen=way.seen or "?")
            found = self._contexts.activation(func, way.values, way.context, link)
            if found is not None:
                self.entered[found] = None
                self._contexts.retired.discard(found)

    def _ways(self, func: Function, seen: Seen) -> list[_Way]:
        """The ways to enter a function, each once, and no more than so many: what is beyond is joined."""
        ways: dict[tuple[object, ...], _Way] = {}
        found: list[_Way] = []
        for number, entry in enumerate(seen.traced()):
            context = context_of(entry.transforms, entry.staged, TRACES.most)
            if not self._fits(func, entry, context):
                continue
            context = context._replace(quiet=self._is_deliberate(func, seen, entry))
            values = self._arguments_of(func, entry, context, number)
            name = entry.transforms[-1].rpartition(".")[2] if entry.transforms else "jit"
            way = _Way(context, values, name, entry.caller)
            key = (context, *(value.fact() for value in values.values()))
            before = ways.get(key)
            if before is not None:
                ways[key] = before._replace(seen=min(before.seen, way.seen) or before.seen or way.seen)
            else:
                ways[key] = way
        for way in ways.values():
            same = [each for each in found if each.context == way.context]
            if len(same) < OBSERVED.most:
                found.append(way)
                continue
            REACHED[OBSERVED.name] += 1
            last = same[-1]
            joined = {name: join(value, way.values[name]) for name, value in last.values.items()}
            found[found.index(last)] = last._replace(values=joined)
        return found

    def _fits(self, func: Function, entry: Entry, context: Context) -> bool:
        """Whether a function may be entered so with the variables that it closes over."""
        env = func.env
        while env.code is None and env.parent is not None:
            env = env.parent
        if env.parent is None:
            return True
        around = self._seen.get(id(env.code))
        return around is not None and env.depth in around.depths(entry)

    def _is_deliberate(self, func: Function, seen: Seen, entry: Entry) -> bool:
        """Whether what goes wrong there is meant to: a test expects it."""
        if seen.raised and (entry.caller in self._tests or self._is_test(func.module.path)):
            return True
        traces = [
            each.context.quiet
            for each in self._staleness.order
            if each.func is not None and each.func.code is func.code and each.context.depth
            if each not in self.entered
        ]
        return bool(traces) and all(traces)

    def _arguments_of(self, func: Function, entry: Entry, context: Context, number: int) -> Vars:
        """What is known of the arguments."""
        flow = self._flow
        saved = flow.position()
        flow.frame, flow.context = self._home, context
        flow.env, flow.module = func.env, func.module
        try:
            tokens = Tokens(func)
            values = self._arguments.unknown_arguments(func, tokens, {}, func.cls, context.depth)
            level = level_of_entry(entry)
            for position, param in enumerate(func.code.params):
                told = entry.parameters.get(param.name) or entry.parameters.get(f"{param.kind}{param.name}")
                tokens.at(position)
                if position == 0 and isinstance(values[param.name], Instance):
                    if func.code.name in CONSTRUCTION:
                        values[param.name] = self._new(func, number)
                        continue
                    own = None if told is None else self._class_of(told.type)
                    if own is None or func.cls not in own.lineage():
                        continue
                elif position == 0 and isinstance(values[param.name], Class):
                    continue
                if told is not None:
                    place = (id(func.code), id(func.env), number, position)
                    value = self._values.of(told, Where(context, level, place))
                    if param.kind not in ("*", "**") or not isinstance(value, Unknown):
                        values[param.name] = tokens.argument(value)
        finally:
            flow.return_to(saved)
        return values

    def _new(self, func: Function, number: int) -> Instance:
        """The object that a constructor makes: what it sets is set of no other."""
        assert func.cls is not None
        key = ("observed", "new", id(func.code), number)
        found = self._home.heap.get(key)
        if not isinstance(found, Instance):
            found = self._core.keep(key, Instance(func.cls, self._flow.context.depth))
        return found

    # ---- names

    def _class_of(self, name: str) -> Class | None:
        """A class of the project by its dotted name; None where there is none, or several."""
        if len(self._classes) < len(self._contexts.classes) or name not in self._classes:
            self._classes = {}
            twice: set[str] = set()
            for cls in self._contexts.classes:
                for module in cls.module.names:
                    dotted = f"{module}.{cls.code.qualname}"
                    if self._classes.setdefault(dotted, cls) is not cls:
                        twice.add(dotted)
            for dotted in twice:
                del self._classes[dotted]
        return self._classes.get(name.replace("<locals>.", ""))

    def _function_of(self, name: str) -> Function | None:
        """A function of the project that is in no other one, by the key that facts have for it."""
        seen = self._by_key.get(name)
        func = None if seen is None else self._contexts.functions.get(id(seen.code))
        return func if func is not None and func.env.parent is None and func.cls is None else None
