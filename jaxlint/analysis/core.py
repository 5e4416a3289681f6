"""Events reach the rules; tokens are made; objects are kept, and what changes in them. All parts use it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol, TypeVar

from jaxlint.analysis.events import Call
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Event, FunctionContext
from jaxlint.analysis.trace_cache import KEPT
from jaxlint.domain.filled import Filled
from jaxlint.domain.join import MutableContainer, Tuple, join_all, level_of, options_of
from jaxlint.domain.key_tokens import MANY
from jaxlint.domain.objects import Class, Environment, Function, Instance, Key, Module, Partial, Transformed
from jaxlint.domain.program import CHECKS_KEYS, SCIPY_TAKES_ARRAYS, World
from jaxlint.domain.questions import map_tokens, remade
from jaxlint.domain.summaries import Summaries
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    OneOf,
    TracerPytree,
    Unknown,
    Value,
    kinds,
)
from jaxlint.domain.widening import blend, once_transformed, settled
from jaxlint.failure import Failure
from jaxlint.ir.constant_attributes import changed_attributes
from jaxlint.ir.limits import CHANGES, REACHED
from jaxlint.ir.mentions import patched_names
from jaxlint.ir.nodes import Node
from jaxlint.ir.walks import kind_of

if TYPE_CHECKING:
    from jaxlint.ir.finding import Finding
    from jaxlint.project.settings import JaxSettings

Handler = Callable[[Event, object], Iterable["Finding"] | None]
Hook = tuple["Listener", Handler]
Arguments = tuple[list[Value], dict[str, Value], bool]

# a mark among the variables: that this is ever run rests on what a value is that is not known
DOUBT = ("doubt",)
# another one: that something was asked whether it is a tracer, and is one
TRACER_SEEN = ("tracer seen",)
ANSWER = "answer"  # and with the name of a variable: that it holds what a function has answered
BOUND = "bound"  # and with the number of an `and` or `or`: what `:=` in its right operand binds
PATCHED = "patched"  # and with the name of a function of JAX: that another may be there


class Unreachable(Exception):
    """What is evaluated certainly raises, so that nothing after it runs."""


Made = TypeVar("Made", bound=Value)
Rank = tuple[str, str, str]
"""What orders functions: the name and the path of the module, and the qualified name."""
HeapCell = tuple[object, Hashable]
"""What is read and may change later: an attribute of an object, or a variable."""


class Listener(Protocol):
    """A rule as the analysis sees it: methods `visit_EVENT`, and which calls of libraries it wants to see."""

    code: ClassVar[str]
    calls: ClassVar[tuple[str, ...]]
    only_traced: ClassVar[bool]
    raises: ClassVar[tuple[str, ...]]


class Core:
    """What every part of the analysis needs."""

    model: object  # what rules are handed, set by who has it

    def __init__(self, flow: FlowState, world: World, rules: Sequence[Listener], taught: JaxSettings) -> None:
        self.flow = flow
        self.world = world
        self.taught = taught  # what the project says of its own functions and classes
        self.changes = 0  # changes of attributes and variables so far
        self.dirty: dict[HeapCell, int] = {}  # what changed in this round: which change was the last
        self.unstable: dict[HeapCell, int] = {}  # in how many rounds each has changed
        self.note_field: Callable[[Class, str, Value], None] = _ignore  # who keeps what attributes are set to
        self.summaries = Summaries()  # of what attributes are set to in turn
        self.clock = 0  # numbers of fresh tokens
        self.inside_of: dict[Hashable, Hashable] = {}  # tokens of items and leaves: of what
        # the function context that makes an object, with the key that it keeps it under, by identity of the
        # object
        self.origins: dict[int, tuple[FunctionContext, Any]] = {}
        self.homes: dict[Environment, FunctionContext] = {}  # of which function context the variables are
        self.held: dict[Hashable, MutableContainer] = {}  # by attribute: a container that it is set to
        self.tested: set[str] = set()  # variables and attributes that are tested where keys are consumed
        self.round = 0
        self.blocks = 0
        self.failures: dict[Failure, None] = {}  # in the order in which they came
        self.hooks: dict[str, list[Hook]] = {}
        self.call_hooks = CallHooks()
        self.patched: frozenset[str] | None = None  # what of JAX tests of the project replace, once asked
        self._changed: frozenset[str] | None = None  # attributes that are not only replaced, once asked
        self._listen(rules)

    def replaced(self) -> frozenset[str]:
        """What of JAX files of the project replace for a time."""
        if self.patched is None:
            self.patched = frozenset().union(*(patched_names(each.program) for each in self.world.modules))
        return self.patched

    def is_only_replaced(self, name: str) -> bool:
        """Whether the project does no more with attributes of a name than to set, test and read items."""
        if self._changed is None:
            programs = [each.program for each in self.world.modules]
            self._changed = frozenset().union(*map(changed_attributes, programs))
        return name not in self._changed

    # ---- rules

    def _listen(self, rules: Sequence[Listener]) -> None:
        for rule in rules:
            for event, handler in named(rule, prefix="visit_").items():
                if event == "Call":
                    self.call_hooks.add(rule, handler)
                else:
                    self.hooks.setdefault(event, []).append((rule, handler))

    @contextmanager
    def unheard(self) -> Iterator[None]:
        """What is evaluated inside, no rule hears of."""
        saved = self.hooks, self.call_hooks
        self.hooks, self.call_hooks = {}, NO_CALL_HOOKS
        try:
            yield
        finally:
            self.hooks, self.call_hooks = saved

    @contextmanager
    def elsewhere(self, env: Environment, module: Module) -> Iterator[None]:
        """What is evaluated inside is written in another scope, as annotations of a function that is called
        are. No rule hears of it: its numbers are none of the text that is analyzed."""
        saved = self.flow.env, self.flow.module
        self.flow.env, self.flow.module = env, module
        try:
            with self.unheard():
                yield
        finally:
            self.flow.env, self.flow.module = saved

    def emit(self, name: str, event: Event) -> None:
        hooks = self.hooks.get(name)
        if hooks is not None and not self.silent:
            self.show(hooks, event)

    @property
    def silent(self) -> bool:
        """Whether rules are not asked about what happens here."""
        return (
            self.flow.context.quiet and self.flow.probing is not self.flow.frame
        ) or DOUBT in self.flow.env.vars

    def see_tracer(self, value: Value) -> None:
        """Something was asked whether it is a tracer, and is one, or what consists of tracers."""
        self.flow.env.vars[TRACER_SEEN] = NONE
        self.flow.frame.sees_tracer = True
        if isinstance(value, TracerPytree):
            self.flow.frame.presumes = True

    def emit_call(self, event: Call) -> None:
        """Tells of a call those who listen to its name or root: some only when a tracer is passed."""
        if event.name.startswith("scipy.") and self.world.names_option(SCIPY_TAKES_ARRAYS):
            return
        always, traced = self.call_hooks.of(event.name)
        self.show((*always, *traced) if event.level else always, event)

    def show(self, hooks: Iterable[Hook], event: Event, holder: FunctionContext | None = None) -> None:
        """`holder` keeps the findings, where it is not the event's own function context."""
        state = self.flow.position()
        found: list[Finding] = []
        for rule, handler in hooks:
            try:
                for finding in handler(event, self.model) or ():
                    if finding.rule is None:
                        finding.rule = rule
                    found.append(finding)
            except (Unreachable, RecursionError, MemoryError):
                raise
            except Exception as error:
                self.note_failure(Failure.of(error, event.module.path, event.nid, rule.code))
                self.flow.return_to(state)
        # What raises has no other consequence.
        for finding in [each for each in found if each.is_at_once] or found:
            self._take(finding, event, holder)

    def _take(self, finding: Finding, event: Event, holder: FunctionContext | None) -> None:
        """Keeps what a rule has found, unless a handler around it catches what it raises."""
        raises = finding.raised
        if self._is_caught(raises):
            self._leave_try(event, finding)
        elif not self.flow.context.quiet:
            (holder or event.frame).findings.append((event, finding))

    def note_failure(self, failure: Failure) -> None:
        """What was worked on is lost, and nothing else is."""
        self.failures[failure] = None

    def _is_caught(self, raises: Sequence[str]) -> bool:
        handlers = self.handlers()
        if not raises or not handlers:
            return False
        # By default JAX does not raise a KeyReuseError, and a handler of any error gets nothing.
        is_checked = tuple(raises) != ("KeyReuseError",) or self.world.names_option(CHECKS_KEYS)
        caught_by = {*raises, "Exception", "BaseException"} if is_checked else {*raises}
        return any(caught_by & caught for caught in handlers)

    def _leave_try(self, event: Event, finding: Finding) -> None:
        """What certainly raises in a `try` of this function ends its body: its handlers go on."""
        caught_by = {*finding.raised, "Exception", "BaseException"}
        if event.frame is self.flow.frame and not self.flow.arms and finding.is_at_once:
            if any(caught_by & caught for caught in self.flow.frame.caught):
                raise Unreachable

    def handlers(self) -> Sequence[frozenset[str]]:
        """What the handlers catch that are written around what is analyzed, a function's definition too."""
        func = self.flow.frame.func
        return self.flow.frame.caught if func is None else (*func.caught, *self.flow.frame.caught)

    # ---- tokens, blocks

    def fresh(self) -> Hashable:
        self.clock += 1
        return ("new", self.clock)

    def any_inside(self, value: Value) -> Unknown:
        """One of the items or leaves of what is not known: a new value, of which it is known what it is in
        where that has a token."""
        if not isinstance(value, Unknown):
            return UNKNOWN
        if value.token is None:
            return value.inside()
        found = value.inside(self.fresh())
        self.inside_of[found.token] = value.token
        return found

    def new_block(self) -> int:
        self.blocks += 1
        return self.blocks

    def fresh_copy(self, value: Value) -> Value:
        """One element of many: what stands for all of them is not one key."""
        if type(value) is Partial and any(isinstance(each, Key) for each in value.args):
            return Partial(value.func, tuple(map(self.fresh_copy, value.args)), value.keywords)
        if type(value) is Function and value.made is not None:
            return remade(value, MANY)
        if type(value) is OneOf:
            return self._any_key(value.options) or join_all(map(self.fresh_copy, value.options))
        if type(value) is Tuple and value.items is not None:
            return Tuple(tuple(map(self.fresh_copy, value.items)), cls=value.cls)
        return map_tokens(value, lambda token: None if token is None else self.fresh())

    def one_of_many(self, value: Value, nid: int, turn: Hashable = 0) -> Value:
        """One of the elements that a value stands for: keys in it, also in a list or dict that was made for
        each of them, are others than those of the next one."""
        if type(value) is Tuple and value.items is not None:
            items = [self.one_of_many(each, nid, (turn, at)) for at, each in enumerate(value.items)]
            return Tuple(tuple(items), cls=value.cls)
        if not isinstance(value, MutableContainer):
            return self.fresh_copy(value)
        if not any(isinstance(each, Key) for each in (*value.entries.values(), *(value.items or ()))):
            return value
        copy = self.box(value.kind, nid, ("each", turn))
        copy.fill_as(value, self.fresh_copy)
        return copy

    def with_one_key(self, value: Value) -> Value:
        """What one of several branches of JAX gives. All of them give the same kind: where one gives a key,
        all do, and it is one key from here on."""
        if type(value) is OneOf:
            keys = [each for each in value.options if isinstance(each, Key)]
            others = [each for each in value.options if type(each) not in (Key, TracerPytree, Unknown)]
            return (None if others else self._any_key(keys)) or value
        if type(value) is Tuple and value.items is not None:
            return Tuple(tuple(map(self.with_one_key, value.items)), cls=value.cls)
        return value

    def _any_key(self, options: Sequence[Value]) -> Key | None:
        """One of several keys, where it is certainly a key: whoever takes it has one key."""
        keys = [each for each in options if isinstance(each, Key)]
        first = keys[0] if keys and len(keys) == len(options) else None
        if first is None or any((each.many, each.count) != (first.many, first.count) for each in keys):
            return None
        level = min(each.level for each in keys)
        return Key(self.fresh(), level, first.many, first.count)

    # ---- helpers on values

    def arrays_level(self, values: Iterable[Value]) -> int:
        """Which tracers an array computed from these certainly is."""
        level = 1 if self.flow.context.staged else 0
        for value in values:
            level |= level_of(value)
        return level

    def made(self, args: Iterable[Value], dtype: str = "?", ndim: int | None = None) -> Array:
        return Array(self.arrays_level(args), dtype, ndim)

    def box(self, kind: str, nid: int, extra: Hashable = None) -> MutableContainer:
        """A container made at this place, in this turn of the loops of which each turn is analyzed; the same
        one when this is analyzed again."""
        key = ("box", kind, nid, extra, self.flow.module.path, self.flow.frame.unrolled)
        found = self.flow.frame.heap.get(key)
        if not isinstance(found, MutableContainer):
            found = self.keep(key, MutableContainer(kind, self.flow.context.depth, self.flow.block))
        else:
            found.items = None if kind == "dict" else []
            found.entries = {}
            found.elem = found.source = None
            found.is_open = found.of_call = found.lacking = False
            found.made = self.round
            found.block = self.flow.block
            found.depth = self.flow.context.depth
        return found

    def begin_round(self) -> None:
        """All that is not remembered is analyzed again from here on."""
        self.dirty = {}
        self.round += 1

    def note_filled(self, box: MutableContainer) -> None:
        """What is analyzed changes a container: one that a module has made is made anew in each round."""
        frame = self.flow.frame
        maker, _ = self.origins.get(id(box), (None, None))
        if maker is not None and maker.func is None and maker is not frame:
            frame.filled.setdefault(id(box), Filled(box, self.round, {}, (), None))  # until the call is over

    def pass_filled(self, activation: FunctionContext, is_remembered: bool) -> None:
        """What a call fills its caller fills. What is remembered fills the containers that were made anew."""
        for number, filled in tuple(activation.filled.items()):
            if not is_remembered or filled.again():
                activation.filled[number] = Filled.of(filled.box, self.round)
            self.note_filled(filled.box)

    def list_of(self, items: Iterable[Value], nid: int, kind: str = "list") -> MutableContainer:
        box = self.box(kind, nid)
        box.items = list(items)
        return box

    def keep(self, key: Hashable, made: Made) -> Made:
        """What is analyzed makes this, and makes it again where it is analyzed again."""
        self.flow.frame.heap[key] = made
        if isinstance(made, Instance):
            self.flow.frame.instances.add(id(made))
        self.origins[id(made)] = (self.flow.frame, key)
        return made

    def set_attribute(self, owner: Instance, name: str, value: Value) -> None:
        """Some method sets this; who has read it before must be analyzed again."""
        if isinstance(value, MutableContainer):
            value.home = (owner, name)
            self.held[id(owner), ".", name] = value
        self.note_field(owner.cls, name, value)
        before = owner.attributes.get(name)
        value = once_transformed(settled(value, (id(owner), ".", name)))
        if owner.generic and isinstance(value, Const) and type(value.value) in (int, float):
            if any(cls.computes(name) for cls in owner.cls.lineage()):
                value = UNKNOWN  # it will not be this number for long
        after = value if before is None else blend(before, value)
        after, grew = self.summaries.settled((owner.origin or owner, name), after)
        after = self.summaries.grown(after, self.unstable.get((owner.origin or owner, name), 0))
        if isinstance(after, MutableContainer):
            after.home = (owner, name)
        if before is None or after != before or grew:
            owner.attributes[name] = after
            if before is not None or not isinstance(after, Unknown):
                self.changed(owner, name)
                if any(isinstance(each, Transformed) for each in options_of(after)):
                    self.dirty[owner.origin or owner, (KEPT, name)] = self.changes

    def note_read_if_compiled(self, owner: Instance, name: str) -> None:
        """What an attribute holds is dropped: if that turns out to be a compiled function, who drops it is
        analyzed again."""
        self.flow.frame.reads.setdefault((owner.origin or owner, (KEPT, name)), self.changes)

    def changed(self, holder: Instance | Environment, name: Hashable) -> None:
        """An attribute or a variable holds more than who has read it before could know. What does so in round
        after round is unknown from then on, and changes no more."""
        if isinstance(holder, Instance):
            holder = holder.origin or holder
        cell = holder, name
        rounds = self.unstable.get(cell, 0)
        if rounds > CHANGES.most:
            self._forget(holder, name)
            return
        if cell not in self.dirty:
            self.unstable[cell] = rounds + 1
            if rounds == CHANGES.most:
                REACHED["changes"] += 1
                self._forget(holder, name)
        self.changes += 1
        self.dirty[cell] = self.changes
        if isinstance(holder, Instance) and holder.generic:
            for cls in holder.cls.lineage():
                if cls.generic is not None:
                    self.dirty[cls.generic, ("below", name)] = self.changes

    def _forget(self, holder: Instance | Environment, name: Hashable) -> None:
        held: dict[Any, Value] = holder.attributes if isinstance(holder, Instance) else holder.vars
        held[name] = UNKNOWN
        if ("late", name) in held:
            held["late", name] = UNKNOWN


