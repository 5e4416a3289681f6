"""Branches, loops, `match` and `try`: each arm is analyzed in a state of its own; the states are joined."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from jaxlint.analysis import value_partitions
from jaxlint.analysis.core import AT_ONCE, DOUBT, Core
from jaxlint.analysis.events import Loop, Test
from jaxlint.analysis.feature_guards import EXPECTED, MISSING, FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_cache import meet
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.consumed_keys import merged
from jaxlint.domain.join import MutableContainer, Tuple, given_or_default, join, level_of, one_key, widen
from jaxlint.domain.objects import Key
from jaxlint.domain.questions import asks, may_lack
from jaxlint.domain.values import UNKNOWN, Array, Const, FeatureProbe, OneOf, Product, Unknown, Value
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions, nid_of
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.operators import Operators
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.lowering import Expr, Stmt


class ControlFlow:
    """Analyzes statements that run others, or not, or often."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        expressions: Expressions,
        keys: Keys,
        operators: Operators,
        attributes: Attributes,
        narrowing: Narrowing,
        assignments: Assignment,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.expressions = expressions
        self.keys = keys
        self.operators = operators
        self.attributes = attributes
        self.narrowing = narrowing
        self.assignments = assignments
        self.interpreter = interpreter
        self._broke = False

    # ---- assignment

    def answered(self, test: Expr) -> bool | None:
        """What a simple test gives that an enclosing one, or the caller's, has answered."""
        if not self.flow.conditions and not self.flow.context.assumed:
            return None
        text, sense = value_partitions.test_text(test)
        for known in (self.flow.context.assumed, self.flow.conditions):
            for truth in (True, False):
                if text and (text, truth) in known:
                    return truth == sense
        return None

    # ---- branches

    def branch(self, parts: Sequence[Callable[[], bool]]) -> bool:
        """Analyzes alternatives from the same state and merges what flows on."""
        start = self.flow.env.vars
        block = self.flow.block
        live: list[Vars] = []
        trace_cache, ends = self.staleness.trace_cache, []
        for part in parts:
            self.flow.env.vars = dict(start)
            self.flow.block = self.core.new_block()
            self.staleness.trace_cache = trace_cache.copy()
            if part():
                live.append(self.flow.env.vars)
                ends.append(self.staleness.trace_cache)
        self.flow.block = block
        if not live:
            self.flow.env.vars, self.staleness.trace_cache = start, trace_cache
            return False
        self.flow.env.vars, self.staleness.trace_cache = merge(live, self.core.fresh), meet(ends)
        return True

    def s_if(self, node: Stmt) -> bool:
        _, nid, test, body, orelse = node
        value = self.attributes.asked(self.expressions.eval(test), nid_of(test, nid), "If")
        if level_of(value):
            self.core.emit("If", Test(nid_of(test, nid), self.flow.frame, value, "if"))
        truth = self.interpreter.calls.truth(value)
        if truth is None:
            truth = self.answered(test)
        if truth is not None:
            self.narrowing.narrow(test, truth)
            return self.interpreter.statements.run_block(body if truth else orelse)
        how = asks(value) or ("name" if may_lack(value) else "")
        left, doubts = [], [self.flow.env.vars.get(DOUBT)]
        stays: list[Held] = []  # what holds after an arm was left
        above: list[bool] = []  # whether the arm was one for newer versions of JAX
        ends: list[tuple[Sequence[value_partitions.Fact], Vars]] = []

        def take(truth: bool, arm: Any) -> bool:
            if not self.narrowing.assume(test, truth):
                return False
            doubts.append(self.flow.env.vars.get(DOUBT))
            self.flow.guards += bool(how)
            floors, floor = self.flow.floors, _floor(value, truth)
            self.flow.floors += floor
            facts, before = value_partitions.facts_of(test, truth), len(self.flow.conditions)
            value_partitions.recall(self.flow.env.vars, facts)
            self.flow.conditions.extend(facts)
            held = len(self.flow.tests)
            self.flow.tests.append(Held(test, truth, len(self.flow.frame.iterations)))
            flows = self.interpreter.statements.run_block(arm)
            del self.flow.conditions[before:], self.flow.tests[held:]
            self.flow.guards -= bool(how)
            self.flow.floors = floors
            if flows:
                ends.append((facts, self.flow.env.vars))
            else:
                left.append(arm)
                above.append(bool(floor))
                stays.append(Held(test, not truth, len(self.flow.frame.iterations)))
            return flows

        flows = self.branch((lambda: take(True, body), lambda: take(False, orelse)))
        if len(ends) > 1:
            value_partitions.remember(self.flow.env.vars, ends)
        if not left and len(doubts) == 3 and doubts[0] is None and doubts[1] == doubts[2]:
            if doubts[1] is not None and self.flow.env.vars.get(DOUBT) == doubts[1]:
                del self.flow.env.vars[DOUBT]  # one of the two ways was taken, and both lead here
        if flows:
            self.flow.tests += stays
        if how and flows and left:
            self.guards.leave_arm(how, left[0], above[0])
        return flows

    def s_match(self, node: Stmt) -> bool:
        _, nid, subject_node, cases = node
        subject = self.expressions.eval(subject_node)
        parts = []
        total = False
        for case_nid, pattern, guard, body in cases:
            verdict = self.pattern_truth(pattern, subject, nid)
            if verdict is False:
                continue
            parts.append(self._case(case_nid, pattern, guard, body, subject, nid, subject_node))
            if guard is None and (verdict is True or pattern[0] == "capture" and pattern[2] is None):
                total = True
                break
        if not total:
            parts.append(lambda: True)
        return self.branch(parts)

    def _case(
        self, nid: int, pattern: Any, guard: Expr | None, body: Any, subject: Value, match: int, of: Expr
    ) -> Callable[[], bool]:
        def run() -> bool:
            before = len(self.flow.tests)
            if pattern[0] == "value":
                equal = ("cmp", nid, of, (("==", pattern[2]),))
                self.flow.tests.append(Held(equal, True, len(self.flow.frame.iterations)))
            flows = take()
            del self.flow.tests[before:]
            return flows

        def take() -> bool:
            self.bind_pattern(pattern, subject, nid)
            if guard is not None:
                value = self.expressions.eval(guard)
                self.core.emit("MatchCase", Test(nid_of(guard, nid), self.flow.frame, value, "guard"))
                if self.interpreter.calls.truth(value) is False:
                    return False
                self.narrowing.narrow(guard, True)
            return self.interpreter.statements.run_block(body)

        return run

    def pattern_truth(self, pattern: Any, subject: Value, nid: int) -> bool | None:
        if pattern[0] == "value":
            value = self.expressions.eval(pattern[2])
            result = self.operators.compare("==", subject, value, pattern[1])
            if isinstance(subject, Array) and isinstance(result, Array):
                self.core.emit("MatchCase", Test(pattern[1], self.flow.frame, result, "guard"))
            return self.interpreter.calls.truth(result)
        if pattern[0] == "capture" and pattern[2] is None:
            return True
        if pattern[0] == "or":
            verdicts = [self.pattern_truth(each, subject, nid) for each in pattern[1]]
            if any(verdict is True for verdict in verdicts):
                return True
            return False if all(verdict is False for verdict in verdicts) else None
        return None

    def bind_pattern(self, pattern: Any, subject: Value, nid: int) -> None:
        kind = pattern[0]
        if kind == "capture":
            if pattern[2] is not None:
                self.bind_pattern(pattern[2], subject, nid)
            if pattern[1] is not None:
                self.assignments.bind(pattern[1], subject, nid)
        elif kind == "sequence":
            for position, each in enumerate(pattern[1]):
                if each[0] == "star":
                    if each[1] is not None:
                        self.assignments.bind(
                            each[1], Tuple(None, self.interpreter.containers.iterate(subject, nid)), nid
                        )
                else:
                    self.bind_pattern(each, self.assignments.element(subject, position, nid), nid)
        elif kind in ("mapping", "instance"):
            for place, each in enumerate(pattern[1] if kind == "mapping" else pattern[2]):
                held: Value = UNKNOWN
                if kind == "mapping" and isinstance(subject, MutableContainer) and subject.kind == "dict":
                    key = self.expressions.eval(pattern[3][place])
                    held = (
                        self.interpreter.containers.subscript(subject, key, nid)
                        if isinstance(key, Const)
                        else UNKNOWN
                    )
                self.bind_pattern(each, held, nid)
        elif kind == "or":
            for each in pattern[1]:
                self.bind_pattern(each, subject, nid)

    # ---- loops

    def s_for(self, node: Stmt) -> bool:
        _, nid, target, iterable_node, body, orelse = node
        iterable = self.expressions.eval(iterable_node)
        values, exact = self.keys.turns(iterable, nid)
        if exact and not values:
            return self.interpreter.statements.run_block(orelse)
        count = self.turn_count(iterable)
        certain = exact or (count is not None and count > 0)

        def head(value: Value) -> Callable[[], bool]:
            def take() -> bool:
                self.assignments.assign(target, value, nid)
                return True

            return take

        if count == 1:
            values = values[:1]
        elif exact and len(values) > 2 and len(body) > 12:
            values = [
                self.interpreter.containers.iterate(iterable, nid),
                self.interpreter.containers.iterate(iterable, nid),
            ]
        frame = self.flow.frame
        before, returns = frame.operations, len(frame.returns)
        turns = frame.turns
        frame.turns = (*turns, Turns(count, body, target))
        flows = self.loop(nid, [head(value) for value in values], body, orelse, certain, exact)
        frame.turns = turns
        if "For" in self.core.hooks:
            left = self._broke or len(frame.returns) > returns
            added = frame.operations - before
            self.core.emit("For", Loop(nid_of(iterable_node, nid), frame, iterable, count, added, left))
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

    def s_while(self, node: Stmt) -> bool:
        _, nid, test, body, orelse = node
        forever = False

        def ask() -> bool | None:
            nonlocal forever
            value = self.attributes.asked(self.expressions.eval(test), nid_of(test, nid))
            if level_of(value):
                self.core.emit("While", Test(nid_of(test, nid), self.flow.frame, value, "while"))
            truth = self.interpreter.calls.truth(value)
            forever = truth is True and test[0] == "const"
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
        body: Any,
        orelse: Any,
        certain: bool,
        exact: bool,
        test: Expr | None = None,
    ) -> bool:
        """Analyzes a loop turn by turn. A constant that a turn changes is widened before the next,
        so that the last turn stands for all that follow."""
        frame = self.flow.frame
        env = self.flow.env
        outer_block = self.flow.block
        self.flow.block = self.core.new_block()
        start = env.vars
        exits: list[Vars] = [] if certain else [dict(start)]
        breaks, continues = frame.breaks, frame.continues
        broken: list[Vars] = []
        frame.breaks = (*breaks, broken)
        frame.loop += 1
        state: Vars | None = dict(start)
        iterations, tests, rounds = frame.iterations, len(self.flow.tests), len(self.flow.rounds)
        for number, head in enumerate(heads):
            frame.iterations = (*iterations, (self.flow.block, number))
            self.flow.rounds[rounds:] = [((self.flow.module, nid), "loop", number)]
            assert state is not None
            before = state
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
            if not exact and not number and before == state:
                break
        frame.iterations = iterations
        del self.flow.rounds[rounds:]
        frame.loop -= 1
        frame.breaks, frame.continues = breaks, continues
        self._broke = bool(broken)
        self.flow.block = outer_block
        results: list[Vars] = list(broken)
        if exits:
            env.vars = merge(exits, self.core.fresh)
            if test is not None:
                self.narrowing.narrow(test, False)
            if self.interpreter.statements.run_block(orelse):
                results.append(env.vars)
        env.vars = merge(results, self.core.fresh) if results else start
        return bool(results)

    # ---- try, with

    def s_try(self, node: Stmt) -> bool:
        _, nid, body, handlers, orelse, final = node
        start = dict(self.flow.env.vars)
        caught = frozenset(
            name for kind, _, _ in handlers for name in (_exception_names(kind) or ("Exception",))
        )
        outer = self.flow.frame.caught
        self.flow.frame.caught = (*outer, caught)
        block = self.flow.block
        context = self.flow.context
        probing = self.flow.probing
        if caught & _TRACER_ERRORS and not context.quiet:
            self.interpreter.statements.set_context(context._replace(quiet=True))
            self.flow.probing = self.flow.frame
        flows = self.interpreter.statements.run_block(body)
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
        missing = bool(handlers) and self.never_fails(body)
        for kind, name, handler in handlers:
            if missing:
                continue
            self.flow.env.vars = dict(middle)
            self.freshness.forget_calls(start)
            self.flow.env.vars.pop("$spent", None)
            if "$spent" in start:
                self.flow.env.vars["$spent"] = start["$spent"]
            self.flow.block = self.core.new_block()
            if kind is not None:
                self.expressions.eval(kind)
            if name is not None:
                self.flow.env.vars[name] = UNKNOWN
            guard = not EXPECTED.isdisjoint(_exception_names(kind) or ("Exception",)) or asking
            self.flow.guards += guard
            held = len(self.flow.tests)
            self.flow.tests.append(
                Held(("opaque",), True, len(self.flow.frame.iterations))
            )  # that there was an error
            if self.interpreter.statements.run_block(handler):
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

    def _answered(self, start: Vars) -> None:
        """After a `try` that asks for what is missing: constants that say which way it went."""
        for name, value in self.flow.env.vars.items():
            if isinstance(value, OneOf) and isinstance(name, str) and start.get(name) is not value:
                if all(isinstance(each, Const) for each in value.options):
                    self.flow.env.vars[name] = FeatureProbe("any", "name")
                    if ("late", name) in self.flow.env.vars:
                        self.flow.env.vars["late", name] = FeatureProbe("any", "name")

    def never_fails(self, body: Any) -> bool:
        """Whether a try body only imports modules of the project that exist, and names what is there."""
        for statement in body:
            if statement[0] == "assign" and all(each[0] == "name" for each in statement[2]):
                if statement[3][0] == "const" or (
                    statement[3][0] == "name"
                    and statement[3][2] in self.assignments.home_of(statement[3][2]).vars
                ):
                    continue
            if (
                statement[0] != "from"
                or self.core.world.find(statement[3], self.flow.module, statement[2]) is None
            ):
                return False
        return True


