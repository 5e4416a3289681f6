"""Branches: each arm is analyzed in a state of its own, and the states are joined."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from jaxlint.analysis.conditions import held_facts, value_partitions
from jaxlint.analysis.conditions.asked_tracers import ask_anew, asked_too
from jaxlint.analysis.consumption import spent_in
from jaxlint.analysis.core import DOUBT, Core
from jaxlint.analysis.events import Test
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.joined_states import merge
from jaxlint.analysis.trace_cache import meet
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.facts import NO_FACT, Fact, facts_of
from jaxlint.domain.join import MutableContainer, Tuple, join_all, level_of, options_of
from jaxlint.domain.objects import Class, Instance, Key
from jaxlint.domain.questions import asks, constants, may_lack
from jaxlint.domain.values import NONE, UNKNOWN, Array, Const, External, FeatureProbe, Unknown, Value
from jaxlint.evaluation.assignment import Assignment
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.comparisons import Comparisons
from jaxlint.evaluation.definitions import computed_by
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.loop_guards import Held, answer_later, has_remainder
from jaxlint.ir.mentions import absent_by
from jaxlint.ir.nodes import (
    FALSE,
    AssertStmt,
    AttrExpr,
    CapturePattern,
    Case,
    ClassPattern,
    CompareExpr,
    ConstExpr,
    Expr,
    IfStmt,
    MappingPattern,
    MatchStmt,
    NameExpr,
    OrPattern,
    Pattern,
    RaiseStmt,
    SequencePattern,
    StarPattern,
    Stmt,
    UnaryExpr,
    ValuePattern,
)
from jaxlint.ir.walks import nid_of, substituted

_MATCHED = frozenset(("dataclass", "namedtuple"))


def _floor(value: Value, truth: bool) -> tuple[tuple[int, ...], ...]:
    """What version JAX has at least where a test has this answer."""
    return (value.floor,) if isinstance(value, FeatureProbe) and value.floor and value.sense == truth else ()


def _with_jax(one: Vars, other: Vars) -> list[Vars]:
    """The variables of a module where one alternative does without JAX what the other does with it, under the
    same names: as they are with JAX, for what is traced elsewhere is traced with all of them."""
    common = [name for name in one.keys() & other.keys() if one[name] != other[name]]
    first, second = (any(_is_of_jax(each[name]) for name in common) for each in (one, other))
    mixed = any(_is_of_jax(one[name]) and _is_of_jax(other[name]) for name in common)
    if mixed or first == second:
        return [one, other]
    kept, dropped = (one, other) if first else (other, one)
    return [kept, {**dropped, **{name: kept[name] for name in common}}]


def _narrowed(before: Vars, after: Vars) -> Vars:
    """The variables of which nothing was known but where they come from, as a test shows them to be."""
    return {
        name: value
        for name, value in after.items()
        if type(name) is str and before.get(name) is not value and type(before.get(name)) is Unknown
    }


def _take_back(joined: Vars, start: Vars, shown: Sequence[Vars], ends: Sequence[Vars]) -> None:
    """Behind two arms of which neither has set a variable it is what it was before a test has shown more."""
    for name in set().union(*shown):
        if all(end.get(name) is arm.get(name, start[name]) for arm, end in zip(shown, ends, strict=True)):
            joined[name] = start[name]


def _in_turns(test: Expr) -> Sequence[Sequence[Fact]]:
    """What holds in the turns of a loop in which a test says yes, and in those in which it says no; nothing
    where it does not look as if it said both."""
    return (facts_of(test, True), facts_of(test, False)) if has_remainder(test) else ()


def _flags(arm: Sequence[Stmt]) -> Iterator[tuple[str, bool]]:
    """The variables that an arm sets to constants, and the truth of these."""
    for targets, value in assignments(arm):
        if isinstance(value, ConstExpr):
            yield from ((each.name, bool(value.value)) for each in targets if isinstance(each, NameExpr))


def _is_of_jax(value: Value) -> bool:
    return isinstance(value, External) and value.name.partition(".")[0] == "jax"


class Branches:
    """Analyzes `if`, `match`, `assert` and `raise`."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        expressions: Expressions,
        attributes: Attributes,
        narrowing: Narrowing,
        assignments: Assignment,
        comparisons: Comparisons,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.expressions = expressions
        self.attributes = attributes
        self.narrowing = narrowing
        self.assignments = assignments
        self.comparisons = comparisons
        self.interpreter = interpreter

    def _resolved(self, test: Expr) -> Expr:
        """A test with what a property of an object computes in the place of the property."""
        if isinstance(test, UnaryExpr) and test.operator == "not":
            return UnaryExpr(test.nid, test.operator, self._resolved(test.operand))
        if not isinstance(test, AttrExpr) or not isinstance(test.value, NameExpr):
            return test
        owner = self.flow.env.vars.get(test.value.name)
        found = owner.cls.lookup(test.name) if isinstance(owner, Instance) else None
        computed = None if found is None else computed_by(found[0])
        if computed is None:
            return test
        shown: Expr = substituted(computed[1], {computed[0]: test.value})
        return shown

    def branch(self, parts: Sequence[Callable[[], bool]], turns: Sequence[Sequence[Fact]] = ()) -> bool:
        """Analyzes alternatives from the same state and merges what flows on. `turns`: what holds in the ones
        and in the others, where a loop takes each in some turns."""
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
        if len(live) == 2 and self.flow.frame.func is None:
            live = _with_jax(*live)
        self.flow.env.vars = merge(live, self.core.fresh, turns)
        self.staleness.trace_cache = meet(ends)
        return True

    def _answer_later(self, test: Expr) -> bool | None:
        """What a test gives that only the first turn of a loop may answer otherwise, where that is over."""
        frame = self.flow.frame
        if len(frame.turns) != len(frame.iterations):
            return None
        for loop, (_, number) in zip(frame.turns, frame.iterations, strict=True):
            answer = answer_later(test, loop, frame.code.body) if number else None
            if answer is not None:
                return answer
        return None

    def s_if(self, node: IfStmt) -> bool:
        nid, test, body, orelse = node.nid, node.test, node.body, node.orelse
        frame = self.flow.frame
        before_test = ask_anew(frame)
        value = self.attributes.asked(self.expressions.eval(test), nid_of(test, nid), "If")
        in_doubt, is_seen = frame.doubts_tracer, frame.sees_tracer
        asked_too(frame, before_test)
        asked = self._resolved(test)
        if level_of(value):
            self.core.emit("If", Test(nid_of(test, nid), self.flow.frame, value, "if"))
        truth = self._truth(test, value)
        if truth is not None:
            self.narrowing.narrow(test, truth)
            self.flow.frame.take(nid, truth)
            before = len(self.flow.conditions)
            self.flow.conditions.extend(facts_of(asked, truth))
            flows = self.interpreter.statements.run_block(body if truth else orelse)
            for name, flag in _flags(body if truth else orelse) if is_seen and frame.loop else ():
                self._doubt_flag(name, flag, False)
            del self.flow.conditions[before:]
            return flows
        how = asks(value) or ("name" if may_lack(value) else "")
        left, doubts = [], [self.flow.env.vars.get(DOUBT)]
        stays: list[Held] = []  # what holds after an arm was left
        above: list[bool] = []  # whether the arm was one for newer versions of JAX
        ends: list[tuple[Sequence[Fact], Vars]] = []
        start, shown = self.flow.env.vars, []  # what the test shows of variables in each arm

        def take(truth: bool, arm: tuple[Stmt, ...]) -> bool:
            if not self.narrowing.assume(test, truth):
                return False
            self._note_absent(test, truth)
            self.flow.frame.take(nid, truth)
            shown.append(_narrowed(start, self.flow.env.vars))
            doubts.append(self.flow.env.vars.get(DOUBT))
            self.flow.guards += bool(how)
            floors, floor = self.flow.floors, _floor(value, truth)
            self.flow.floors += floor
            facts, before, held = facts_of(asked, truth), len(self.flow.conditions), len(self.flow.tests)
            value_partitions.recall(self.flow.env.vars, facts)
            self.flow.conditions.extend(facts)
            self.flow.tests.append(Held(test, truth, len(self.flow.frame.iterations)))
            flows = self.interpreter.statements.run_block(arm)
            for name, flag in _flags(arm) if in_doubt else ():
                self._doubt_flag(name, flag, doubts[-1] is not None)
            kept = [fact for fact in self.flow.conditions[before:] if fact is not NO_FACT]
            del self.flow.conditions[before:], self.flow.tests[held:]
            self.flow.guards, self.flow.floors = self.flow.guards - bool(how), floors
            if flows:
                ends.append((kept, self.flow.env.vars))
            else:
                left.append(arm)
                above.append(bool(floor))
                stays.append(Held(test, not truth, len(self.flow.frame.iterations)))
            return flows

        flows = self.branch((lambda: take(True, body), lambda: take(False, orelse)), _in_turns(asked))
        if len(ends) > 1:
            value_partitions.remember(self.flow.env.vars, ends)
            _take_back(self.flow.env.vars, start, shown, [end for _, end in ends])
        elif flows:
            held_facts.hold(self.flow.env.vars, ends[0][0], self.flow.module.program)
        if not left and len(doubts) == 3 and doubts[0] is None and doubts[1] == doubts[2]:
            if doubts[1] is not None and self.flow.env.vars.get(DOUBT) == doubts[1]:
                del self.flow.env.vars[DOUBT]  # one of the two ways was taken, and both lead here
        if flows:
            self.flow.tests += stays
        if how and flows and left:
            self.guards.leave_arm(how, left[0], above[0])
        return flows

    def _truth(self, test: Expr, value: Value) -> bool | None:
        """The answer of a test with this value, where it is known here."""
        truth = self.interpreter.calls.truth(value)
        if truth is None and isinstance(value, Unknown) and isinstance(test, NameExpr):
            if test.name not in self.flow.env.vars:  # a variable of a function around this one
                truth = self.interpreter.calls.truth(self.flow.tested(value))
        truth = self.flow.answered(test) if truth is None else truth
        return self._answer_later(test) if truth is None else truth

    def _doubt_flag(self, name: str, held: bool, both: bool) -> None:
        """A flag is set where something is a tracer: that it is not set is in doubt, or either."""
        self.flow.env.vars["doubts", name] = Tuple((Const(not held), Const(held))[: 1 + both])

    def s_raise(self, node: RaiseStmt) -> bool:
        self.expressions.eval(node.value)
        if node.cause is not None:
            self.expressions.eval(node.cause)
        self._raise(node)
        return False

    def s_assert(self, node: AssertStmt) -> bool:
        nid = nid_of(node.test, node.nid)
        value = self.attributes.asked(self.expressions.eval(node.test), nid, "Assert")
        if level_of(value):
            self.core.emit("Assert", Test(nid, self.flow.frame, value, "assert"))
        truth = self.interpreter.calls.truth(value)
        if truth is not True:
            self._raise(node)
        if truth is False and node.test == FALSE:
            return False
        if asks(value):
            self.guards.leave_arm(asks(value), ())
        self.narrowing.asserting, asserting = True, self.narrowing.asserting
        holds = self.narrowing.assume(node.test, True)
        self.narrowing.asserting = asserting
        if truth is None and holds:
            value_partitions.learn(self.flow.env.vars, facts_of(node.test, True), self.flow.module.program)
        return holds

    def _raise(self, node: RaiseStmt | AssertStmt) -> None:
        """The `try` around a statement is left here."""
        if self.flow.frame.raised:
            self.flow.frame.raised[-1].append((node, spent_in(self.flow.env.vars)))

    def _note_absent(self, test: Expr, truth: bool) -> None:
        """Where a test shows that an attribute of `self` is None or not there, it holds no compiled function:
        traces of one that it may hold elsewhere are not found there."""
        asked, sense = absent_by(test)
        if asked is None or sense != truth or self.flow.context.staged:
            return
        owner = self.flow.env.vars.get(asked[0])
        for each in () if owner is None else options_of(owner):
            if isinstance(each, Instance) and asked[1] in each.attributes:
                self.core.note_read_if_compiled(each, asked[1])
                self.staleness.note_dropped(each.attributes[asked[1]], NONE)

    def s_match(self, node: MatchStmt) -> bool:
        subject = self.expressions.eval(node.subject)
        parts = []
        total = False
        for case in node.cases:
            verdict = self.pattern_truth(case.pattern, subject, node.nid)
            if verdict is False:
                continue
            parts.append(self._case(case, subject, node))
            if case.guard is None and (verdict is True or _takes_all(case.pattern)):
                total = True
                break
        if not total:
            parts.append(lambda: True)
        return self.branch(parts)

    def _case(self, case: Case, subject: Value, match: MatchStmt) -> Callable[[], bool]:
        pattern, guard = case.pattern, case.guard

        def run() -> bool:
            before = len(self.flow.tests)
            if isinstance(pattern, ValuePattern):
                equal = CompareExpr(case.nid, match.subject, (("==", pattern.value),))
                self.flow.tests.append(Held(equal, True, len(self.flow.frame.iterations)))
            flows = take()
            del self.flow.tests[before:]
            return flows

        def take() -> bool:
            self.bind_pattern(pattern, subject, case.nid)
            if guard is not None:
                value = self.expressions.eval(guard)
                self.core.emit("MatchCase", Test(nid_of(guard, case.nid), self.flow.frame, value, "guard"))
                if self.interpreter.calls.truth(value) is False:
                    return False
                self.narrowing.narrow(guard, True)
            return self.interpreter.statements.run_block(case.body)

        return run

    def pattern_truth(self, pattern: Pattern, subject: Value, nid: int) -> bool | None:
        """Whether a pattern matches; rules are told of the tracer whose truth decides."""
        if isinstance(pattern, ValuePattern):
            value = self.expressions.eval(pattern.value)
            written = pattern.value.value if isinstance(pattern.value, ConstExpr) else ...
            operator = "is" if isinstance(written, _SINGLETONS) else "=="
            result = self.comparisons.compare(operator, subject, value, pattern.nid)
            if isinstance(subject, Array) and isinstance(result, Array):
                self.core.emit("MatchCase", Test(pattern.nid, self.flow.frame, result, "pattern"))
            return self.interpreter.calls.truth(result)
        if _takes_all(pattern):
            return True
        if isinstance(pattern, CapturePattern) and pattern.pattern is not None:
            return self.pattern_truth(pattern.pattern, subject, nid)
        if isinstance(pattern, OrPattern):
            verdicts = []
            for each in pattern.options:
                verdicts.append(self.pattern_truth(each, subject, nid))
                if verdicts[-1] is True or (verdicts[-1] is None and isinstance(subject, Array)):
                    return verdicts[-1]
            return False if all(verdict is False for verdict in verdicts) else None
        return self._truth_of_parts(pattern, subject, nid)

    def _truth_of_parts(self, pattern: Pattern, subject: Value, nid: int) -> bool | None:
        """Whether what has this shape has these parts. What comes behind a part of which it is not known
        whether it matches may never be compared."""
        has_shape = self._has_shape(pattern, subject, nid)
        if not has_shape:
            return has_shape
        for part, value in self._parts(pattern, subject, nid):
            verdict = self.pattern_truth(part, value, nid)
            if not verdict:
                return verdict
        return True

    def _has_shape(self, pattern: Pattern, subject: Value, nid: int) -> bool | None:
        """Whether this is a sequence of that length, a mapping with those keys or an object of that class."""
        if isinstance(pattern, SequencePattern):
            rows = self._rows(subject)
            if rows is None:
                return False if isinstance(subject, (Array, Key)) else None
            stars = sum(isinstance(each, StarPattern) for each in pattern.items)
            missing = len(rows) - len(pattern.items) + stars
            return missing >= 0 if stars else missing == 0
        if isinstance(pattern, MappingPattern):
            if not isinstance(subject, MutableContainer) or subject.kind != "dict":
                return False if isinstance(subject, (Array, Key, Tuple)) else None
            keys = [self.expressions.eval(key) for key in pattern.keys]
            if all(isinstance(key, Const) and key.value in subject.entries for key in keys):
                return True
            found = [self.comparisons.compare("in", key, subject, nid) for key in keys]
            return False if Const(False) in found else None
        if isinstance(pattern, ClassPattern):
            return self.interpreter.builtins.instance_of(subject, self.expressions.eval(pattern.cls))
        return None

    def _rows(self, subject: Value) -> tuple[Value, ...] | None:
        """The items of a sequence, where all of them are known."""
        is_sequence = isinstance(subject, Tuple) or (
            isinstance(subject, MutableContainer) and subject.kind in ("list", "deque")
        )
        return self.expressions.known_items(subject) if is_sequence else None

    def _parts(self, pattern: Pattern, subject: Value, nid: int) -> Iterator[tuple[Pattern, Value]]:
        """The patterns in a pattern, each with what it is compared with."""
        if isinstance(pattern, SequencePattern):
            rows, behind = self._rows(subject), 0
            for position, each in enumerate(pattern.items):
                place = position - behind
                if isinstance(each, StarPattern):
                    behind = len(pattern.items)
                elif rows is not None and -len(rows) <= place < len(rows):
                    yield each, rows[place]
                else:
                    yield each, self.assignments.element(subject, place, nid)
        elif isinstance(pattern, MappingPattern):
            for key, each in zip(pattern.keys, pattern.items, strict=True):
                yield each, self._item(subject, key, nid)
        elif isinstance(pattern, ClassPattern):
            cls = self.expressions.eval(pattern.cls)
            answer = self.interpreter.builtins.instance_of
            held = [each for each in options_of(subject) if answer(each, cls) is True]
            names = _positional(cls, len(pattern.items) - len(pattern.names)) + pattern.names
            for name, each in zip(names, pattern.items, strict=True):
                values = [] if name is None else [self.attributes.attribute(one, name, nid) for one in held]
                is_itself = isinstance(cls, External) and name is None
                yield each, join_all(held if is_itself else values) if held else UNKNOWN

    def bind_pattern(self, pattern: Pattern, subject: Value, nid: int) -> None:
        if isinstance(pattern, CapturePattern):
            if pattern.pattern is not None:
                self.bind_pattern(pattern.pattern, subject, nid)
            if pattern.name is not None:
                self.assignments.bind(pattern.name, subject, nid)
        elif isinstance(pattern, OrPattern):
            for each in pattern.options:
                self.bind_pattern(each, subject, nid)
        for part, value in self._parts(pattern, subject, nid):
            self.bind_pattern(part, value, nid)
        for each in pattern.items if isinstance(pattern, SequencePattern) else ():
            if isinstance(each, StarPattern) and each.name is not None:
                rest = Tuple(None, self.interpreter.containers.iterate(subject, nid))
                self.assignments.bind(each.name, rest, nid)

    def _item(self, subject: Value, key: Expr, nid: int) -> Value:
        """What a mapping pattern finds under a key."""
        if isinstance(subject, MutableContainer) and subject.kind == "dict":
            known = self.expressions.eval(key)
            if isinstance(known, Const):
                return self.interpreter.containers.subscript(subject, known, nid)
        return UNKNOWN


_SINGLETONS = (bool, type(None))


def _positional(cls: Value, count: int) -> tuple[str | None, ...]:
    """The attributes with which a class pattern compares its first parts; None where they are not known."""
    given = cls.lookup("__match_args__") if isinstance(cls, Class) else None
    names = constants(given[0]) if given is not None else None
    if given is None and isinstance(cls, Class) and cls.has_any_mark(_MATCHED):
        names = tuple(cls.all_fields())
    return (*(names or ()), *([None] * count))[:count]


def _takes_all(pattern: Pattern) -> bool:
    """Whether a pattern matches whatever there is."""
    return isinstance(pattern, CapturePattern) and pattern.pattern is None
