"""Function contexts: one function analyzed once with one vector of arguments, in one context.

Function contexts are remembered by their key, so that a call with the same facts is analyzed once, and
kept between rounds, so that what they allocate keeps its identity.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.analysis.trace_cache import Effects, Spoilt, Trace
from jaxlint.analysis.whole_program import Notes
from jaxlint.domain.persistent_map import Layered
from jaxlint.domain.values import UNKNOWN, Environment, Function, Instance, Value

if TYPE_CHECKING:
    from jaxlint.analysis.events import Mutation
    from jaxlint.analysis.key_consumption import Consumption
    from jaxlint.domain.program import Module
    from jaxlint.ir.finding import Finding
    from jaxlint.ir.loop_carried import Turns
    from jaxlint.ir.lowering import Code

Vars = dict[Any, Value]


class Context(NamedTuple):
    """What surrounds the code that runs.

    staged: some enclosing trace is staged. depth: how many transforms enclose. unjitted: inside
    `jax.disable_jit()`. quiet: nothing is reported (deliberate errors). batched: inside a vmap.
    """

    staged: bool = False
    depth: int = 0
    unjitted: bool = False
    quiet: bool = False
    batched: bool = False
    stage: int = 0  # the depth at which the innermost staged trace begins
    looked: int = 0  # the depth at which the innermost trace begins that is made at every call
    assumed: tuple[tuple[str, bool], ...] = ()  # tests of `self` under which the trace was made


EAGER = Context()


class Link(NamedTuple):
    """Why a function context exists: the call, or the transform, that led to it."""

    parent: FunctionContext | None
    module: Module
    nid: int
    transform: str = ""  # the transform's name where this is a trace
    static: tuple[Instance, ...] = ()  # the objects that this trace takes as static arguments
    around: tuple[str, ...] = ()  # the transforms around this one that no other function lies between


class Entry(NamedTuple):
    """What surrounded the call for which a body was analyzed last."""

    traces: Layered[Trace, Spoilt]
    driving: bool
    depth: int


@dataclass(slots=True, eq=False)
class FunctionContext:
    """One function body analyzed with known arguments."""

    module: Module
    func: Function | None
    context: Context
    env: Environment
    link: Link | None = None  # of the first call
    links: dict[Link, None] = field(default_factory=dict)  # of all calls
    result: Value = UNKNOWN
    done: bool = False
    analyzed: bool = False  # at least once
    running: bool = False
    findings: list[tuple[Any, Finding]] = field(default_factory=list)
    returns: tuple[tuple[Value, Vars], ...] = ()  # while it is analyzed
    yields: tuple[Value, ...] = ()
    uses: int = 0
    heap: dict[Any, Value] = field(default_factory=dict)  # what this makes
    instances: set[int] = field(default_factory=set)  # the objects in it, by identity
    consumptions: tuple[Consumption, ...] = ()
    # attributes, written by callees too, with the marks that they have among variables
    writes: dict[tuple[Instance, str], Hashable] = field(default_factory=dict)
    written: tuple[int, dict[Instance, list[str]]] = (0, {})  # by object, when there were so many writes
    tokens: tuple[int, int] = (0, 0)
    captures: dict[tuple[Environment, str], Value] = field(default_factory=dict)  # closed over
    touched: set[Hashable] = field(default_factory=set)  # tokens of objects that unknown code may change
    told: bool = False  # what the last run did, to a caller
    callees: dict[FunctionContext, None] = field(default_factory=dict)
    reads: dict[tuple[Any, Any], int] = field(default_factory=dict)  # and after how many changes
    sites: dict[tuple[Code, int], bool] = field(default_factory=dict)  # calls, and whether loops repeat them
    scheduled: set[Any] = field(default_factory=set)
    loop: int = 0  # loops of the callers around the call that made this, plus own
    turns: tuple[Turns, ...] = ()  # the loops around what is being analyzed
    asked: bool = False  # what this does is asked for first
    key: Hashable = None  # what it is called with
    operations: int = 0  # array operations that this adds to a staged program
    arguments: tuple[Value, ...] = ()
    entry: Entry | None = None
    iterations: tuple[tuple[int, int], ...] = ()  # each loop that is being analyzed, and its turn
    mutations: tuple[Mutation, ...] = ()  # of what was made outside the innermost trace, by callees too
    yielded: int = 0  # how many of them came before the last `yield`
    sees_tracer: bool = False  # on some path something is asked whether it is a tracer, and is one
    presumes: bool = False  # that a pytree of tracers is a tracer
    lends: bool = False  # whether the last `yield` is under `jax.disable_jit()`
    breaks: tuple[list[Vars], ...] = ()  # for each loop that is being analyzed
    continues: tuple[list[Vars], ...] = ()
    caught: tuple[frozenset[str], ...] = ()  # what enclosing handlers catch
    affected: Effects | None = None
    noted: Notes | None = None
    evaluated: dict[int, Value] | None = None  # by number, where syntactic rules may ask
    remains: list[tuple[Any, str, Hashable, Value | None]] | None = None  # what `left` gives, once it ended

    def live_links(self) -> list[Link]:
        """The calls that lead to this: without those of callers that no longer make them."""
        return [each for each in self.links if each.parent is None or self in each.parent.callees]

    def has_made(self, token: Any) -> bool:
        """Whether a token was made while this was analyzed the last time."""
        if not isinstance(token, tuple) or len(token) != 2 or token[0] != "new":
            return False
        start, end = self.tokens
        made: int = token[1]
        return start < made <= end

    def written_of(self, owner: Instance) -> Sequence[str]:
        """The attributes of an object that this writes."""
        count, found = self.written
        if count != len(self.writes):
            found = {}
            for each, name in self.writes:
                found.setdefault(each, []).append(name)
            self.written = len(self.writes), found
        return found.get(owner, ())

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
        )

    def left(self) -> Iterable[tuple[Any, str, Hashable, Value | None]]:
        """The attributes that this has written, with the marks that they have among variables, and what it
        has left there last."""
        if self.remains is not None:
            return self.remains
        last_of = self.env.vars.get
        found: list[tuple[Any, str, Hashable, Value | None]]
        found = [(owner, name, mark, last_of(mark)) for (owner, name), mark in self.writes.items()]
        if not self.running:
            self.remains = found
        return found

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
        self.writes = {}
        self.written = (0, {})
        self.mutations = ()
        self.yielded = 0
        self.lends = False
        self.sees_tracer = False
        self.presumes = False
        self.loop = 0
        self.told = False
        if not self.analyzed:
            self.analyzed = True
            return
        self.findings = []
        self.callees = {}
        self.reads = {}
        self.captures = {}
        self.touched = set()
        self.sites = {}
        self.scheduled = set()
        self.turns = ()
        self.operations = 0
        self.affected = None
        self.iterations = ()
        self.noted = None

    def end(self) -> None:
        """After the body was analyzed: forgets what only that needs."""
        self.returns = ()
        self.yields = ()
        self.remains = None

    @property
    def name(self) -> str:
        return self.func.code.qualname if self.func is not None else self.module.name
