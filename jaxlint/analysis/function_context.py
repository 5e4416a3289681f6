"""Function contexts: one function analyzed once with one vector of arguments, in one context; and the records
of what it does, which a context keeps: events, consumed keys, reads and writes of traces, static arguments.

Function contexts are remembered by their key, so that a call with the same facts is analyzed once, and
kept between rounds, so that what they allocate keeps its identity.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from msgspec import Struct

from jaxlint.analysis.consumption import Consumption, Drawn, EqualSplits
from jaxlint.analysis.trace_context import Context
from jaxlint.analysis.writes import Write
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.objects import Class, Environment, Function, Instance, Key, Transformed
from jaxlint.domain.persistent_map import Layered
from jaxlint.domain.values import ALIKE, UNKNOWN, TracerPytree, Unknown, Value
from jaxlint.ir import nodes
from jaxlint.ir.mentions import leaves_alone, yields_first
from jaxlint.ir.nodes import NameExpr
from jaxlint.ir.replaced_fields import STATIC_PART

if TYPE_CHECKING:
    from jaxlint.domain.consumed_keys import Consumed
    from jaxlint.domain.filled import Filled
    from jaxlint.domain.objects import Module
    from jaxlint.ir.finding import Finding
    from jaxlint.ir.loop_carried import Turns
    from jaxlint.ir.loop_guards import Held
    from jaxlint.ir.nodes import AssertStmt, Expr, RaiseStmt
    from jaxlint.ir.program import Code

Vars = dict[Hashable, Value]
_NEITHER: frozenset[bool] = frozenset()
_ONE = (frozenset((False,)), frozenset((True,)))
Iteration = tuple[int, int]  # a loop and which turn of it is analyzed
Use = tuple[int, "Code"]  # an object, by identity, that is a static argument of a call of a function
# the traced body, and what JAX finds the trace by if not the function
Trace = tuple["FunctionContext", Transformed | None]
Left = tuple[Instance, str, Hashable, Value | None]  # an attribute, its mark, and what is there
Raised: TypeAlias = "tuple[RaiseStmt | AssertStmt, Consumed[Consumption]]"  # the keys that are spent there
Owner: TypeAlias = int | Function | None
Spoilt: TypeAlias = "Mapping[Hashable, Write]"


class Event(Struct, eq=False):
    """Something that happens at node `nid` of `module`, in function context `frame`."""

    nid: int
    frame: FunctionContext

    @property
    def module(self) -> Module:
        return self.frame.module

    @property
    def staged(self) -> bool:
        """Whether a staged trace encloses this: Python runs once per trace."""
        return self.frame.context.staged

    @property
    def traced(self) -> bool:
        """Whether any transform encloses this."""
        return self.frame.context.depth > 0


class Mutation(Event):
    """A change to an object that was made outside the innermost trace, or to a variable there, that
    is still there when the function that makes it is over.

    how: append, item, attribute, global, nonlocal, next, delete. outside: a staged trace lies between
    the making and the change. memo: it is made once, under a test that it is not there yet, or under
    a key of its own. before: what was there, where that is known. place: what is written, by identity.
    depth: how many transforms enclose the making. step: the number that is added to what was there. empty:
    a new empty container is written. replaced: the trace may have put another container in place of this.
    emptied: the trace is sure to take all out of the container here.
    """

    how: str
    target: Value
    new: Value
    name: str = ""
    outside: bool = False
    memo: bool = False
    before: Value | None = None
    place: Hashable = None
    depth: int = 0
    step: float | None = None
    empty: bool = False
    replaced: bool = False
    emptied: bool = False

    def with_values(self, new: Value, before: Value | None, memo: bool, is_sure: bool) -> Mutation:
        """The same change, with these values written and there before. memo: it is made once. is_sure: each
        run of the caller makes the call."""
        return Mutation(
            self.nid, self.frame, self.how, self.target, new, self.name, self.outside, memo, before,
            self.place, self.depth, self.step, self.empty, self.replaced, self.emptied and is_sure,
        )  # fmt: skip


class TraceRead(NamedTuple):
    """A read in staged code of something made outside. `depth`: how many traces enclose its making;
    `owner`: the function or, by identity, the object, where it is an attribute; `gives`: the objects that it
    holds."""

    nid: int
    frame: FunctionContext
    depth: int
    name: str
    owner: Owner = None
    gives: frozenset[int] = frozenset()


class Effects(Struct):
    """What analyzing a function context did to the traces that are kept, to do it again without analyzing.

    reads: in staged code, by key and reading function context; owners: the objects of those of a kept trace.
    own: what staged code itself wrote. uses: the traces used, with what was written before. renewed: those of
    them that are of functions which this makes anew before. ends: the traces that were new, with what was
    written after. made_with: what was made anew wherever something was written.
    """

    reads: dict[tuple[Hashable, int], TraceRead] = {}
    own: set[Hashable] = set()
    keys: set[Hashable] = set()
    owners: set[Owner] = set()
    uses: dict[Trace, Spoilt] = {}
    renewed: set[Trace] = set()
    ends: Mapping[Trace, Spoilt] = {}
    written: dict[Hashable, Write] = {}
    made: set[Hashable] = set()
    made_with: dict[Hashable, frozenset[Hashable]] = {}


class Birth(NamedTuple):
    """Where a function object was made: a function context, the turns of the loops around it there, and the
    mark that says on which paths.

    `home` is the function context that made it, `frame` the one that it was returned to.
    """

    frame: FunctionContext
    iterations: tuple[Iteration, ...]
    mark: tuple[Hashable, ...]
    home: FunctionContext


class Change(NamedTuple):
    """A write of an instance's attribute, or into a container that it holds. own: by a method of the
    instance. item: the constant that says which item, where that is known. moment: after how many calls that
    take static arguments. is_derived: what is written is made of what was there."""

    owner: Instance
    name: str
    module: Module
    nid: int
    frame: FunctionContext
    own: bool = False
    item: Expr | None = None
    moment: int = 0
    is_derived: bool = False

    def reaches(self, part: Expr | None) -> bool:
        """Whether another value may be there for who reads no more than a part of it."""
        if part is STATIC_PART:
            return self.item is None and not self.is_derived
        return self.item is None or part is None or self.item == part


class FieldRead(NamedTuple):
    """A read of an attribute in staged code, of an object that a static argument is or holds. item: the
    constant that says which item of it, where it is but one."""

    nid: int
    owner: Instance
    name: str
    body: FunctionContext
    item: Expr | None = None


class Remade(NamedTuple):
    """A call, by its number, that compiles a function anew, as in `Recompile`. given: the static argument
    that is a new function, if what is compiled is not one itself. frame: what makes it new."""

    kind: str
    func: Transformed
    given: Value | None
    frame: FunctionContext
    nid: int


class Notes(Struct):
    """What one function context notes.

    changes: writes of what was handed in, which may come after a call, each place once. late: writes that
    do. uses: calls of maps, by the place of the map and whether they are staged: whether a loop is around
    each one, by its number; None where what is mapped is compiled anew in each turn of that loop.
    """

    statics: dict[int, Instance] = {}
    reads: list[FieldRead] = []
    changes: dict[tuple[Instance, str, FunctionContext, int], Change] = {}
    late: list[Change] = []
    moment: int = 0  # how many calls have taken static arguments so far
    static_uses: dict[Use, tuple[int, int]] = {}  # the first such call and the last
    cleared: bool = False
    clears: dict[int, Transformed | None] = {}  # calls that clear the cache of a function, or all (None)
    ran: list[Transformed] = []  # what a module has compiled and is called here
    recalls: bool = False  # calls what functools remembers
    drives: bool = False  # calls in a loop what it jitted before it
    loops: bool = False  # runs a loop of JAX's
    remade: list[Remade] = []
    handed: list[tuple[Transformed, Value]] = []  # compiled and called, and the caller's function in it
    mapped: list[Transformed] = []
    uses: dict[tuple[str, int, bool], dict[int, bool | None]] = {}
    methods: list[tuple[Transformed, Class, Code]] = []
    selves: list[tuple[Transformed, Instance, FunctionContext]] = []
    seeds: dict[str, int] = {}  # where the generator of a module is sure to be seeded first


class Link(NamedTuple):
    """Why a function context exists: the call, or the transform, that led to it. seen: what was seen to call
    it when the program ran, where that is all that is known; `?` where not even that is."""

    parent: FunctionContext | None
    module: Module
    nid: int
    transform: str = ""  # the transform's name where this is a trace
    static: tuple[Instance, ...] = ()  # the objects that this trace takes as static arguments
    around: tuple[str, ...] = ()  # the transforms around this one that no other function lies between
    seen: str = ""


class Entry(NamedTuple):
    """What surrounded the call for which a body was analyzed last."""

    traces: Layered[Trace, Spoilt]
    driving: bool
    launching: bool
    depth: int


class FunctionContext(Struct, eq=False):
    """One function body analyzed with known arguments."""

    module: Module
    func: Function | None
    context: Context
    env: Environment
    link: Link | None = None  # of the first call
    links: dict[Link, None] = {}  # of all calls
    result: Value = UNKNOWN
    done: bool = False
    analyzed: bool = False  # at least once
    running: bool = False
    recurs: bool = False  # it was called while it was running
    findings: list[tuple[Event, Finding]] = []
    repeated_splits: tuple[EqualSplits, ...] = ()  # of which the rest of the body may say that they are fine
    returns: tuple[tuple[Value, Vars], ...] = ()  # while it is analyzed
    ways: tuple[tuple[Value, tuple[Held, ...]], ...] = ()  # what it gives back, with the tests around
    yields: tuple[Value, ...] = ()
    halfway: Mapping[Hashable, Write] = {}  # what a generator has written when it yields
    repeats: bool = False  # the last one is what a variable holds in a loop
    users: set[tuple[FunctionContext, int]] = set()  # who calls it, and where
    heap: dict[Hashable, Value] = {}  # what this makes
    instances: set[int] = set()  # the objects in it, by identity
    consumptions: tuple[Consumption, ...] = ()
    filled: dict[int, Filled] = {}  # containers that others have made, by identity
    writes: dict[tuple[Instance, str], Hashable] = {}  # attributes, also by callees, and their marks
    # those of the run before, where it consumed keys: a call of the function in itself may write them
    former: list[Left] = []
    written: tuple[int, dict[Instance, list[str]]] = (0, {})  # by object, when there were so many writes
    tokens: tuple[int, int] = (0, 0)
    captures: dict[tuple[Environment, str], Value] = {}  # closed over
    touched: set[Hashable] = set()  # tokens of objects that unknown code may change
    replaces: bool = False  # keys in containers that were there before, by others: each call does anew
    renewals: tuple[object, int] = (None, 0)  # how often, in which entry of the program
    told: bool = False  # what the last run did, to a caller
    callees: dict[FunctionContext, None] = {}
    # by call, with what it calls: the keys that it hands over, by the tokens that they have there
    handed: dict[tuple[int, FunctionContext], Mapping[Hashable, Hashable]] = {}
    quiet: frozenset[int] = frozenset()  # calls of functions that have been told to draw nothing
    arms: dict[int, frozenset[bool]] = {}  # the answers of a test, by its `if`, under which something is run
    reads: dict[tuple[object, Hashable], int] = {}  # and after how many changes
    sites: dict[tuple[Code, int], bool] = {}  # calls, and whether loops repeat them
    scheduled: set[Hashable] = set()
    loop: int = 0  # loops of the callers around the call that made this, plus own
    turns: tuple[Turns, ...] = ()  # the loops around what is being analyzed
    asked: bool = False  # what this does is asked for first
    key: Hashable = None  # what it is called with
    # tokens of what is not known but the same again: of numbers that variables hold, by their bindings and
    # the turns of loops, and of the parts of arrays of keys at such positions
    numbered: dict[Hashable, Hashable] = {}
    operations: int = 0  # array operations that this adds to a staged program
    arguments: tuple[Value, ...] = ()
    entry: Entry | None = None
    iterations: tuple[tuple[int, int], ...] = ()  # each loop that is being analyzed, and its turn
    unrolled: tuple[int, ...] = ()  # the turns of those of which each turn is analyzed
    mutations: tuple[Mutation, ...] = ()  # of what was made outside the innermost trace, by callees too
    yielded: int = 0  # how many of them came before the last `yield`
    shown: Vars | None = None  # what is in attributes there that this has written, by their marks
    sees_tracer: bool = False  # on some path something is asked whether it is a tracer, and is one
    presumes: bool = False  # that a pytree of tracers is a tracer
    doubts_tracer: bool = False  # something is asked whether it is a tracer, of which that is not known
    lends: frozenset[str] = frozenset()  # how the trace context of the last `yield` is another one
    draws: frozenset[Drawn] = frozenset()  # the streams of a framework that this draws from
    donates: frozenset[str] = frozenset()  # parameters whose arrays this donates
    changes: frozenset[str] = frozenset()  # parameters that are modules which get another state
    sure: int = 0  # under how many tests it is still certain what the framework runs
    breaks: tuple[list[Vars], ...] = ()  # for each loop that is being analyzed
    continues: tuple[list[Vars], ...] = ()
    raised: tuple[list[Raised], ...] = ()  # for each `try` that is being analyzed, the innermost last
    caught: tuple[frozenset[str], ...] = ()  # what enclosing handlers catch
    affected: Effects | None = None
    noted: Notes | None = None
    evaluated: dict[int, Value] | None = None  # by number, where syntactic rules may ask
    remains: list[Left] | None = None  # what `left` gives, once it ended

    def live_links(self) -> list[Link]:
        """The calls that lead to this: without those of callers that no longer make them."""
        return [each for each in self.links if each.parent is None or self in each.parent.callees]

    def has_made(self, token: Hashable) -> bool:
        """Whether a token was made while this was analyzed the last time."""
        start, end = self.tokens
        is_made = isinstance(token, tuple) and len(token) == 2 and token[0] == "new"
        return is_made and bool(start < token[1] <= end)  # type: ignore[index]

    def written_of(self, owner: Instance) -> Sequence[str]:
        """The attributes of an object that this writes."""
        count, found = self.written
        if count != len(self.writes):
            found = {}
            for each, name in self.writes:
                found.setdefault(each, []).append(name)
            self.written = len(self.writes), found
        return found.get(owner, ())

    @property
    def code(self) -> Code:
        """What runs: the code of the function, or the body of the module."""
        return self.module.program.body if self.func is None else self.func.code

    def does_nothing(self) -> bool:
        """Whether a call does nothing that its caller could see, but to give back a result."""
        return not (
            self.captures
            or self.consumptions
            or self.touched
            or self.writes
            or self.mutations
            or self.heap
            or self.noted
            or self.lends
            or self.draws
        )

    def left(self) -> Iterable[Left]:
        """The attributes that this has written, their marks among variables, and what it left there last."""
        if self.remains is not None:
            return self.remains
        last_of = self.env.vars.get
        found: list[Left] = [(own, name, mark, last_of(mark)) for (own, name), mark in self.writes.items()]
        if self.running:
            return found + self.former
        self.remains = found
        return found

    def keywords_of(self, value: Value) -> int | None:
        """How many keywords `**` takes of the call, where a value is that and they are known."""
        func = self.func
        if func is None or not self.arguments or self.arguments[-1] is not value:
            return None
        param = func.code.params[-1]
        if param.kind != "**" or not isinstance(value, MutableContainer) or value.elem is not None:
            return None
        return len(value.entries) if leaves_alone(func.code, param.name, func.module.program) else None

    def may_be_given(self, node: Expr, value: Value) -> bool:
        """Whether a value, in a trace, is a pytree that is handed over, or an argument of which only this is
        known: it may be left out."""
        if not self.context.depth or not isinstance(value, Unknown):
            return self.context.depth > 0 and isinstance(value, (TracerPytree, MutableContainer))
        params = () if self.func is None else self.func.code.params
        return isinstance(node, NameExpr) and any(
            param.name == node.name and param.default == nodes.NONE for param in params
        )

    def is_called(self) -> bool:
        """Whether a call leads to this that its caller still makes."""
        return any(each.parent is not None and self in each.parent.callees for each in self.links)

    @property
    def effects(self) -> Effects:
        """What analyzing this did to the traces that are kept; `affected` where there may be nothing."""
        if self.affected is None:
            self.affected = Effects()
        return self.affected

    @property
    def notes(self) -> Notes:
        """What this notes of itself; `noted` where there may be nothing."""
        if self.noted is None:
            self.noted = Notes()
        return self.noted

    def begin(self) -> None:
        """Before the body is analyzed: forgets what it found and led to the last time."""
        self.evaluated = None
        if self.consumptions:
            self.former = [(*place, mark, None) for place, mark in self.writes.items()]
        self.writes, self.written = {}, (0, {})
        self.mutations = self.ways = ()
        self.replaces = self.repeats = self.recurs = False
        self.yielded, self.shown, self.halfway = 0, None, {}
        self.draws, self.donates = frozenset(), frozenset()
        self.changes = self.lends = frozenset()
        self.sees_tracer = self.presumes = self.doubts_tracer = False
        self.loop, self.told = 0, False
        self.repeated_splits, self.quiet = (), frozenset()
        if not self.analyzed:
            self.analyzed = True
            return
        self.findings = []
        self.callees, self.handed, self.filled, self.arms = {}, {}, {}, {}
        self.reads = {}
        self.captures = {}
        self.touched = set()
        self.numbered = {}
        self.sites = {}
        self.scheduled = set()
        self.turns = ()
        self.operations = 0
        self.affected = None
        self.iterations, self.unrolled = (), ()
        self.noted = None

    def take(self, nid: int, truth: bool) -> None:
        """Notes that what is under this answer of a test is run."""
        self.arms[nid] = self.arms.get(nid, _NEITHER) | _ONE[truth]

    def set_aside(self) -> Callable[[], None]:
        """Forgets what callers see of what was done so far; gives back what puts that in the place of what is
        done in between."""
        kept = (self.writes, self.mutations, self.captures, self.touched, self.operations)
        notes = (self.affected, self.noted)
        self.writes, self.mutations, self.captures, self.touched, self.operations = {}, (), {}, set(), 0
        self.affected = self.noted = None
        self.written = (0, {})

        def restore() -> None:
            self.writes, self.mutations, self.captures, self.touched, self.operations = kept
            self.affected, self.noted = notes
            self.written = (0, {})

        return restore

    def manner(self, code: Code) -> tuple[str | Key, ...]:
        """Of a generator, whether it yields one key at each turn, or else the key that it yields first."""
        first = self.yields[0] if self.yields else None
        if type(first) is not Key or first.many:
            return ()
        if (len(self.yields) > 1 or self.repeats) and all(each == first for each in self.yields):
            return (ALIKE,)
        return (first,) if yields_first(code.body) else ()

    def leave(self, value: Value, state: Vars, tests: Iterable[Held]) -> None:
        """The body is left with a result, where these tests hold."""
        self.returns += ((value, state),)
        self.ways += ((value, tuple(tests)),)

    def end(self) -> None:
        """After the body was analyzed: forgets what only that needs."""
        self.returns = ()
        self.yields = ()
        self.remains = None

    @property
    def name(self) -> str:
        return self.func.code.qualname if self.func is not None else self.module.name


def below(starts: Iterable[FunctionContext]) -> set[FunctionContext]:
    """These function contexts, and all that they lead to."""
    fresh = reached = set(starts)
    while fresh:
        called: set[FunctionContext] = set()
        for context in fresh:
            called.update(context.callees)
        fresh = called - reached
        reached |= fresh
    return reached
