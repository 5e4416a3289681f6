"""Calls of what is not known where they are analyzed: a parameter, an attribute, what is read of these.

In: the calls of functions and objects of which only a token is known, where JAX traces the call or it is
given a function; and all that calls hand over for parameters, and that is set in attributes. Out: for each
such call an analysis of each function that it may call, with what the call is given. To the caller it stays
a call of which nothing is known, so that nobody has to be analyzed again for it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from jaxlint.analysis.core import DOUBT, Core, Rank, Unreachable, rank_of
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Vars
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.token_names import (
    SHOWN,
    Tokens,
    given_as,
    is_part_of,
    parted,
    position_of,
    renamed,
)
from jaxlint.analysis.trace_cache import TraceCache
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.handed_tests import Around, Given, constants_of, known_of, shown, signature
from jaxlint.domain.facts import disagree
from jaxlint.domain.handed_values import (
    ANY,
    CALLED,
    DEEP,
    HANDED,
    HandedValues,
    Names,
    leaves,
    read_of,
    text_of,
)
from jaxlint.domain.join import MutableContainer, join_all, options_of
from jaxlint.domain.key_tokens import root_of
from jaxlint.domain.objects import Class, Environment, Function, Instance, Module
from jaxlint.domain.values import NONE, UNKNOWN, Const, Unknown, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import Definitions
from jaxlint.ir.limits import CANDIDATES, REACHED, READS
from jaxlint.ir.program import Code

Cell: TypeAlias = "tuple[int, int] | tuple[int, int, str] | tuple[Class, str]"
"""What calls hand over for a parameter: the identity of the function's code and its position, and the name in
a dict that is handed over; or what the attribute of a class's objects is set to."""
Told: TypeAlias = "dict[Hashable, Value]"
"""What a caller gives besides, by the tokens of arguments of the call that waits."""
Kinds: TypeAlias = "tuple[tuple[Hashable, Value], ...]"
Read: TypeAlias = Callable[[Value, str, int], Value]
"""What reads an attribute of a value, at a node."""
Shown: TypeAlias = "tuple[tuple[Hashable, str, Value], ...]"
"""What tests have shown of tokens: that they are true or not, None, or a constant."""


class DeferredCall(Struct, eq=False):
    """A call, and where the analysis was. sites: those of the function context then: it has others where it
    has been analyzed again since. asks: the tokens of its arguments of which nothing else is known. shown:
    what holds where it is made, and where the functions that led there were called."""

    nid: int
    frame: FunctionContext
    env: Environment
    vars: dict[Hashable, Value]
    context: Context
    module: Module
    loop: int
    sites: dict[tuple[Code, int], bool]
    act: Callable[[Value, Told], None]
    asks: Sequence[Hashable]
    tests: Around
    shown: Shown
    seen: set[tuple[Cell, Names, Hashable, Class | None]] = set()

    def is_over(self) -> bool:
        return self.frame.sites is not self.sites


class Wait(NamedTuple):
    """A call that waits for what is handed over, of which the names are read. around: the tests around the
    call that hands it on. owner: of what class the object is whose attribute it becomes."""

    call: DeferredCall
    names: Names
    around: Around = ()
    owner: Class | None = None


class Row(NamedTuple):
    """What one caller gives to a function. code: the function's identity."""

    code: int
    values: Sequence[Value]


