"""Comparisons: of arrays, of objects, and `in`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jaxlint.analysis.core import Core, Unreachable
from jaxlint.analysis.events import Boolean
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.join import (
    MutableContainer,
    Tuple,
    VariableRef,
    join_all,
    level_of,
    options_of,
)
from jaxlint.domain.literals import DTYPES
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key, Partial, Transformed
from jaxlint.domain.questions import TRACER_CLASSES, asks, constants, may_lack
from jaxlint.domain.values import (
    ANY,
    BOOL,
    MARKER,
    NONE,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    External,
    FeatureProbe,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.comprehensions import hashable
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.hashing import is_hashing
from jaxlint.evaluation.operators import SPECIAL_METHODS, Operators, is_none
from jaxlint.evaluation.results import ORDERING, compared, result_ndim
from jaxlint.evaluation.selection import by_key
from jaxlint.ir.nodes import CallExpr, CompareExpr, Expr, NameExpr
from jaxlint.ir.walks import is_only_asked
from jaxlint.tables.jax_functions import FUNCTIONS

_TYPES = frozenset(("tracer class", "type of"))
_NAMED = (External, Class, Function)  # of which two are equal where they are the same
_OTHERS = (Const, Tuple, MutableContainer, *_NAMED, Imported)  # what no marker is, nor is equal to one


InstanceOf = Callable[[Value, Value], bool | None]


def _identity(left: Value, right: Value, negated: bool, instance_of: InstanceOf) -> Value:
    def answer(a: Value, b: Value) -> bool | None:
        if isinstance(a, Candidates) and b == NONE:
            return None if a.is_open else False
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return None
        if isinstance(b, Const) and b.value is None:
            if isinstance(a, Const):
                return a.value is None
            if isinstance(a, Static) and a.type == "any":
                return None
            is_tree = isinstance(a, TracerPytree) and not isinstance(a, VariableRef)
            return None if is_tree or (isinstance(a, Product) and a.kind == "opaque") else False
        if isinstance(a, Const) and isinstance(b, Const):
            if isinstance(a.value, (bool, type(None))) or isinstance(b.value, (bool, type(None))):
                return a.value is b.value
            return None if a.value == b.value else False
        if isinstance(a, (External, Class, Function, Imported)) and isinstance(
            b, (External, Class, Function, Imported)
        ):
            return a == b
        if isinstance(a, Product) and isinstance(b, Product) and a.kind == b.kind == "member":
            return a == b
        if _is_marker(a) or _is_marker(b):
            other = b if _is_marker(a) else a
            is_known = _is_marker(other) or isinstance(other, (*_OTHERS, Array, NumPyArray, Key, Instance))
            return a == b if is_known else None
        if isinstance(a, Product) and a.kind == "tracer class" and isinstance(b, (External, Class)):
            return None if isinstance(b, External) and b.name in TRACER_CLASSES else False
        if isinstance(a, Product) and a.kind == "type of":
            return None if instance_of(a.parts[0], b) is not False else False
        if (
            isinstance(b, Const)
            and isinstance(b.value, bool)
            and isinstance(a, (Array, TracerPytree, NumPyArray, Tuple, MutableContainer))
        ):
            return False
        return None

    answers = {answer(a, b) for a in options_of(left) for b in options_of(right)}
    if isinstance(right, Const) is False and isinstance(left, Const):
        answers = {answer(b, a) for a in options_of(left) for b in options_of(right)}
    if len(answers) == 1:
        found = answers.pop()
        if found is not None:
            return Const(found != negated)
    return BOOL


def _are_alone(left: Value, right: Value) -> bool:
    """Whether two values are equal only where they are the same: members of enumerations, and what
    `object()` gives."""
    if isinstance(left, Product) and isinstance(right, Product) and left.kind == right.kind == "member":
        return True
    if _is_marker(left) or _is_marker(right):
        return all(_is_marker(each) or isinstance(each, _OTHERS) for each in (left, right))
    return False


def _is_marker(value: Value) -> bool:
    return isinstance(value, Product) and value.kind == MARKER


def _answer(operator: str, left: Value, right: Value) -> Value | None:
    """What a comparison of JAX's version with one that is written out says."""
    newer = operator in (">", ">=")
    if isinstance(right, FeatureProbe):
        left, right, newer = right, left, not newer
    found = constants(right)
    if operator not in ORDERING or found is None or not isinstance(left, FeatureProbe) or not left.own:
        return None
    if len(found) == 1 and isinstance(found[0], str):
        found = tuple(int(part) if part.isdecimal() else part for part in found[0].split("."))
    if not found or not all(isinstance(part, int) for part in found):
        return None
    return FeatureProbe("bool", "version", floor=found, sense=newer)


