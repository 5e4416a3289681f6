"""Operators: arithmetic, comparison, `and`, `or`, `not`, and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jaxlint.analysis.conditions.value_partitions import recall
from jaxlint.analysis.core import ANSWER, BOUND, DOUBT, TRACER_SEEN, Core
from jaxlint.analysis.events import Binary, Boolean, Count, Test
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.joined_states import merge
from jaxlint.domain.consumed_keys import NOTHING, merged
from jaxlint.domain.facts import Fact, facts_of
from jaxlint.domain.join import (
    MutableContainer,
    Tuple,
    any_of,
    either_way,
    join,
    join_all,
    level_of,
    options_of,
)
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.questions import asks, from_shape, is_host_data, may_lack
from jaxlint.domain.values import (
    ANY,
    BOOL,
    DIFFERENTIATED,
    INT,
    STR,
    UNKNOWN,
    Array,
    Const,
    FeatureProbe,
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.domain.widening import given_or_default, one_key
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.results import is_text, operated, result_dtype, result_ndim, static_result
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.nodes import BinaryExpr, BoolExpr, CallExpr, ConditionalExpr, Expr, NameExpr, UnaryExpr
from jaxlint.ir.walks import bound_in, is_question, nid_of

_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "//": lambda a, b: a // b, "%": lambda a, b: a % b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
SPECIAL_METHODS = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
    "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
}  # fmt: skip
_NUMBERS = (int, float, complex)
_TREES = (Array, TracerPytree)


class Shown:
    """What the operands of `and` or `or` so far have shown, the whole time in the same state.

    vars: the variables as those narrow them, where nothing has changed since. is_never: the next operand is
    never evaluated.
    """

    __slots__ = ("facts", "is_never", "vars")

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.vars: Vars | None = None
        self.is_never = False


class Operators:
    """Evaluates operators, and tells of tests on what is traced."""

    def __init__(
        self, flow: FlowState, core: Core, expressions: Expressions, interpreter: Interpreter
    ) -> None:
        self.chosen: tuple[int, Sequence[tuple[Sequence[Fact], Value]]] = (0, ())
        """What each side of the last conditional expression gives, by the number of that, and where."""
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.interpreter = interpreter

    def x_binary(self, node: BinaryExpr) -> Value:
        left, right = self.expressions.eval(node.left), self.expressions.eval(node.right)
        return self.binary(node.operator, left, right, node.nid)

    def binary(self, operator: str, left: Value, right: Value, nid: int, augmented: bool = False) -> Value:
        result = self.operate(operator, left, right, nid)
        if (augmented or operator == "@") and "BinaryOperation" in self.core.hooks:
            event = Binary(nid, self.flow.frame, operator, left, right, result, augmented)
            self.core.emit("BinaryOperation", event)
        elif operator == "%" and isinstance(left, Const) and isinstance(left.value, str):
            result = self.interpreter.containers.percent_format(left.value, right, nid)
        return result

    def operate(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        kinds = (type(left), type(right))
        if kinds == (Const, Const):
            return self.fold(operator, left.value, right.value)  # type: ignore[attr-defined]
        if FeatureProbe in kinds:
            return FeatureProbe("any", asks(left) or asks(right))
        for value, reverse in ((left, False), (right, True)):
            if isinstance(value, Instance) or (isinstance(value, Tuple) and value.cls is not None):
                name = SPECIAL_METHODS[operator]
                method = self.interpreter.attributes.special(
                    value, f"__r{name}__" if reverse else f"__{name}__", nid
                )
                if method is not None:
                    return self.interpreter.calls.call(method, [left if reverse else right], {}, nid)
                if isinstance(value, Instance):
                    return UNKNOWN
        if isinstance(left, OneOf) or isinstance(right, OneOf):
            if (
                isinstance(left, OneOf)
                and isinstance(right, OneOf)
                and len(left.options) * len(right.options) > 9
            ):
                return UNKNOWN
            is_mixed = any(
                len({_is_sequence(each) for each in options_of(side)}) > 1 for side in (left, right)
            )
            return join_all(
                [
                    self._in_silence(operator, a, b, nid)
                    if is_mixed and (_is_sequence(a) or _is_sequence(b))
                    else self.operate(operator, a, b, nid)
                    for a in options_of(left)
                    for b in options_of(right)
                    if not (is_none(a) or is_none(b))
                ]
            )
        level = level_of(left) | level_of(right)
        arrayish = isinstance(left, (Array, TracerPytree)) or isinstance(right, (Array, TracerPytree))
        if _is_sequence(left) or _is_sequence(right):
            return self._sequence_operation(operator, left, right, nid)
        if operator == "*" and arrayish and (is_text(left) or is_text(right)):
            self.count(nid, "str", right if is_text(left) else left)
            return STR
        if isinstance(left, Product) or isinstance(right, Product):
            return self._product_operation(operator, left, right)
        if arrayish:
            if operator == "//":
                level &= ~DIFFERENTIATED  # it has no slope
            if self.flow.context.staged:
                self.flow.frame.operations += 1
                level |= 1
            return Array(
                level,
                result_dtype(operator, left, right),
                result_ndim(operator, left, right),
                level == 1 and from_shape((left, right)),
            )
        if isinstance(left, Key) or isinstance(right, Key):
            return Array(level | (1 if self.flow.context.staged else 0))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return operated(left, right)
        if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
            return NumPyArray(result_dtype(operator, left, right), result_ndim(operator, left, right))
        return static_result(operator, left, right)

    def _in_silence(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        """An operation on what may be no sequence at all: what is wrong with sequences is not told."""
        with self.core.unheard():
            return self.operate(operator, left, right, nid)

    def fold(self, operator: str, left: Any, right: Any) -> Value:
        function = _FOLD.get(operator)
        if function is None:
            if operator == "**" and isinstance(left, _NUMBERS) and isinstance(right, (int, float)):
                if abs(left) <= 64 and abs(right) <= 16:
                    try:
                        return Const(left**right)
                    except (ArithmeticError, ValueError, TypeError):
                        return UNKNOWN
            return ANY if isinstance(left, (*_NUMBERS, str)) else UNKNOWN
        try:
            if operator == "*" and isinstance(left, (str, bytes)) != isinstance(right, (str, bytes)):
                return STR if isinstance(left, int) or isinstance(right, int) else UNKNOWN
            return Const(function(left, right))
        except Exception:
            return UNKNOWN

    def _sequence_operation(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        count = left if isinstance(right, (Tuple, MutableContainer)) else right
        if operator == "*" and isinstance(count, Const) and not isinstance(count.value, int):
            return UNKNOWN  # it raises, or is no sequence here
        left = self.expressions.copied(left, nid) if operator == "|" else left
        if operator == "|" and (_is_dict(left) or (_is_dict(right) and isinstance(left, _TREES))):
            return self.expressions.dict_of(((None, left), (None, right)), nid)
        if operator == "*" and isinstance(count, (Array, TracerPytree)) and level_of(count):
            self.count(nid, "list", count)
        elif isinstance(left, (Array, TracerPytree, NumPyArray)) or isinstance(
            right, (Array, TracerPytree, NumPyArray)
        ):
            if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
                return NumPyArray()
            return self.core.made((left, right))
        if operator == "+":
            if isinstance(left, Tuple) and isinstance(right, Tuple):
                if left.items is not None and right.items is not None:
                    return Tuple(left.items + right.items)
                return Tuple(None, join(left.each(), right.each()))
            if isinstance(left, MutableContainer) and isinstance(right, MutableContainer):
                box = self.core.box("list", nid)
                a, b = self.expressions.known_items(left), self.expressions.known_items(right)
                if a is not None and b is not None:
                    box.items = [*a, *b]
                else:
                    box.items = None
                    box.elem = join(left.each(), right.each())
                return box
            return UNKNOWN
        if operator == "*":
            sequence, count = (left, right) if isinstance(left, (Tuple, MutableContainer)) else (right, left)
            items = self.expressions.known_items(sequence)
            exact = isinstance(count, Const) and isinstance(count.value, int) and count.value <= 16
            if isinstance(sequence, Tuple):
                if items is not None and exact:
                    return Tuple(items * count.value)  # type: ignore[attr-defined]
                return Tuple(None, sequence.each())
            box = self.core.box("list", nid)
            if items is not None and exact:
                box.items = list(items) * count.value  # type: ignore[attr-defined]
            else:
                box.items = None
                box.elem = sequence.each() if isinstance(sequence, MutableContainer) else UNKNOWN
            return box
        if operator in ("&", "-") and isinstance(left, MutableContainer):
            box = self.core.box(left.kind, nid)  # which of them are left is not known
            box.items, box.elem = None, left.each()
            return box
        if operator == "|" and isinstance(left, MutableContainer):
            return left
        return UNKNOWN

    def count(self, nid: int, function: str, value: Value | None, which: int | str = 0) -> None:
        """Python needs this number for how often a sequence is repeated, or as an argument of a function."""
        if value is not None and level_of(value):
            self.core.emit("Count", Count(nid, self.flow.frame, function, value, which))

    def _product_operation(self, operator: str, left: Value, right: Value) -> Value:
        if operator == "/" and isinstance(left, Product) and left.kind == "pathlib.Path":
            return left
        return UNKNOWN

    def x_unary(self, node: UnaryExpr) -> Value:
        operator = node.operator
        value = self.expressions.eval(node.operand)
        if operator == "not":
            value = self.interpreter.attributes.asked(value, node.nid)
            if level_of(value):
                self.core.emit("UnaryOperation", Boolean(node.nid, self.flow.frame, value, "not"))
            truth = self.interpreter.calls.truth(value)
            how = asks(value) or ("name" if may_lack(value) else "")
            if truth is None and how:
                if isinstance(value, FeatureProbe) and value.floor:
                    return FeatureProbe("bool", how, floor=value.floor, sense=not value.sense)
                return FeatureProbe("bool", how)
            return BOOL if truth is None else Const(not truth)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            try:
                if operator == "-":
                    return Const(-value.value)
                if operator == "~":
                    return Const(~value.value) if isinstance(value.value, int) else UNKNOWN
                return value
            except TypeError:
                return UNKNOWN
        if isinstance(value, (Array, TracerPytree)):
            level = value.level | (1 if self.flow.context.staged else 0)
            dtype = value.dtype if isinstance(value, Array) else "?"
            return Array(level, dtype, value.ndim if isinstance(value, Array) else None)
        if isinstance(value, Instance):
            name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[operator]
            method = self.interpreter.attributes.special(value, name, node.nid)
            return UNKNOWN if method is None else self.interpreter.calls.call(method, [], {}, node.nid)
        if isinstance(value, (Static, NumPyArray)):
            return value if not isinstance(value, Number) else INT
        return UNKNOWN

    def x_bool(self, node: BoolExpr) -> Value:
        """`and`, `or`: each operand is evaluated under what those before it showed."""
        operator = node.operator
        nodes, first = [node], node.left
        while isinstance(first, BoolExpr) and first.operator == operator:
            nodes.append(first)
            first = first.left
        value = self.expressions.eval(first)
        shown = Shown()
        operand = first
        for each in reversed(nodes):
            shown.facts += facts_of(operand, operator == "and")
            value = self._and_then(each, operand, value, shown, each is not node)
            operand = each.right
        return value

    def _and_then(self, node: BoolExpr, last: Expr, left: Value, shown: Shown, more: bool) -> Value:
        """The value of `left and right` and `left or right`.

        Args:
            last: The last operand of what is on the left.
            more: There are further operands.
        """
        operator = node.operator
        truth = self.interpreter.calls.truth(self.interpreter.attributes.asked(left, node.nid))
        if level_of(left):
            self.core.emit("BooleanOperation", Boolean(node.nid, self.flow.frame, left, operator))
        before, shown.vars = shown.vars, None
        if shown.is_never:
            return left
        if truth is not None and truth == (operator == "or"):
            return left
        saved = self.flow.env.vars
        self.flow.env.vars = dict(saved if before is None else before)
        if not self.interpreter.narrowing.assume(node.left if before is None else last, operator == "and"):
            self.flow.env.vars = saved
            shown.is_never = True
            return left
        narrowed: Vars = self.flow.env.vars
        self.flow.env.vars = dict(narrowed)
        changes = self.core.changes
        guard = bool(asks(left)) or may_lack(left)
        self.flow.guards += guard
        if operator == "or" and self.flow.frame.may_be_given(node.left, left):
            self.flow.env.vars[DOUBT] = Const(node.nid)  # what stands in for what may well be there
        right = self._under(node.left, operator == "and", node.right, shown.facts)
        self.flow.guards -= guard
        refined = self.flow.env.vars
        self.flow.env.vars = saved
        spent = saved.get("$spent")
        self._keep_done(narrowed, refined)
        bound = self._bind(node, narrowed, refined, truth is not None)
        new = refined.keys() - narrowed.keys()
        if truth is None:  # a function may be made here, or not
            new -= {DOUBT, TRACER_SEEN, *(each for each in new if type(each) is tuple and each[0] == "made")}
        if new:
            for name, value in refined.items():
                if name in new:
                    saved[name] = value
        elif (
            more
            and not bound
            and saved.get("$spent") is spent
            and changes == self.core.changes
            and is_question(node.right)
        ):
            shown.vars = narrowed
        if truth is not None:
            return right
        if level_of(left) & 3:
            return UNKNOWN
        if (
            isinstance(right, Array)
            and right.level & 3
            and is_host_data(left)
            and not self.is_answer(node.left)
        ):
            return right  # where the static operand does not decide, this is what is asked
        if right == Const(operator == "or"):
            return Unknown(None, operator == "or")  # whatever the first one is
        is_and = operator == "and"
        kept = [each for each in options_of(left) if self.interpreter.calls.truth(each) is not is_and]
        either = any_of([*kept, right]) if len(kept) <= 3 else UNKNOWN
        if not is_and and type(either) is Unknown and kept:
            either = either_way(kept[0], right)
        return either if is_and else one_key(left, right, either, self.core.fresh)

    def _bind(self, node: BoolExpr, narrowed: Vars, refined: Vars, is_run: bool) -> bool:
        """What `:=` in the right operand has bound anew is there now, or may be; where that operand has run,
        narrowing finds it. Says whether there is any. narrowed, refined: the variables before and after."""
        now = self.flow.env.vars
        now.pop((BOUND, node.nid), None)
        bound = {name: refined[name] for name in bound_in(node.right) & narrowed.keys() & refined.keys()}
        for name, value in bound.items():
            mine = now.get(name, value)
            either = one_key(mine, value, either_way(mine, value), self.core.fresh)
            now[name] = value if is_run else either
        if bound:
            now[BOUND, node.nid] = Product("bound", tuple(bound.items()))
        return bool(bound)

    def x_conditional(self, node: ConditionalExpr) -> Value:
        test, nid = node.test, nid_of(node.test, node.nid)
        value = self.interpreter.attributes.asked(self.expressions.eval(test), nid, "IfExp")
        if level_of(value):
            self.core.emit("IfExp", Test(nid, self.flow.frame, value, "ternary"))
        truth = self.interpreter.calls.truth(value)
        truth = self.flow.answered(test) if truth is None else truth
        if truth is not None:
            self.interpreter.narrowing.narrow(test, truth)
            self.flow.frame.take(node.nid, truth)
            return self.expressions.eval(node.body if truth else node.orelse)
        self.flow.frame.take(node.nid, True)
        self.flow.frame.take(node.nid, False)
        saved = self.flow.env.vars
        self.flow.env.vars = dict(saved)
        guard = bool(asks(value)) or may_lack(value)
        self.flow.guards += guard
        assume = self.interpreter.narrowing.assume
        first = self._under(test, True, node.body) if assume(test, True) else UNKNOWN
        one, self.flow.env.vars = self.flow.env.vars, dict(saved)
        second = self._under(test, False, node.orelse) if assume(test, False) else UNKNOWN
        self.flow.guards -= guard
        other, self.flow.env.vars = self.flow.env.vars, saved
        self._keep_done(one, other)
        if first == second:
            return first
        chosen = any_of((first, second))
        chosen = either_way(first, second) if type(chosen) is Unknown else chosen
        self.chosen = node.nid, ((facts_of(test, True), first), (facts_of(test, False), second))
        return given_or_default(first, one, second, other) or one_key(first, second, chosen, self.core.fresh)

    def _under(self, test: Expr, truth: bool, node: Expr, facts: Iterable[Fact] | None = None) -> Value:
        """The value of an expression that is evaluated only where a test has this answer."""
        conditions, tests = len(self.flow.conditions), len(self.flow.tests)
        facts = facts_of(test, truth) if facts is None else tuple(facts)
        recall(self.flow.env.vars, facts)
        self.flow.conditions.extend(facts)
        self.flow.tests.append(Held(test, truth, len(self.flow.frame.iterations)))
        self.flow.arms += 1
        value = self.expressions.eval(node)
        self.flow.arms -= 1
        del self.flow.conditions[conditions:], self.flow.tests[tests:]
        return value

    def is_answer(self, node: Expr) -> bool:
        """Whether a condition is a function's answer, also from a variable, which may be that no tracer comes
        here."""
        if isinstance(node, UnaryExpr) and node.operator == "not":
            return self.is_answer(node.operand)
        if isinstance(node, NameExpr):
            return (ANSWER, node.name) in self.flow.env.vars
        return isinstance(node, CallExpr)

    def _keep_done(self, one: Vars, other: Vars) -> None:
        """The keys that one side of an expression may have spent, and the attributes that it may have set."""
        known = self.flow.env.vars
        for state in (one, other):
            after, before = state.get("$spent"), known.get("$spent")
            if isinstance(after, Product) and after is not before:
                earlier = before.parts[0] if isinstance(before, Product) else NOTHING
                known["$spent"] = Product("spent", merged(earlier, after.parts[0]))
        for mark in self.flow.frame.writes.values():
            if one.get(mark) is not other.get(mark):
                met = merge([{mark: state[mark]} if mark in state else {} for state in (one, other)])
                known.pop(mark, None)
                known |= met


def is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _is_sequence(value: Value) -> bool:
    return isinstance(value, (Tuple, MutableContainer))


def _is_dict(value: Value) -> bool:
    return isinstance(value, MutableContainer) and value.kind == "dict"