def _ignore(cls: Class, name: str, value: Value) -> None:
    pass


# what classes have, by class and prefix: an analysis is put together for each component
_ENDINGS: dict[tuple[type, str], tuple[str, ...]] = {}
_READERS: dict[tuple[type, str], dict[type, str]] = {}


def named(*parts: object, prefix: str) -> dict[str, Callable[..., Any]]:
    """The methods of parts that begin with a prefix, by the rest of their names."""
    return {rest: getattr(part, prefix + rest) for part in parts for rest in _endings_of(type(part), prefix)}


def _endings_of(kind: type, prefix: str) -> tuple[str, ...]:
    found = _ENDINGS.get((kind, prefix))
    if found is None:
        found = tuple([name.removeprefix(prefix) for name in dir(kind) if name.startswith(prefix)])
        _ENDINGS[kind, prefix] = found
    return found


def by_kind(
    *parts: object, prefix: str, kinds: Iterable[type[Node]]
) -> dict[type[Node], Callable[[Any], Any]]:
    """The methods of parts that are named for a kind of node, by that kind."""
    methods = named(*parts, prefix=prefix)
    return {kind: methods[kind_of(kind)] for kind in kinds if kind_of(kind) in methods}


def readers(part: object, prefix: str) -> dict[type, Callable[..., Value]]:
    """The methods of a part that are named for a kind of value, by that kind; those below it have it, too,
    unless they have their own."""
    return {kind: getattr(part, name) for kind, name in _names_of_readers(type(part), prefix).items()}