def _is_among(item: Value, items: Sequence[Value], instance_of: InstanceOf) -> bool | None:
    """Whether a constant, a function or a class, or each of a few that it may be, is one of these."""
    options = options_of(item)
    if isinstance(item, Product) and item.kind in _TYPES:
        is_none_of = all(_identity(item, each, False, instance_of) == Const(False) for each in items)
        return False if is_none_of else None
    if all(type(each) is Const for each in (*options, *items)):
        listed = [each.value for each in items if isinstance(each, Const)]
        answers = {each.value in listed for each in options if isinstance(each, Const)}
    elif all(isinstance(each, _NAMED) for each in (*options, *items)):
        answers = {each in items for each in options}
    else:
        return None
    return answers.pop() if len(answers) == 1 else None


_NO_OPERAND = (str, bytes, type(None), type(...))  # what arrays leave it to Python to compare them with
_NO_NUMBERS = frozenset(("enum.Enum", "enum.Flag", "enum.StrEnum", "builtins.str", "builtins.object"))


def _is_no_operand(value: Value) -> bool:
    """Whether a value is nothing that arrays are compared with, so that they are not equal to it: a function,
    a class, a slice, a member of an enumeration that is no number."""
    if isinstance(value, Product):
        is_member = value.kind == "member" and value.parts[0].externals() <= _NO_NUMBERS
        return is_member or value.kind in ("slice", "range", "iterator", MARKER)
    if isinstance(value, External):
        return value.name.startswith("builtins.") or value.name in FUNCTIONS or value.name in DTYPES
    return isinstance(value, (Function, Class, Bound, Partial, Transformed, Imported))