# a handler that names one of these shows that the error is expected
_TRACER_ERRORS = AT_ONCE | {"UnexpectedTracerError", "KeyReuseError"}
# marks that hold after a branch where they held after one of its arms
_KEPT = frozenset(("late", "static", "called"))


def merge(states: Sequence[Vars], fresh: Callable[[], Hashable] | None = None) -> Vars:
    """The variables where several paths meet. A variable that holds another key on each of them holds one
    key from here on: it gets an identity of its own."""
    if len(states) == 1:
        return states[0]
    first = states[0]
    for other in states[1:]:
        mine_of = first.get
        changed = [(name, value) for name, value in other.items() if mine_of(name) is not value]
        left = len(first) - len(other)  # and the names that only `other` has: those that only `first` has
        if not changed and not left:
            continue
        result = dict(first)
        for name, value in changed:
            mine = mine_of(name)
            left += mine is None
            if name == "$spent":
                result[name] = value if mine is None else _merge_spent(mine, value)
            elif name == value_partitions.MARK:
                if mine is not None:
                    result[name] = value_partitions.common(mine, value)
            elif mine is None:
                if not isinstance(name, tuple) or name[0] in _KEPT:
                    result[name] = value
                elif name[0] == "@" and isinstance(value, (Key, Unknown)):
                    result[name] = UNKNOWN
            else:
                result[name] = join(mine, value)
                if fresh is not None and type(name) is str and mine != value:
                    given = given_or_default(mine, first, value, other)
                    result[name] = given or one_key(mine, value, result[name], fresh)
        for name in [name for name in first if name not in other] if left else ():
            if isinstance(name, tuple) and name[0] not in _KEPT:
                if name[0] == "@" and isinstance(first[name], (Key, Unknown)):
                    result[name] = UNKNOWN  # the key that was there, or another one
                else:
                    result.pop(name, None)
        if value_partitions.MARK in first and value_partitions.MARK not in other:
            del result[value_partitions.MARK]
        first = result
    return first


def _floor(value: Value, truth: bool) -> tuple[tuple[int, ...], ...]:
    """What version JAX has at least where a test has this answer."""
    return (value.floor,) if isinstance(value, FeatureProbe) and value.floor and value.sense == truth else ()


def _merge_spent(a: Value, b: Value) -> Value:
    assert isinstance(a, Product) and isinstance(b, Product)
    return Product("spent", merged(a.parts[0], b.parts[0]))


def _exception_names(node: Expr | None) -> tuple[str, ...]:
    """The last parts of the names in an `except` clause."""
    if node is None:
        return ()
    if node[0] == "name":
        return (node[2],)
    if node[0] == "attr":
        return (node[3],)
    if node[0] == "tuple":
        return tuple(name for each in node[1] for name in _exception_names(each))
    return ("?",)
