"""Calls of what is not known where they are analyzed: a parameter, an attribute, what is read of these.

In: the calls of functions and objects of which only a token is known, where JAX traces the call or it is
given a function; and all that calls hand over for parameters, and that is set in attributes. Out: for each
such call an analysis of each function that it may call, with what the call is given. To the caller it stays
a call of which nothing is known, so that nobody has to be analyzed again for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from jaxlint.analysis.core import DOUBT, Core, Rank, Unreachable, rank_of
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.token_names import Tokens, position_of
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.facts import Fact, disagree, fact_of, facts_of
from jaxlint.domain.join import Tuple, level_of
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.literals import dtype_of
from jaxlint.domain.objects import (
    Bound,
    Class,
    Environment,
    Function,
    Instance,
    Module,
    Partial,
    Transformed,
)
from jaxlint.domain.questions import is_rest, partial_with
from jaxlint.domain.values import (
    UNKNOWN,
    Candidates,
    Const,
    External,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.definitions import Definitions
from jaxlint.ir.limits import CANDIDATES, REACHED, READS
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import Held, bound_by
from jaxlint.ir.program import Code

Cell: TypeAlias = "tuple[int, int] | tuple[Class, str]"
"""What calls hand over for a parameter: the identity of the function's code and its position; or what the
attribute of a class's objects is set to."""
Names: TypeAlias = "tuple[str | int, ...]"
"""Attributes, and items of tuples by their positions, that are read one after the other."""

_CALLED = frozenset((Function, Class, External, Instance, Bound, Partial, Transformed))
_HANDED = _CALLED | {OneOf, Candidates, Tuple}


class DeferredCall(Struct, eq=False):
    """A call, and where the analysis was. sites: those of the function context then: it has others where it
    has been analyzed again since."""

    nid: int
    frame: FunctionContext
    env: Environment
    vars: dict[Hashable, Value]
    context: Context
    module: Module
    loop: int
    sites: dict[tuple[Code, int], bool]
    act: Callable[[Value], None]
    tests: list[tuple[Environment, Sequence[Held]]]
    seen: set[tuple[Cell, Names]] = set()

    def is_over(self) -> bool:
        return self.frame.sites is not self.sites

    def facts_on(self, cell: Cell) -> list[Fact]:
        """What the tests around the call show of the parameters of a function, which it may be inside of."""
        facts: list[Fact] = []
        for env, tests in self.tests:
            shown = [fact for held in tests for fact in facts_of(held.test, held.truth)]
            hidden: set[str] = set()
            while id(env.code) != cell[0] and env.parent is not None:
                hidden.update(env.code.bound if env.code is not None else ())
                env = env.parent
            if shown and env.code is not None and id(env.code) == cell[0]:
                hidden.update(bound_by(Turns(None, env.code.body)))
                facts += [fact for fact in shown if fact.names.isdisjoint(hidden)]
        return facts


