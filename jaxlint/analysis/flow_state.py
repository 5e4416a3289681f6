"""The registers of the analysis: where it is, and what encloses the code that is analyzed.

One object, which all parts of the analysis share. What changes while an expression or a statement is
evaluated, and is put back afterwards, is here; what is learned for good is in the part that learns it.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from jaxlint.analysis.conditions import held_facts
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.trace_context import EAGER, Context
from jaxlint.analysis.writes import Write
from jaxlint.domain.facts import Fact, disagree, facts_of, settings_of
from jaxlint.domain.objects import Module
from jaxlint.domain.values import BOOL, NONE, Const, External, Unknown
from jaxlint.ir.nodes import BoolExpr, Expr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import dotted

if TYPE_CHECKING:
    from jaxlint.analysis.consumption import Place
    from jaxlint.analysis.function_context import Mutation
    from jaxlint.domain.objects import Class, Environment, Instance
    from jaxlint.domain.values import Value
    from jaxlint.ir.loop_guards import Held
    from jaxlint.ir.nodes import CallExpr, Expr

Entry = tuple[str, "Place", "tuple[Instance, ...]"]
Position = tuple[FunctionContext, "Environment", Context, Module, int, int, "dict[Environment, list[Held]]"]


class FlowState:
    """What is true of the place that is analyzed.

    frame: the function context; env: its variables; context: the transforms that enclose it; module: the
    module of its text; block: which branch of which statement; depth: how many calls enclose it.
    """

    __slots__ = (
        "again",
        "arms",
        "around",
        "block",
        "called",
        "calling",
        "class_stack",
        "conditions",
        "context",
        "counting",
        "decorating",
        "delegating",
        "depth",
        "derived",
        "driving",
        "dropped",
        "enclosing",
        "entering",
        "env",
        "floors",
        "frame",
        "guards",
        "in_default",
        "item",
        "launching",
        "kept",
        "last_called",
        "leaving",
        "lending",
        "lent",
        "looking",
        "mapped",
        "module",
        "place",
        "probing",
        "replacing",
        "rounds",
        "shown",
        "static",
        "step",
        "subjects",
        "tests",
        "tried",
        "unbound",
        "unsure",
        "warned",
    )

    def __init__(self) -> None:
        self.module = Module("", (), False, Program(codes=[Code(0, "<none>", "<none>", 0)]))
        self.env: Environment = self.module.env
        self.frame = FunctionContext(self.module, None, EAGER, self.env)
        self.context: Context = EAGER
        self.block = 0
        self.depth = 0

        # ---- around an expression or a statement
        self.driving = False  # a module's own body is analyzed
        self.launching = False  # a library runs what a module's body hands it, or pytest a test
        self.arms = 0  # parts of expressions around that may not be evaluated
        self.probing: FunctionContext | None = None  # what is in a `try` that expects errors of tracers
        self.subjects: dict[int, Value] = {}  # what was asked about last, by the question's place
        self.conditions: list[Fact] = []  # what tests show that hold here
        self.tests: list[Held] = []  # all tests that hold here
        self.enclosing: dict[Environment, list[Held]] = {}  # those where functions around called what runs
        # what a manager that was just called has in attributes inside of the `with`, and when it is left
        self.shown: tuple[tuple[Hashable, Value, Value], ...] = ()
        self.rounds: list[tuple[Place, str, int]] = []  # the loops that are analyzed, and which iteration
        # the expression statement that is all of a `try` with handlers
        self.tried: tuple[Module, int] | None = None
        self.guards = 0  # tests that ask the library around the expression or statement
        self.floors: tuple[tuple[int, ...], ...] = ()  # of those that say what version JAX has at least
        self.replacing = False  # a `with` statement has put something in the place of a function of JAX
        self.warned = 0  # `with` statements that take the warnings
        self.class_stack: list[tuple[Class, Environment]] = []
        self.in_default = False  # the default of a parameter is evaluated
        self.decorating = False  # a decorator is called
        self.delegating = 0  # objects that have handed the question on to what they wrap
        self.item: Expr | None = None  # the constant that what is read next is asked for, where it is one

        # ---- inside an assignment
        self.again = False  # it gives an attribute again what the constructor gave it
        self.kept = False  # it leaves what is there already
        self.counting = False  # it computes what an entry gets from what it holds
        self.step: float | None = None  # what an augmented assignment adds
        self.derived = False  # of what is made of what was there

        # ---- around a call
        self.calling: CallExpr | None = None  # the call expression that is being evaluated
        self.called: Value | None = None  # and what it calls
        self.last_called: tuple[str, Value | None] = ("", None)
        self.dropped: frozenset[int] = (
            frozenset()
        )  # identities of calls in a statement that drops their values
        # the call whose arguments cannot be those of what is called
        self.unbound: tuple[Module, int] | None = None
        self.unsure = False  # what is called is one of several
        self.looking = False  # the next call of a transformed function is no call of the program
        self.around: tuple[str, ...] = ()  # the transforms entered since the function was that is analyzed
        self.entering = ""  # the transform that the next function context is the trace of
        self.place: Place = (self.module, 0)  # where that transform is applied
        self.static: tuple[Instance, ...] = ()  # its static arguments
        self.mapped: frozenset[Hashable] | None = (
            None  # what the lanes of the `vmap` that is entered differ in
        )
        # how the trace context is another one inside of the manager that was called last
        self.lent: frozenset[str] = frozenset()
        # what the generator that was called last changes after its `yield`, and what it puts back there
        self.leaving: tuple[Mutation, ...] = ()
        self.lending: tuple[tuple[Hashable, Write], ...] = ()

    def entry(self) -> Entry:
        """What the next function context is the trace of, which the context takes."""
        return self.entering, self.place, self.static

    def enter(self, entry: Entry) -> None:
        self.entering, self.place, self.static = entry

    def is_sure(self) -> bool:
        """Whether each run of the function comes here, once: no test and no loop is around."""
        return not self.tests and not self.frame.iterations

    def open_tests(self) -> list[tuple[Expr, bool]]:
        """The tests that hold here and need not hold wherever a framework runs this function, with their
        answers."""
        return [(held.test, held.truth) for held in self.tests[self.frame.sure :]]

    def take_static(self) -> tuple[Instance, ...]:
        """The static arguments of the trace that is entered, which those inside do not have."""
        static, self.static = self.static, ()
        return static

    def position(self) -> Position:
        """Where the analysis is, to return to."""
        return self.frame, self.env, self.context, self.module, self.block, self.depth, self.enclosing

    def return_to(self, position: Position) -> None:
        self.frame, self.env, self.context, self.module, self.block, self.depth, self.enclosing = position

    def tested(self, value: Value) -> Value:
        """A value with the truth that the tests around this, or around a function that this is in, have shown
        of it."""
        env: Environment | None = self.env
        if isinstance(value, Unknown) and self._is_touched(value.token):
            return value
        while env is not None and isinstance(value, Unknown) and value.token is not None:
            truth = env.vars.get(("true", value.token))
            if isinstance(truth, Const):
                return value.with_truth(truth.value)
            env = env.parent
        return value

    def _is_touched(self, token: Hashable) -> bool:
        """Whether code of which nothing is known may have changed something, or what it is a part of."""
        touched = self.frame.touched
        while touched and token not in touched:
            if type(token) is not tuple or len(token) != 3:
                return False
            token = token[0]
        return bool(touched)

    def home_of(self, name: str) -> Environment:
        """Where the variable of this name is that is seen from here."""
        env: Environment | None = self.env
        while env is not None and name not in env.vars:
            env = env.parent
        return env or self.env

    def named(self, node: Expr) -> Value | None:
        """What a variable holds, or the part of a library that is named with dots."""
        root, _, rest = dotted(node).partition(".")
        held = self.home_of(root).vars.get(root)
        if not rest or held is None:
            return held
        return External(f"{held.name}.{rest}") if isinstance(held, External) else None

    def may_be_absent(self, token: Hashable) -> Unknown:
        """What a dict that calls fill is asked for: it is there, or None is given."""
        self.env.vars["absent", token] = NONE
        return Unknown(token)

    def as_assumed(self, node: Expr, value: Value) -> Value:
        """The value of an expression, with what is known of its truth where the trace was made."""
        if not (type(value) is Unknown or value == BOOL) or (truth := self.answered(node)) is None:
            return value
        return value.with_truth(truth) if isinstance(value, Unknown) else Const(truth)

    def answered(self, test: Expr) -> bool | None:
        """What a simple test gives that an enclosing one, or the caller's, has answered."""
        held = held_facts.held(self.env.vars)
        if not self.conditions and not self.context.assumed and not held:
            return None
        known = (*self.context.assumed, *self.conditions)
        for truth in (True, False):
            shown = facts_of(test, truth)
            if disagree([*[fact for fact in shown if not fact.is_soft], *settings_of(shown)], known):
                return not truth
            if disagree(shown, held):
                return not truth
        if isinstance(test, BoolExpr):
            parts, decides = (self.answered(test.left), self.answered(test.right)), test.operator == "or"
            return decides if decides in parts else None if None in parts else not decides
        return None
