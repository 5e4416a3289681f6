"""Branches, loops, `match` and `try`: each arm is analyzed in a state of its own; the states are joined."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from jaxlint.analysis.advancing import advance
from jaxlint.analysis.conditions.asked_tracers import ask_anew, asked_too
from jaxlint.analysis.consumption import spent_in
from jaxlint.analysis.core import DOUBT, Core
from jaxlint.analysis.draws.retries import catches, changed_by, exception_names, is_decided_by
from jaxlint.analysis.events import Loop, Test
from jaxlint.analysis.expected_errors import asked_by, run_for_error, wants_error
from jaxlint.analysis.feature_guards import EXPECTED, MISSING, FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Raised, Vars
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.joined_states import merge
from jaxlint.domain.join import Tuple, level_of, options_of
from jaxlint.domain.objects import Class
from jaxlint.domain.values import (
    ANY,
    UNKNOWN,
    Const,
    External,
    FeatureProbe,
    OneOf,
    Product,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.domain.widening import widen
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.storing import Storing
from jaxlint.ir.finding import AT_ONCE
from jaxlint.ir.limits import LENGTH, REACHED
from jaxlint.ir.loop_carried import Turns, statements
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.mentions import takes_keys
from jaxlint.ir.nodes import (
    OPAQUE,
    AssignStmt,
    AttrExpr,
    BreakStmt,
    ConstExpr,
    ContinueStmt,
    Expr,
    ExprStmt,
    ForStmt,
    FromStmt,
    Handler,
    ImportStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    Stmt,
    TryStmt,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.places import always_raises
from jaxlint.ir.walks import calls_of, last_name, nid_of, nodes_of


class ControlFlow:
    """Analyzes statements that run others, or not, or often."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        freshness: FunctionFreshness,
        expressions: Expressions,
        keys: Keys,
        attributes: Attributes,
        narrowing: Narrowing,
        assignments: Assignment,
        storing: Storing,
        interpreter: Interpreter,
    ) -> None:
        self.storing = storing
        self.flow = flow
        self.core = core
        self.guards = guards
        self.freshness = freshness
        self.expressions = expressions
        self.keys = keys
        self.attributes = attributes
        self.narrowing = narrowing
        self.assignments = assignments
        self.interpreter = interpreter
        self._broke = False

    # ---- loops

    def s_for(self, node: ForStmt) -> bool:
        nid, target, body, orelse = node.nid, node.target, node.body, node.orelse
        iterable = self.interpreter.containers.iterator_of(self.expressions.eval(node.iterable), nid)
        values, exact = self.keys.turns(iterable, nid)
        if type(iterable) is TracerPytree and takes_keys(target, node.iterable, body):
            values = [ANY for _ in values]
        if exact and not values:
            return self.interpreter.statements.run_block(orelse)
        count = self.turn_count(iterable)
        certain = exact or (count is not None and count > 0)

        def head(value: Value, number: int) -> Callable[[], bool]:
            def take() -> bool:
                if number:
                    advance(self.storing.staleness, frame, node.iterable, nid)
                self.interpreter.keys.begin_turn(value)
                self.assignments.assign(target, value, nid)
                return True

            return take

        if count == 1:
            values = values[:1]
        elif exact and len(values) > 2 and len(body) > LENGTH.most:
            REACHED[LENGTH.name] += 1
            values = [self.interpreter.containers.iterate(iterable, nid, turn) for turn in (0, 1)]
        frame = self.flow.frame
        before, returns = frame.operations, len(frame.returns)
        turns = frame.turns
        frame.turns = (*turns, Turns(count, body, target, node.iterable))
        heads = [head(value, number) for number, value in enumerate(values)]
        differ = self.keys.comprehensions.entered(iterable) is not None
        flows = self.loop(nid, heads, body, orelse, certain, exact, None, differ)
        frame.turns = turns
        if "For" in self.core.hooks:
            left = self._broke or len(frame.returns) > returns
            added = frame.operations - before
            self.core.emit("For", Loop(nid_of(node.iterable, nid), frame, iterable, count, added, left))
        return flows

    def turn_count(self, iterable: Value) -> int | None:
        """How often a loop over this runs, where that is known."""
        items = self.expressions.known_items(iterable)
        if items is not None:
            return len(items)
        if isinstance(iterable, Product) and iterable.kind == "iterator" and iterable.parts[1] is not None:
            return len(iterable.parts[1])
        if isinstance(iterable, Product) and iterable.kind == "range":
            count: int | None = iterable.parts[0]
            return count
        return None

    def s_while(self, node: WhileStmt) -> bool:
        nid, test, body, orelse = node.nid, node.test, node.body, node.orelse
        forever = False

        def ask() -> bool | None:
            nonlocal forever
            value = self.attributes.asked(self.expressions.eval(test), nid_of(test, nid))
            if level_of(value):
                self.core.emit("While", Test(nid_of(test, nid), self.flow.frame, value, "while"))
            truth = self.interpreter.calls.truth(value)
            forever = truth is True and isinstance(test, ConstExpr)
            return truth

        def enter(truth: bool | None) -> bool:
            if truth is False:
                return False
            self.narrowing.narrow(test, True)
            return True

        first = ask()
        heads = [lambda: enter(first), lambda: enter(ask())]
        frame = self.flow.frame
        turns = frame.turns
        frame.turns = (*turns, Turns(None, body))
        flows = self.loop(nid, heads, body, orelse, first is True, False, test)
        frame.turns = turns
        if forever and not self._broke:
            return False
        return flows

    def loop(
        self,
        nid: int,
        heads: Sequence[Callable[[], bool]],
        body: Sequence[Stmt],
        orelse: Sequence[Stmt],
        certain: bool,
        exact: bool,
        test: Expr | None = None,
        differ: bool = False,
    ) -> bool:
        """Analyzes a loop turn by turn. A constant that a turn changes is widened before the next,
        so that the last turn stands for all that follow. Where each turn is analyzed, and none is left early,
        they are statements that follow one another. `differ`: the turns are not alike."""
        frame, env = self.flow.frame, self.flow.env
        outer_block, own_block = self.flow.block, self.core.new_block()
        if not exact or any(isinstance(each, (BreakStmt, ContinueStmt)) for each in nodes_of(body)):
            self.flow.block = own_block
        start = env.vars
        exits: list[Vars] = [] if certain else [dict(start)]
        breaks, continues, unrolled = frame.breaks, frame.continues, frame.unrolled
        broken: list[Vars] = []
        frame.breaks = (*breaks, broken)
        frame.loop += 1
        state: Vars | None = dict(start)
        returned, asked = len(frame.returns), ask_anew(frame)
        iterations, tests, rounds = frame.iterations, len(self.flow.tests), len(self.flow.rounds)
        for number, head in enumerate(heads):
            frame.iterations = (*iterations, (own_block, number))
            frame.unrolled = (*unrolled, number) if exact else unrolled
            self.flow.rounds[rounds:] = [((self.flow.module, nid), "loop", number)]
            assert state is not None
            before, traces = state, self.storing.staleness.trace_cache.traces
            env.vars = dict(state)
            ends: list[Vars] = []
            frame.continues = (*continues, ends)
            if number and not exact:
                env.vars = {name: widen(start.get(name, value), value) for name, value in env.vars.items()}
                before = env.vars
            if not head():
                if number == 0:
                    exits.append(env.vars)
                break
            flows = self.interpreter.statements.run_block(body)
            del self.flow.tests[tests:]
            live = [*ends, env.vars] if flows else ends
            if not live:
                state = None
                break
            state = merge(live, self.core.fresh)
            if not exact or number == len(heads) - 1:
                exits.append(state)
            is_settled = before == state and traces is self.storing.staleness.trace_cache.traces
            if not (exact or differ or number) and is_settled:
                break
        frame.iterations, frame.unrolled = iterations, unrolled
        frame.breaks, frame.continues = breaks, continues
        del self.flow.rounds[rounds:]
        frame.loop -= 1
        self._broke = bool(broken)
        self.flow.block = outer_block
        results: list[Vars] = list(broken)
        if exits:
            unrun = None if certain else Const(nid)
            env.vars = self._joined(exits, unrun, state, body, len(frame.returns) > returned)
            if self._run_else(test, orelse):
                results.append(env.vars)
        asked_too(frame, asked)
        env.vars = merge(results, self.core.fresh) if results else start
        return bool(results)

    def _joined(
        self, exits: Sequence[Vars], unrun: Value | None, last: Vars | None, body: Sequence[Stmt], left: bool
    ) -> Vars:
        """The variables behind a loop, as its last turn left them. Where it asks if something is a tracer,
        it is in doubt that no turn is run (`unrun` says so), and that none leaves the function."""
        if self.flow.frame.sees_tracer and unrun is not None:
            exits[0][DOUBT] = unrun
        found = merge(exits, self.core.fresh)
        if self.flow.frame.doubts_tracer and last is not None and DOUBT in last:
            if left or any(isinstance(each, RaiseStmt) for each in nodes_of(body)):
                found[DOUBT] = last[DOUBT]
        return found

    def _run_else(self, test: Expr | None, orelse: Sequence[Stmt]) -> bool:
        """Analyzes what follows the last turn of a loop; whether the program goes on behind that."""
        if test is not None:
            self.narrowing.narrow(test, False)
        return self.interpreter.statements.run_block(orelse)

    # ---- try, with

    def s_try(self, node: TryStmt) -> bool:
        exits = [each[-1] for each in (self.flow.frame.breaks, self.flow.frame.continues) if each]
        before = [len(each) for each in exits]
        flows = self._try(node)
        if node.final:  # what leaves the loop around it passes it too
            goes_on = self.flow.env.vars
            for states, count in zip(exits, before, strict=True):
                left = states[count:]
                del states[count:]
                if left:
                    self.flow.env.vars = merge(left, self.core.fresh)
                    if self.interpreter.statements.run_block(node.final):
                        states.append(self.flow.env.vars)
            self.flow.env.vars = goes_on
        return flows

    def _expected_by(self, handler: Handler) -> Collection[str]:
        """The errors after which a handler lets the program go on. One that raises in their place expects at
        most that a name is missing."""
        names = {*exception_names(handler.kind)}
        for each in handler.kind.items if isinstance(handler.kind, TupleExpr) else (handler.kind,):
            if isinstance(each, (NameExpr, AttrExpr)):
                value = self.narrowing.looked_up(each)
                is_class = isinstance(value, Unknown) and each.name[:1].isupper() and not each.name.isupper()
                names.update(() if is_class else _errors_in(value))  # one that is imported from elsewhere
        return MISSING & names if always_raises(handler.body) else names

    def _try(self, node: TryStmt) -> bool:
        body, handlers, orelse, final = node.body, node.handlers, node.orelse, node.final
        start = dict(self.flow.env.vars)
        caught = frozenset(name for each in handlers for name in self._expected_by(each))
        outer = self.flow.frame.caught
        self.flow.frame.caught = (*outer, caught)
        block = self.flow.block
        context = self.flow.context
        probing = self.flow.probing
        if not context.quiet and (caught & _TRACER_ERRORS or self._is_wanted(node)):
            self.interpreter.statements.set_context(context.expecting())
            self.flow.probing = self.flow.frame
        tried = self.flow.tried
        if handlers and (checked := run_for_error(body)) is not None:
            self.flow.tried = (self.flow.module, checked.nid)
        self.flow.frame.raised, raised = (*self.flow.frame.raised, []), self.flow.frame.raised
        flows = self.interpreter.statements.run_block(body)
        errors = self.flow.frame.raised[-1]
        self.flow.frame.raised = raised
        self.flow.tried = tried
        self.flow.probing = probing
        self.interpreter.statements.set_context(context)
        self.flow.frame.caught = outer
        after = self.flow.env.vars
        live: list[Vars] = []
        if flows:
            if self.interpreter.statements.run_block(orelse):
                live.append(self.flow.env.vars)
        asking, through = not caught.isdisjoint(MISSING), bool(live)
        middle = merge([start, after]) if after is not start else start
        missing = bool(handlers) and (self.never_fails(body) or self._only_solves(body))
        for each in handlers:
            if missing or (_is_for_modules(each) and self.has_modules(body)):
                continue
            self.flow.env.vars = dict(middle)
            self.freshness.forget_calls(start)
            self._find_spent(start, body, each, errors)
            self.flow.block = self.core.new_block()
            if each.kind is not None:
                self.expressions.eval(each.kind)
            if each.name is not None:
                self.flow.env.vars[each.name] = UNKNOWN
            guard = not EXPECTED.isdisjoint(exception_names(each.kind)) or asking
            self.flow.guards += guard
            held = len(self.flow.tests)
            # that there was an error, and which attribute there is not
            asked = asked_by(body) if "AttributeError" in exception_names(each.kind) else None
            depth = len(self.flow.frame.iterations)
            self.flow.tests.append(Held(OPAQUE, True, depth) if asked is None else Held(asked, False, depth))
            if self.interpreter.statements.run_block(each.body):
                live.append(self.flow.env.vars)
            del self.flow.tests[held:]
            self.flow.guards -= guard
        self.flow.block = block
        if not live:
            self.flow.env.vars = middle
            self.interpreter.statements.run_block(final)
            return False
        self.flow.env.vars = merge(live, self.core.fresh)
        if asking:
            self._answered(start)
            if not through:
                self.guards.leave_arm("name", ())
        return self.interpreter.statements.run_block(final)

    def _is_wanted(self, node: TryStmt) -> bool:
        func = self.flow.frame.func
        return wants_error(node, self.flow.module.program.body if func is None else func.code)

    def _find_spent(
        self, start: Vars, body: Sequence[Stmt], handler: Handler, errors: Sequence[Raised]
    ) -> None:
        """The keys that are spent where a handler begins. What a body draws before an error may not be seen,
        unless that is what it looks at where it raises the error."""
        self.flow.env.vars.pop("$spent", None)
        if "$spent" in start:
            self.flow.env.vars["$spent"] = start["$spent"]
        caught = [each for each in errors if catches(handler, each[0])]
        changed = changed_by(body, handler, self.flow.frame.turns) if caught else ()
        spent = spent_in(start)
        for statement, state in caught:
            for token, uses in state.since(spent).items():
                known = spent.uses(token)
                seen = [
                    each
                    for each in uses
                    if each not in known
                    and each.module is self.flow.module
                    and is_decided_by(body, each.nid, statement, changed)
                ]
                if seen:
                    spent = spent.plus(token, (*known, *seen))
                    self.flow.env.vars["$spent"] = Product("spent", spent)

    def _answered(self, start: Vars) -> None:
        """After a `try` that asks for what is missing: constants that say which way it went."""
        for name, value in self.flow.env.vars.items():
            if isinstance(value, OneOf) and isinstance(name, str) and start.get(name) is not value:
                if all(isinstance(each, Const) for each in value.options):
                    self.flow.env.vars[name] = FeatureProbe("any", "name")
                    if ("late", name) in self.flow.env.vars:
                        self.flow.env.vars["late", name] = FeatureProbe("any", "name")

    def never_fails(self, body: Sequence[Stmt]) -> bool:
        """Whether a try body only imports JAX and modules of the project, and names what is there."""
        for statement in body:
            if _imports_jax(statement):
                continue
            if isinstance(statement, AssignStmt):
                value = statement.value
                is_there = isinstance(value, ConstExpr) or (
                    isinstance(value, NameExpr) and value.name in self.flow.home_of(value.name).vars
                )
                if is_there and all(isinstance(each, NameExpr) for each in statement.targets):
                    continue
            if not self._imports_own(statement):
                return False
        return True

    def _only_solves(self, body: Sequence[Stmt]) -> bool:
        """Whether a try body in a trace only calls functions of JAX, linear algebra among them: that gives
        nan where NumPy raises."""
        if not self.flow.context.staged or any(
            not isinstance(each, (AssignStmt, ExprStmt, ReturnStmt)) for each in body
        ):
            return False
        called = [self._name_of(call.func) for call in calls_of(body)]
        return any(".linalg." in name for name in called) and all(name.startswith("jax.") for name in called)

    def _name_of(self, node: Expr) -> str:
        """The name of what a library defines, as a function of it is written; empty for anything else."""
        if isinstance(node, AttrExpr):
            owner = self._name_of(node.value)
            return f"{owner}.{node.name}" if owner else ""
        if not isinstance(node, NameExpr):
            return ""
        value = self.flow.home_of(node.name).vars.get(node.name)
        return value.name if isinstance(value, External) else ""

    def _imports_own(self, statement: Stmt) -> bool:
        """Whether a statement imports of a module of the project."""
        if not isinstance(statement, FromStmt):
            return False
        return self.core.world.find(statement.module, self.flow.module, statement.level) is not None

    def has_modules(self, body: Sequence[Stmt]) -> bool:
        """Whether a try body imports something, and nothing but JAX and modules of the project."""
        imports = [each for each in statements(body) if isinstance(each, (ImportStmt, FromStmt))]
        loads = any(last_name(call.func) in _LOADS for call in calls_of(body))
        return (
            bool(imports)
            and not loads
            and all(_imports_jax(each) or self._imports_own(each) for each in imports)
        )