class DeferredCalls:
    """Remembers what is handed over, and calls it where it was not known."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        definitions: Definitions,
        read: Callable[[Value, str, int], Value],
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.definitions = definitions
        self.read = read  # an attribute of a value, at a node
        self.interpreter = interpreter
        self.pending: list[tuple[Rank, Callable[[], None]]] = []
        # with what the constants show that all calls give together with it
        self._values: dict[Cell, dict[Value, frozenset[Fact]]] = {}
        self._sources: dict[Cell, dict[Hashable, None]] = {}  # the tokens of what is set there
        self._callers: dict[Cell, dict[Hashable, None]] = {}  # their tokens of the argument
        self._called: dict[Hashable, DeferredCall] = {}
        self._waiting: dict[Cell, list[tuple[DeferredCall, Names]]] = {}
        # by the context of a function in a trace: calls in the trace of what it is handed, with its tokens
        self._handed: dict[FunctionContext, dict[tuple[DeferredCall, Hashable], None]] = {}
        core.note_field = self.set_field

    # ---- what is handed over

    def hand_over(self, func: Function, given: Mapping[Hashable, Value]) -> None:
        """Notes the arguments of one more call of a function."""
        facts: frozenset[Fact] | None = None
        for position, value in enumerate(given.values()):
            if type(value) in _HANDED and (position or func.cls is None):
                facts = _facts_of(given) if facts is None else facts
                self._add((id(func.code), position), value, facts)

    def link(self, func: Function, tokens: Tokens) -> None:
        """Notes by which tokens a caller knows the arguments of which nothing is known."""
        if not any(outer is not None for outer in tokens.back.values()):
            return
        code = id(func.code)
        for inner, token in tokens.back.items():
            place = position_of(inner)
            if place is None or token is None:
                continue
            known = self._callers.setdefault((code, place[1]), {})
            if token not in known:
                known[token] = None
                for call, names in tuple(self._waiting.get((code, place[1]), ())):
                    self._await(token, call, names)

    def set_field(self, cls: Class, name: str, value: Value) -> None:
        """Notes what an attribute of some object of a class is set to."""
        cell = cls, name
        if type(value) in _HANDED:
            self._add(cell, value, frozenset())
        if isinstance(value, Unknown) and value.token is not None:
            known = self._sources.setdefault(cell, {})
            if value.token not in known:
                known[value.token] = None
                for call, names in tuple(self._waiting.get(cell, ())):
                    self._await(value.token, call, names)

    def _add(self, cell: Cell, value: Value, facts: frozenset[Fact]) -> None:
        known = self._values.setdefault(cell, {})
        for option in self._options(value):
            before = known.get(option)
            if before is None and len(known) == CANDIDATES.most:
                REACHED["candidates"] += 1
                return
            known[option] = facts if before is None else before & facts
            if known[option] != before:
                for call, names in self._waiting.get(cell, ()):
                    self._schedule(call, names, option, cell)

    # ---- calls

    def defer(self, token: Hashable, nid: int, act: Callable[[Value], None]) -> None:
        """Does something with each value that may have a token, here and later on."""
        self._await(token, self._made(nid, act), ())

    def defer_in_trace(self, token: Hashable, nid: int, act: Callable[[Value], None]) -> None:
        """The same with each value that has it where this is traced: of what a function is handed in the
        trace, that is what its callers in the trace hand over, see `is_followed`."""
        self._follow(token, self._made(nid, act))

    def _made(self, nid: int, act: Callable[[Value], None]) -> DeferredCall:
        frame = self.flow.frame
        return DeferredCall(
            nid,
            frame,
            self.flow.env,
            dict(self.flow.env.vars),
            self.flow.context,
            self.flow.module,
            frame.loop,
            frame.sites,
            act,
            self._tests_around(),
        )

    def _tests_around(self) -> list[tuple[Environment, Sequence[Held]]]:
        """The tests in force here, and where the functions around this one called it."""
        env = self.flow.env
        found: list[tuple[Environment, Sequence[Held]]] = [(env, [*self.flow.tests])]
        while env.parent is not None:
            env = env.parent
            found.append((env, self.flow.enclosing.get(env, ())))
        return found

    def is_followed(self, token: Hashable) -> bool:
        """Whether what has a token is called in a trace: whoever handed it over, or where those did who call
        the function whose parameter it is in the trace."""
        depth = self.flow.context.depth
        return self._is_for_all(token, depth) or self._holder(token, depth) is not None

    def _is_for_all(self, token: Hashable, depth: int) -> bool:
        """Whether a call of what has a token is traced whoever handed that over: the trace, as deep as this,
        begins in the function whose parameter it is, or in a method of the object whose attribute it is."""
        root = root_of(token)
        place = position_of(root)
        if place is not None:
            env = self._env_of(place[0])
            return env is not None and env.depth < depth
        cls = self.definitions.class_of(root) if isinstance(root, int) else None
        frame: FunctionContext | None = self.flow.frame
        while frame is not None and frame.context.depth >= depth:
            frame = None if frame.link is None else frame.link.parent
        own = None if frame is None or frame.func is None else frame.func.cls
        return cls is not None and own is not None and own in cls.lineage()

    def _env_of(self, code: int) -> Environment | None:
        """The variables of a function that is this one or around it; None where it is neither."""
        env = self.flow.env
        while env.parent is not None and id(env.code) != code:
            env = env.parent
        return None if env.parent is None else env

    def _holder(self, token: Hashable, depth: int) -> FunctionContext | None:
        """The context, as deep in traces, of the function whose parameter a token names; None where there is
        none, or its caller is no longer being analyzed."""
        place = position_of(root_of(token))
        env = None if place is None else self._env_of(place[0])
        if env is None or env.depth < depth:
            return None
        frame: FunctionContext | None = self.flow.frame
        while frame is not None and frame.env is not env:
            frame = None if frame.link is None else frame.link.parent
        return frame if frame is not None and frame.running else None

    def _follow(self, token: Hashable, call: DeferredCall) -> None:
        depth = call.context.depth
        if not self.flow.context.depth or self._is_for_all(token, depth):
            self._await(token, call, ())
            return
        holder = self._holder(token, depth)
        if holder is not None:
            self._handed.setdefault(holder, {})[call, token] = None

    def follow_out(self, activation: FunctionContext, tokens: Tokens) -> None:
        """What a function calls in a trace of what it is handed is what this caller hands over."""
        for call, token in tuple(self._handed.get(activation, ())):
            outer = _renamed(token, tokens.back)
            if call.is_over():
                del self._handed[activation][call, token]
            elif outer is not None:
                self._follow(outer, call)

    def _await(self, token: Any, call: DeferredCall, names: Names) -> None:
        while _is_part(token) and type(token[0]) is not int:
            names = (token[2], *names)
            token = token[0]
        cell = self._cell_of(token)
        if cell is None or call.is_over() or (cell, names) in call.seen:
            return
        if len(names) > READS.most:
            REACHED["reads"] += 1
            return
        call.seen.add((cell, names))
        self._waiting.setdefault(cell, []).append((call, names))
        for value in tuple(self._values.get(cell, ())):
            self._schedule(call, names, value, cell)
        known = self._sources if isinstance(cell[0], Class) else self._callers
        for each in tuple(known.get(cell, ())):
            self._await(each, call, names)

    def _cell_of(self, token: Hashable) -> Cell | None:
        if isinstance(token, tuple) and len(token) == 3:
            cls = self.definitions.class_of(token[0]) if token[1] == "." else None
            return None if cls is None else (cls, token[2])
        return position_of(token)

    def _schedule(self, call: DeferredCall, names: Names, value: Value, cell: Cell) -> None:
        if disagree(call.facts_on(cell), self._values[cell][value]):
            return  # who hands this over does not get there
        func = call.frame.func
        # Of the function contexts that make the same call one is enough.
        around = (call.context.depth > 0, call.context.unjitted, call.context.quiet)
        key = (None if func is None else func.code, call.nid, around, names, value)
        before = self._called.get(key)
        if before is not None and not before.is_over():
            return
        self._called[key] = call
        name, path, inside = ("", call.module.path, "") if func is None else rank_of(func)
        rank = (name, path, f"{inside}:{call.nid:09}:{'.'.join(map(str, names))}:{_text(value)}")
        self.pending.append((rank, lambda: self._run(call, names, value)))

    def _run(self, call: DeferredCall, names: Names, value: Value) -> None:
        """Does it with one value."""
        if call.is_over():
            return
        frame, flow = call.frame, self.flow
        saved, cache, held = flow.position(), self.staleness.trace_cache, call.env.vars
        kept, frame.loop = frame.loop, call.loop
        restore = frame.set_aside()
        flow.frame, flow.env, flow.context, flow.module = frame, call.env, call.context, call.module
        self.staleness.trace_cache = TraceCache()
        call.env.vars = dict(call.vars)
        call.env.vars.pop(DOUBT, None)
        try:
            found = self._inside(value) if call.context.depth else value
            for name in names:
                if isinstance(name, int):
                    found = self.interpreter.containers.subscript(found, Const(name), call.nid)
                else:
                    found = self.read(found, name, call.nid)
            call.act(found)
        except Unreachable:
            pass  # with this value the program raises here
        finally:
            call.env.vars, frame.loop = held, kept
            restore()
            self.staleness.trace_cache = cache
            flow.return_to(saved)

    # ---- values, whichever call they come from

    def _options(self, value: Value) -> Iterator[Value]:
        options: Sequence[Value] = value.options if isinstance(value, (OneOf, Candidates)) else (value,)
        for option in options:
            found = self._general(option)
            if found is not None:
                yield found

    def _general(self, value: Value) -> Value | None:
        """What can be called, without what differs from call to call: keys, arrays, which object it is."""
        if isinstance(value, (Function, Class)):
            return value
        if isinstance(value, External):
            return value if dtype_of(value) == "?" else None
        if isinstance(value, Instance):
            return self.definitions.generic_instance(value.cls)
        if isinstance(value, Tuple):
            items = tuple(map(self._part, value.items or ()))
            is_known = value.items is not None if value.cls is not None else any(map(is_called, items))
            return Tuple(items, cls=value.cls) if is_known else None
        if isinstance(value, Bound):
            func, owner = self._general(value.func), value.owner
            return None if func is None else Bound(func, self._general(owner) or owner, value.birth)
        if isinstance(value, Partial):
            func = self._general(value.func)
            return None if func is None else partial_with(value, func, self._part)
        if isinstance(value, Transformed):
            func = self._general(value.func)
            return None if func is None else _transformed(value, func)
        return None

    def _part(self, value: Value) -> Value:
        return value if isinstance(value, (Const, Static)) else self._general(value) or UNKNOWN

    def _inside(self, value: Value) -> Value:
        """The same in a trace, where an object may well have been made."""
        if isinstance(value, Instance):
            return self.definitions.instance_for(value.cls, True, False)
        if isinstance(value, Bound):
            return Bound(self._inside(value.func), self._inside(value.owner), value.birth)
        if isinstance(value, Partial):
            return partial_with(value, self._inside(value.func), self._inside)
        if isinstance(value, Transformed):
            return _transformed(value, self._inside(value.func))
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple(map(self._inside, value.items)), cls=value.cls)
        return value


def _facts_of(given: Mapping[Hashable, Value]) -> frozenset[Fact]:
    """What tests of parameters show where a call gives constants for them."""
    return frozenset(
        [fact_of(str(name), value.value) for name, value in given.items() if isinstance(value, Const)]
    )


def is_called(value: Value) -> bool:
    """Whether a value is one that a call may call, or read a function of."""
    return type(value) in _CALLED


def in_any_call(value: Value) -> Value:
    """What holds of an argument whichever of the functions is called there: that it is traced, not what it
    is, for one caller may hand over a function and another one what it is given. Of arguments in any number
    some are static in most programs."""
    if is_rest(value):
        return Product("rest", UNKNOWN)
    level = level_of(value)
    if level:
        return TracerPytree(level)
    return value if is_called(value) else UNKNOWN


def _renamed(token: Any, back: Mapping[Hashable, Hashable]) -> Hashable:
    """What a caller calls the token of an argument, or of what is read of one; None where it has no name."""
    if token in back:
        return back[token]
    if not _is_part(token):
        return None
    owner = _renamed(token[0], back)
    return None if owner is None else (owner, *token[1:])


def _is_part(token: Any) -> bool:
    """Whether a token is that of an attribute of something, or of an item by its position."""
    if not isinstance(token, tuple) or len(token) != 3:
        return False
    return token[1] == "." or (token[1] == "[]" and type(token[2]) is int)


def _transformed(value: Transformed, func: Value) -> Transformed:
    """What the same transform makes of another function."""
    if func is value.func:
        return value
    made = Transformed(value.kind, func, value.options, value.place, value.fresh)
    made.birth, made.conditions = value.birth, value.conditions
    return made


def _text(value: Value) -> str:
    """What orders what one call may call: names and places, never an identity."""
    if isinstance(value, (Function, Class)):
        return f"{value.module.path}:{value.code.nid:09}"
    if isinstance(value, External):
        return value.name
    if isinstance(value, Instance):
        return f"object {_text(value.cls)}"
    if isinstance(value, Bound):
        return f"{_text(value.func)} of {_text(value.owner)}"
    if isinstance(value, Partial):
        parts = (*value.args, *(each for _, each in value.keywords))
        return f"partial {_text(value.func)} {' '.join(map(_text, parts))}"
    if isinstance(value, Transformed):
        return f"{value.kind} {_text(value.func)} {value.place[0].path}:{value.place[1]:09}"
    if isinstance(value, Tuple) and value.items is not None:
        return " ".join(map(_text, value.items))
    return type(value).__name__