def _names_of_readers(part: type, prefix: str) -> dict[type, str]:
    found = _READERS.get((part, prefix))
    if found is None:
        endings = _endings_of(part, prefix)
        names = {
            kind: [each.__name__ for each in kind.__mro__ if each.__name__ in endings] for kind in kinds()
        }
        found = _READERS[part, prefix] = {kind: prefix + own[0] for kind, own in names.items() if own}
    return found


class CallHooks:
    """Who is told of the calls of a library function: of all, and of those that a tracer is passed to."""

    __slots__ = ("_always", "_known", "_traced")

    def __init__(self) -> None:
        self._always: dict[str, list[Hook]] = {}
        self._traced: dict[str, list[Hook]] = {}
        self._known: dict[str, tuple[list[Hook], list[Hook]]] = {}

    def add(self, rule: Listener, handler: Handler) -> None:
        table = self._traced if rule.only_traced else self._always
        for name in rule.calls:
            table.setdefault(name, []).append((rule, handler))

    def of(self, name: str) -> tuple[list[Hook], list[Hook]]:
        """Those who listen to a function by its name or the first part of it."""
        found = self._known.get(name)
        if found is None:
            root = name.partition(".")[0]
            always = [*self._always.get(root, ()), *self._always.get(name, ())]
            found = self._known[name] = (always, self._traced.get(root, []))
        return found


NO_CALL_HOOKS: Final = CallHooks()


def rank_of(func: Function) -> Rank:
    """The place of a function in the order of analysis, which does not depend on where a file defines it."""
    return func.module.name, func.module.path, func.code.qualname