class DeferredCalls:
    """Remembers what is handed over, and calls it where it was not known."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        definitions: Definitions,
        attributes: Attributes,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.definitions = definitions
        self.values = HandedValues(definitions.generic_instance, definitions.instance_for)
        self.attributes = attributes
        self.interpreter = interpreter
        self.pending: list[tuple[Rank, Callable[[], None]]] = []
        self._values: dict[Cell, dict[Value, Given]] = {}
        self._sources: dict[Cell, dict[Hashable, None]] = {}  # the tokens of what is set there
        # their tokens of the argument, with the tests around the call
        self._callers: dict[Cell, dict[tuple[Hashable, Hashable], Around]] = {}
        self._called: dict[Hashable, DeferredCall] = {}
        self._waiting: dict[Cell, list[Wait]] = {}
        # by the context of a function in a trace: calls in the trace of what it is handed, with its tokens
        self._handed: dict[FunctionContext, dict[tuple[DeferredCall, Hashable], None]] = {}
        # by the function and the call in it: what callers in its trace handed over for it
        self._given: dict[tuple[Function | None, int], dict[Hashable, None]] = {}
        # calls as they are known further out, by what holds there
        self._variants: dict[tuple[DeferredCall, Shown], DeferredCall] = {}
        core.note_field = self.set_field

    # ---- what is handed over

    def hand_over(self, func: Function, given: Mapping[Hashable, Value]) -> None:
        """Notes the arguments of one more call of a function."""
        how: Given | None = None
        for position, value in enumerate(given.values()):
            if type(value) in HANDED and (position or func.cls is None):
                how = known_of(func, given) if how is None else how
                self._add((id(func.code), position), value, how)
                for name, each in value.entries.items() if isinstance(value, MutableContainer) else ():
                    if type(name) is str and type(each) in HANDED:
                        self._add((id(func.code), position, name), each, how)

    def link(self, func: Function, tokens: Tokens) -> None:
        """Notes by which tokens a caller knows the arguments of which nothing is known."""
        if not any(outer is not None for outer in tokens.back.values()):
            return
        around = self._tests_around()
        tests = signature(around)
        for inner, token in tokens.back.items():
            cell = given_as(inner)
            if cell is None or token is None:
                continue
            known = self._callers.setdefault(cell, {})
            if (token, tests) not in known:
                known[token, tests] = around
                for wait in tuple(self._waiting.get(cell, ())):
                    self._await(token, Wait(wait.call, wait.names, around))

    def set_field(self, cls: Class, name: str, value: Value) -> None:
        """Notes what an attribute of some object of a class is set to."""
        cell = cls, name
        if type(value) in HANDED:
            self._add(cell, value, Given(frozenset(), frozenset((None,))))
        if isinstance(value, Unknown) and value.token is not None:
            known = self._sources.setdefault(cell, {})
            if value.token not in known:
                known[value.token] = None
                for wait in tuple(self._waiting.get(cell, ())):
                    self._await(value.token, Wait(wait.call, wait.names, owner=cls))

    def _add(self, cell: Cell, value: Value, how: Given) -> None:
        known = self._values.setdefault(cell, {})
        for option in self.values.options(value):
            before = known.get(option)
            if before is None and len(known) == CANDIDATES.most:
                REACHED["candidates"] += 1
                return
            now = how if before is None else Given(before.facts & how.facts, before.owners | how.owners)
            if now != before:
                known[option] = now
                for wait in self._waiting.get(cell, ()):
                    self._schedule_at(cell, wait, option)

    # ---- calls

    def defer(self, token: Hashable, nid: int, act: Callable[[Value, Told], None]) -> None:
        """Does something with each value that may have a token, here and later on."""
        self._await(token, Wait(self._made(nid, act), ()))

    def defer_in_trace(
        self, token: Hashable, nid: int, act: Callable[[Value, Told], None], asks: Sequence[Hashable]
    ) -> None:
        """The same with each value that has it where this is traced: of what a function is handed in the
        trace, that is what its callers in the trace hand over, see `is_followed`. `asks`: the tokens of what
        else such a caller is asked for."""
        self._follow(token, self._made(nid, act, asks))

    def _made(
        self, nid: int, act: Callable[[Value, Told], None], asks: Sequence[Hashable] = ()
    ) -> DeferredCall:
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
            asks,
            self._tests_around(),
            self._shown_here(),
        )

    def _shown_here(self) -> Shown:
        """What tests around this have shown of tokens, and those around the functions that this is in."""
        found: dict[tuple[Hashable, str], Value] = {}
        env: Environment | None = self.flow.env
        while env is not None:
            for name, value in env.vars.items():
                if type(name) is tuple and len(name) == 2 and name[0] in SHOWN:
                    found.setdefault((self._whole(name[1]), name[0]), value)
            env = env.parent
        return tuple([(*name, value) for name, value in found.items()])

    def _tests_around(self) -> Around:
        """The tests in force here, and where the functions around this one called it."""
        env, frame = self.flow.env, self.flow.frame
        given: Vars = {}
        if frame.func is not None and env is frame.env:
            names = [param.name for param in frame.func.code.params]
            given = dict(zip(names, frame.arguments, strict=False))
        found = [(env, [*self.flow.tests], constants_of(given))]
        while env.parent is not None:
            env = env.parent
            found.append((env, [*self.flow.enclosing.get(env, ())], frozenset()))
        return found

    def is_followed(self, token: Hashable) -> bool:
        """Whether what has a token is called in a trace: whoever handed it over, or where those did who call
        the function whose parameter it is in the trace."""
        token, depth = self._whole(token), self.flow.context.depth
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

    def _whole(self, token: Any) -> Any:
        """The same token, with what it is in where it is that of an item or leaf of something."""
        if token in self.core.inside_of:
            return self._whole(self.core.inside_of[token]), ANY, ANY
        return (self._whole(token[0]), *token[1:]) if is_part_of(token) else token

    def _env_of(self, code: int) -> Environment | None:
        """The variables of a function that is this one or around it, or has called it with what it was given
        itself, as in the dict of its keywords; None where it is none of these."""
        env = self.flow.env
        while env.parent is not None and id(env.code) != code:
            env = env.parent
        if env.parent is not None:
            return env
        frame: FunctionContext | None = self.flow.frame
        while frame is not None and (frame.func is None or id(frame.func.code) != code):
            frame = None if frame.link is None else frame.link.parent
        return None if frame is None else frame.env

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
        token = self._whole(token)
        depth = call.context.depth
        if not self.flow.context.depth or self._is_for_all(token, depth):
            self._await(token, Wait(call, ()))
            return
        holder = self._holder(token, depth)
        if holder is not None:
            self._handed.setdefault(holder, {})[call, token] = None

    def follow_out(self, activation: FunctionContext, tokens: Tokens, given: Mapping[Any, Value]) -> None:
        """What a function calls in a trace of what it is handed is what this caller hands over. `given`: the
        arguments of the call."""
        for call, token in tuple(self._handed.get(activation, ())):
            if call.is_over():
                del self._handed[activation][call, token]
                continue
            row = Row(tokens.owner, [*given.values()])
            shown = self._shown_outside(call, tokens, row)
            if shown is None:
                continue  # what this caller gives does not get there
            call = self._variants.setdefault((call, shown), replace(call, shown=shown, seen=set()))
            outer = renamed(token, tokens.back)
            if outer is not None:
                self._follow(outer, call)
            else:
                self._follow_known(call, token, row)

    def _shown_outside(self, call: DeferredCall, tokens: Tokens, row: Row) -> Shown | None:
        """What holds in the caller of a function where the call in it is made; None where what the caller
        gives does not lead there."""
        shown = self._shown_here()
        for token, kind, value in call.shown:
            outer = renamed(token, tokens.back)
            if outer is not None:
                shown = (*shown, (outer, kind, value))
            elif self._denies(self._given_for(token, row, call.nid), kind, value):
                return None
        return tuple(dict.fromkeys(shown))

    def _denies(self, given: Value | None, kind: str, value: Value) -> bool:
        """Whether a value is not what a test has shown of it."""
        if given is None or isinstance(given, Unknown):
            return False
        if kind == "true":
            return self.interpreter.calls.truth(given) is (value == Const(False))
        if kind == "none":
            return NONE not in options_of(given)
        return type(given) is Const and given != value

    def _given_for(self, token: Any, row: Row, nid: int) -> Value | None:
        """What a caller gives for what has a token in the function that it calls; None for other tokens."""
        root, names = parted(self._whole(token))
        cell = given_as(root)
        if cell is None or cell[0] != row.code or cell[1] >= len(row.values):
            return None
        with self.core.unheard():  # the function reads it, not its caller
            return self._part_of(row.values[cell[1]], (*cell[2:], *names), nid, self._held_by)

    def _follow_known(self, call: DeferredCall, token: Hashable, row: Row) -> None:
        """Does what waits for a part of an argument with what this caller is sure to hand over."""
        found = self._given_for(token, row, call.nid)
        if isinstance(found, Unknown) and found.token is not None:
            self._follow(found.token, call)
        if found is None or type(found) is Unknown:
            return
        asked = {each: self._given_for(each, row, call.nid) for each in call.asks}
        told = {each: value for each, value in asked.items() if value is not None and type(value) in CALLED}
        known = self._given.setdefault((call.frame.func, call.nid), {})
        kinds = tuple([(each, self.values.part(value, DEEP)) for each, value in told.items()])
        for option in self.values.options(found):
            if (option, kinds) not in known and len(known) == CANDIDATES.most:
                REACHED["candidates"] += 1
                return
            known[option, kinds] = None
            self._schedule(call, (), option, told, kinds)

    def _await(self, token: Any, wait: Wait) -> None:
        token, read = parted(self._whole(token))
        wait = wait._replace(names=(*read, *wait.names))
        cell = self._cell_of(token)
        key = cell, wait.names, signature(wait.around), wait.owner
        if cell is None or wait.call.is_over() or key in wait.call.seen:
            return
        if len(wait.names) > READS.most:
            REACHED["reads"] += 1
            return
        wait.call.seen.add(key)  # type: ignore[arg-type]
        self._waiting.setdefault(cell, []).append(wait)
        for value in tuple(self._values.get(cell, ())):
            self._schedule_at(cell, wait, value)
        if isinstance(cell[0], Class):
            for each in tuple(self._sources.get(cell, ())):
                self._await(each, Wait(wait.call, wait.names, owner=cell[0]))
        else:
            for (each, _), around in tuple(self._callers.get(cell, {}).items()):
                self._await(each, Wait(wait.call, wait.names, around))

    def _cell_of(self, token: Hashable) -> Cell | None:
        if isinstance(token, tuple) and len(token) == 3 and token[1] == ".":
            cls = self.definitions.class_of(token[0])
            return None if cls is None else (cls, token[2])
        return given_as(token)

    def _schedule_at(self, cell: Cell, wait: Wait, value: Value) -> None:
        how, code = self._values[cell][value], cell[0]
        if not isinstance(code, Class):
            tests = shown([*wait.call.tests, *wait.around], code, how.facts)
            if not how.may_be_of(wait.owner) or disagree(tests, how.facts):
                return  # who hands this over does not get there
        for token, kind, told in wait.call.shown:
            root, part = parted(self._whole(token))
            if given_as(root) == cell and part and self._denies(self._held(value, part), kind, told):
                return
        self._schedule(wait.call, wait.names, value)

    @staticmethod
    def _held(value: Value, names: Names) -> Value | None:
        """What is known to be held under names; None where nothing is."""
        found = [*read_of(value, names)]
        return found[0][0] if len(found) == 1 and not found[0][1] else None

    def _schedule(
        self, call: DeferredCall, names: Names, value: Value, told: Told | None = None, kinds: Kinds = ()
    ) -> None:
        for each, left in read_of(value, names):
            self._put(call, left, each, told or {}, kinds)

    def _put(self, call: DeferredCall, names: Names, value: Value, told: Told, kinds: Kinds) -> None:
        """Notes that it is to be done with what is read of a value, unless it is noted already."""
        func = call.frame.func
        # Of the function contexts that make the same call one is enough.
        around = (call.context.depth > 0, call.context.unjitted, call.context.quiet)
        key = (None if func is None else func.code, call.nid, around, names, value, kinds)
        before = self._called.get(key)
        if before is not None and not before.is_over():
            return
        self._called[key] = call
        name, path, inside = ("", call.module.path, "") if func is None else rank_of(func)
        rank = (name, path, f"{inside}:{call.nid:09}:{'.'.join(map(str, names))}:{text_of(value)}")
        rank = (*rank[:2], f"{rank[2]}:{' '.join([text_of(each) for _, each in kinds])}")
        self.pending.append((rank, lambda: self._run(call, names, value, told)))

    def _run(self, call: DeferredCall, names: Names, value: Value, told: Told) -> None:
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
            found = self.values.inside(value) if call.context.depth else value
            call.act(self._part_of(found, names, call.nid, self.attributes.attribute), told)
        except Unreachable:
            pass  # with this value the program raises here
        finally:
            call.env.vars, frame.loop = held, kept
            restore()
            self.staleness.trace_cache = cache
            flow.return_to(saved)

    def _held_by(self, value: Value, name: str, nid: int) -> Value:
        """What an attribute holds; nobody is told that it is read."""
        of_any = self.attributes.of_instance if isinstance(value, Instance) else self.attributes.attribute
        return of_any(value, name, nid)  # type: ignore[arg-type]

    def _part_of(self, value: Value, names: Names, nid: int, read: Read) -> Value:
        """What is read of a value, one after the other."""
        for name in names:
            if name == ANY:
                value = join_all(leaves(value))
            elif isinstance(value, MutableContainer):
                value = value.entries.get(name, UNKNOWN)
            elif isinstance(name, int):
                value = self.interpreter.containers.subscript(value, Const(name), nid)
            else:
                value = read(value, name, nid)
        return value
