"""Activations: one function followed once with one vector of arguments, in one context.

Activations are remembered by their key, so that a call with the same facts is followed once, and
kept between rounds, so that what they allocate keeps its identity.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jaxlint.engine.history import Notes
from jaxlint.engine.ledger import Effects
from jaxlint.engine.values import UNKNOWN, Environment, Function, Instance, Value

if TYPE_CHECKING:
    from jaxlint.engine.carried import Turns
    from jaxlint.engine.event import Mutation
    from jaxlint.engine.program import Module
    from jaxlint.rule import Finding

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
    """Why an activation exists: the call, or the transform, that led to it."""

    parent: Activation | None
    module: Module
    nid: int
    transform: str = ""  # the transform's name where this is a trace
    static: tuple[Instance, ...] = ()  # the objects that this trace takes as static arguments


@dataclass(slots=True, eq=False)
class Activation:
    """One function body followed with known arguments."""

    module: Module
    func: Function | None
    context: Context
    env: Environment
    link: Link | None = None
    result: Value = UNKNOWN
    done: bool = False
    followed: bool = False  # at least once
    running: bool = False
    findings: list[tuple[Any, Finding]] = field(default_factory=list)
    returns: list[tuple[Value, Vars]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    uses: int = 0
    heap: dict[Hashable, Value] = field(default_factory=dict)
    spends: dict[Any, Any] = field(default_factory=dict)
    writes: set[tuple[Any, str]] = field(default_factory=set)
    tokens: tuple[int, int] = (0, 0)
    captures: dict[tuple[Environment, str], Value] = field(default_factory=dict)  # closed over
    touched: set[Hashable] = field(default_factory=set)  # tokens of objects that unknown code may change
    told: bool = False  # what the last run did, to a caller
    callees: set[Activation] = field(default_factory=set)
    reads: dict[tuple[Any, str], int] = field(default_factory=dict)  # and after how many changes
    scheduled: set[Any] = field(default_factory=set)
    loop: int = 0  # loops of the callers around the call that made this, plus own
    turns: list[Turns] = field(default_factory=list)  # the loops around what is being followed
    asked: bool = False  # what this does is asked for first
    operations: int = 0  # array operations that this adds to a staged program
    arguments: tuple[Value, ...] = ()
    effects: Effects = field(default_factory=Effects)
    laps: tuple[tuple[int, int], ...] = ()  # each loop that is being followed, and its turn
    notes: Notes = field(default_factory=Notes)
    mutations: list[Mutation] = field(default_factory=list)  # told when the body is over
    breaks: list[list[Vars]] = field(default_factory=list)
    continues: list[list[Vars]] = field(default_factory=list)
    caught: list[frozenset[str]] = field(default_factory=list)  # what enclosing handlers catch

    def begin(self) -> None:
        """Before the body is followed: forgets what it found and led to the last time."""
        self.returns = []
        self.yields = []
        self.writes = set()
        self.loop = 0
        self.told = False
        if not self.followed:
            self.followed = True
            return
        self.findings = []
        self.callees = set()
        self.reads = {}
        self.captures = {}
        self.touched = set()
        self.scheduled = set()
        self.turns = []
        self.operations = 0
        self.effects = Effects()
        self.laps = ()
        self.notes = Notes()
        self.mutations = []

    @property
    def name(self) -> str:
        return self.func.code.qualname if self.func is not None else self.module.name