_NAMES = (
    "Array block_until_ready checkpoint custom_jvp custom_vjp device_get device_put devices eval_shape grad "
    "hessian jacfwd jacrev jit jvp lax nn numpy pmap random scipy tree_util value_and_grad vjp vmap"
).split()
_OF_JAX = frozenset(("jax", *(f"jax.{name}" for name in _NAMES)))
"""What each version of JAX has: a program that is linted for it runs where it is installed."""

_NO_MODULE = MISSING - {"AttributeError"}
# a handler that names one of these shows that the error is expected
_TRACER_ERRORS = AT_ONCE | {"UnexpectedTracerError", "KeyReuseError", "JAXTypeError", "JAXIndexError"}


# functions that import a module by its name
_LOADS = frozenset("import_module __import__ find_spec importorskip reload exec eval".split())


def _is_for_modules(handler: Handler) -> bool:
    """Whether a handler catches no more than that there is no such module."""
    return _NO_MODULE.issuperset(exception_names(handler.kind))


def _imports_jax(statement: Stmt) -> bool:
    if isinstance(statement, ImportStmt):
        return all(name in _OF_JAX for _, name, _ in statement.items)
    if not isinstance(statement, FromStmt) or statement.items is None:
        return False
    is_of_jax = statement.module == "jax" and not statement.level
    return is_of_jax and all(f"jax.{name}" in _OF_JAX for _, name, _ in statement.items)


def _errors_in(value: Value) -> Iterator[str]:
    """The names of the errors that a value says are caught: what is not known may be any."""
    for each in options_of(value):
        if isinstance(each, Tuple):
            yield from _errors_in(each.each())
        elif isinstance(each, External):
            yield each.name.rpartition(".")[2]
        elif isinstance(each, Class):
            yield each.code.name
        else:
            yield "Exception"