class Comparisons:
    """Evaluates comparisons, and tells of those that take the truth of what is traced."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        operators: Operators,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.operators = operators
        self.interpreter = interpreter

    def x_compare(self, node: CompareExpr) -> Value:
        left = self.expressions.eval(node.left)
        rest = node.rest
        result: Value = UNKNOWN
        if isinstance(node.left, CallExpr) and rest[0][0] in ("is", "is not"):
            self.flow.subjects[node.left.nid] = left
        for position, (operator, comparator) in enumerate(rest):
            right = self.expressions.eval(comparator)
            if operator in ("in", "not in"):
                right = self.expressions.found_to_be(comparator, right, by_key(right, left))
            if operator in ("in", "not in") and all(isinstance(each, Const) for each in options_of(left)):
                right = self._as_fixed(comparator, self.expressions.as_listed(comparator, right))
            result = self.compare(operator, left, right, node.nid)
            if len(rest) > 1 and position < len(rest) - 1:
                if level_of(result):
                    self.core.emit("Comparison", Boolean(node.nid, self.flow.frame, result, "chain"))
                if self.interpreter.calls.truth(result) is False:
                    return result
            left = right
        if len(rest) > 1 and level_of(result) & 3:
            return result
        return result

    def _as_fixed(self, node: Expr, value: Value) -> Value:
        """The items of a set or a list that a variable holds, into which nothing puts more."""
        if not isinstance(value, MutableContainer) or value.kind == "dict" or not isinstance(node, NameExpr):
            return value
        code, name = self.flow.frame.code, node.name
        is_free = any(name in each.free for each in self.flow.module.program.codes if each is not code)
        items = self.expressions.known_items(value)
        if items is None or is_free or not is_only_asked(code, name):
            return value
        return Tuple(items) if all(type(each) is Const for each in items) else value

    def compare(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        if operator in ("is", "is not"):
            answer = _identity(left, right, operator == "is not", self.interpreter.builtins.instance_of)
            if answer == BOOL and (asks(left) or may_lack(left)):
                return FeatureProbe("bool", asks(left) or "name")
            return answer
        how = asks(left) or asks(right)
        if how:
            return _answer(operator, left, right) or FeatureProbe("bool", how)
        if operator in ("in", "not in"):
            return self._contains(left, right, operator, nid)
        if operator in ORDERING and is_none(left) != is_none(right):
            other = right if is_none(left) else left
            if isinstance(other, (Const, Static, Array, NumPyArray)) and other != ANY:
                raise Unreachable  # TypeError: nothing follows
        if isinstance(left, Const) and isinstance(right, Const):
            return self.operators.fold(operator, left.value, right.value)
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self._compare_objects(operator, left, right, nid)
        if isinstance(left, OneOf) or isinstance(right, OneOf):
            found = [
                self.compare(operator, a, b, nid)
                for a in options_of(left)
                for b in options_of(right)
                if operator not in ORDERING or not (is_none(a) or is_none(b))
            ]
            return join_all(found)
        found_array = self._compare_arrays(operator, left, right)
        if found_array is not None:
            return found_array
        if _are_alone(left, right):
            return Const((left == right) == (operator == "=="))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return compared(operator, left, right)
        if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
            return NumPyArray("b")
        if isinstance(left, _NAMED) and isinstance(right, _NAMED) and operator in ("==", "!="):
            return Const((left == right) == (operator == "=="))
        if isinstance(left, Product) and left.kind in _TYPES and operator in ("==", "!="):
            return _identity(left, right, operator == "!=", self.interpreter.builtins.instance_of)
        if (
            isinstance(left, (Tuple, MutableContainer))
            and type(left) is type(right)
            and (operator in ("==", "!=") or operator in ORDERING)
        ):
            self._differing(operator, left, right, nid)
        if isinstance(left, Tuple) and isinstance(right, Tuple):
            if any(level_of(each) for each in (left.each(), right.each())):
                return UNKNOWN
        return BOOL

    def _differing(self, operator: str, left: Value, right: Value, nid: int) -> Value | None:
        """What Python comes to where it compares two objects part by part; rules are told of a tracer."""
        asked = self.interpreter.decisions.differing(left, right, nid, operator)
        if asked is not None and level_of(asked):
            self.core.emit("Comparison", Boolean(nid, self.flow.frame, asked, operator))
        return asked

    def _compare_fields(self, operator: str, left: Value, right: Value, nid: int) -> Value | None:
        """The comparison that a decorator has made for a class, of fields; None where there is none. From
        Python 3.13 on, `==` gives what that of the last fields gives."""
        rows = self.interpreter.decisions.rows(left, right, operator)
        if rows is None:
            return None
        if operator != "==":
            self._differing(operator, left, right, nid)
            return BOOL
        before, others = [Tuple(tuple(row[:-1])) for row in rows]
        last, other = rows[0][-1], rows[1][-1]
        if self._differing(operator, before, others, nid) is None and last is not other:
            return self.compare("==", last, other, nid)
        return BOOL

    def _compare_objects(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        """A comparison of which a side is an object of a class of the project."""
        made = self._compare_fields(operator, left, right, nid)
        if made is not None:
            return made
        if isinstance(left, Instance):
            method = self.interpreter.attributes.special(left, f"__{SPECIAL_METHODS[operator]}__", nid)
            if method is not None:
                return self.interpreter.calls.call(method, [right], {}, nid)
            return BOOL if isinstance(right, Const) else UNKNOWN
        if isinstance(right, Instance):
            self.interpreter.attributes.special(right, f"__{SPECIAL_METHODS[operator]}__", nid)
        return BOOL if isinstance(left, Const) else UNKNOWN

    def _compare_arrays(self, operator: str, left: Value, right: Value) -> Value | None:
        """A comparison of which a side is an array or a pytree of tracers; None where none is."""
        level = level_of(left) | level_of(right) | (1 if self.flow.context.staged else 0)
        for value, other in ((left, right), (right, left)):
            if isinstance(value, (Array, Key)):
                if isinstance(other, Const) and isinstance(other.value, _NO_OPERAND):
                    return BOOL
                if operator in ("==", "!=") and _is_no_operand(other):
                    return BOOL
                if isinstance(value, Array) and isinstance(other, (Tuple, MutableContainer)):
                    raise Unreachable  # TypeError: JAX compares arrays with no tuple, list, dict or set
                return Array(level, "b", result_ndim(operator, left, right))
        for value, other in ((left, right), (right, left)):
            if isinstance(value, TracerPytree):
                is_numeric = (
                    isinstance(other, (Array, NumPyArray))
                    or (isinstance(other, Const) and isinstance(other.value, (int, float)))
                    or (isinstance(other, Static) and other.type in ("int", "float"))
                )
                return Array(level, "b") if operator in ORDERING or is_numeric else UNKNOWN
        return None

    def lacks(self, box: MutableContainer, name: Value) -> bool:
        """Whether a dict certainly has nothing under a name."""
        if not isinstance(name, Const) or not hashable(name.value):
            return False
        return box.lacks(name.value) and self._is_in_hand(box)

    def lacks_item(self, owner: Value, index: Value) -> bool:
        """Whether a tuple or a dict certainly has no item of this index."""
        if isinstance(owner, Tuple) and owner.items is not None and isinstance(index, Const):
            count = len(owner.items)
            return type(index.value) is int and not -count <= index.value < count
        return isinstance(owner, MutableContainer) and self.lacks(owner, index)

    def _is_in_hand(self, box: MutableContainer) -> bool:
        """Whether only what runs now has put something into a container: a function made it that is still
        running, or it is an argument of a trace, or what `**` takes."""
        maker, _ = self.core.origins.get(id(box), (None, None))
        if maker is None:
            return box.depth > 0 or box.of_call or any(each is box for each in self.flow.frame.arguments)
        return box.depth > maker.context.depth or (maker.func is not None and maker.running)

    def _contains(self, item: Value, container: Value, operator: str, nid: int) -> Value:
        if is_hashing(container):
            how = "key" if isinstance(container, MutableContainer) and container.kind == "dict" else "element"
            if self.expressions.hashing.hash(item, how, nid):
                return BOOL
        if isinstance(container, Instance) and self.flow.context.depth:
            method = self.interpreter.attributes.special(container, "__contains__", nid)
            if method is not None:
                found = self.interpreter.calls.call(method, [item], {}, nid)
                if level_of(found):
                    self.core.emit("Comparison", Boolean(nid, self.flow.frame, found, operator))
            return BOOL
        if isinstance(container, MutableContainer) and container.kind == "dict":
            if isinstance(item, Const) and hashable(item.value):
                if item.value in container.entries and container.block == self.flow.block:
                    return Const(operator == "in")
                if self.lacks(container, item):
                    return Const(operator == "not in")
            return BOOL
        items = self.expressions.known_items(container)
        if items is not None and not (isinstance(container, Const) and isinstance(item, Const)):
            is_there = _is_among(item, items, self.interpreter.builtins.instance_of)
            is_all = isinstance(container, Tuple) or (
                isinstance(container, MutableContainer)
                and container.kind == "list"
                and container.block == self.flow.block
            )
            if is_there is not None and (is_there or is_all):
                return Const(is_there == (operator == "in"))
        if isinstance(container, (Tuple, MutableContainer)):
            asked = self.interpreter.decisions.sought(item, container, nid)
            if asked is not None:
                self.core.emit("Comparison", Boolean(nid, self.flow.frame, asked, operator))
            return BOOL
        if isinstance(container, Array):
            self.core.emit("Comparison", Boolean(nid, self.flow.frame, container, operator))
        if isinstance(item, Const) and isinstance(container, Const):
            return self.operators.fold(operator, item.value, container.value)
        return BOOL
