"""What a condition shows of the values in it, on either side.

In: a test and whether it holds. Out: the variables and attributes, changed to what they can then be. It
refuses to know what is done on that side.
"""

from __future__ import annotations

from collections.abc import Callable

from jaxlint.analysis.core import DOUBT, NO_CALL_HOOKS, Core, Unreachable
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.domain.join import MutableContainer, Tuple, any_of, level_of, options_of
from jaxlint.domain.objects import Class, Function, Instance
from jaxlint.domain.questions import OF_ARRAYS
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    FeatureProbe,
    NumPyArray,
    OneOf,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.operators import is_question
from jaxlint.ir.program import Expr

_TRUE: Expr = ("const", True)
_FALSE: Expr = ("const", False)


class Narrowing:
    """Narrows by conditions."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        consumption: KeyConsumption,
        expressions: Expressions,
        definitions: Definitions,
        attributes: Attributes,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.consumption = consumption
        self.expressions = expressions
        self.definitions = definitions
        self.attributes = attributes
        self.interpreter = interpreter
        self.asserting = False  # what is narrowed is what an `assert` says

    def assume(self, node: Expr, truth: bool) -> bool:
        """Narrows by a condition; says whether that leaves anything to analyze."""
        try:
            self.narrow(node, truth)
        except Unreachable:
            return False
        return True

    def narrow(self, node: Expr, truth: bool) -> None:
        kind = node[0]
        if kind == "call":
            self._narrow_call(node, truth)
        elif kind == "un" and node[2] == "not":
            self.narrow(node[3], not truth)
        elif kind == "bool":
            if truth == (node[2] == "and"):
                self.narrow(node[3], truth)
                self.narrow(node[4], truth)
            elif self.certain(node[3]) is (not truth):
                self.narrow(node[4], truth)
        elif kind == "cmp" and len(node[3]) == 1:
            operator, right = node[3][0]
            self._narrow_comparison(node[2], operator, right, truth)
        elif kind in ("name", "attr"):
            self.refine(node, lambda value: self._by_truth(value, truth))
            doubts = self.flow.env.vars.get(("doubts", node[2])) if kind == "name" else None
            if isinstance(doubts, Tuple) and Const(truth) in (doubts.items or ()):
                self.flow.env.vars[DOUBT] = Const(node[1])
            if not truth:
                self._guard(node)
                self._unset(node)
        elif kind == "walrus":
            self.narrow(node[2], truth)
        elif kind == "ifexp" and (node[3], node[4]) == (_TRUE, _FALSE):
            self.narrow(node[2], truth)
        elif kind == "ifexp" and (node[3], node[4]) == (_FALSE, _TRUE):
            self.narrow(node[2], not truth)

    def _narrow_call(self, node: Expr, truth: bool) -> None:
        """Narrows by the answer of a call: `isinstance(x, C)`, `hasattr(x, "n")`, `is_array(x.part)`."""
        func, args = node[2], node[3]
        if len(args) == 1 and func[0] == "name":
            self._doubt_predicate(node, truth)
        if self.flow.env.vars.get(("tracer", node[1]), Const(truth)) != Const(truth):
            self.flow.env.vars[DOUBT] = Const(node[1])
        if len(args) == 1 and args[0][0] == "attr":
            # a predicate says something of the attribute that is not known here
            if not isinstance(self.expressions.eval(func), External):
                self.refine(args[0], lambda value: UNKNOWN if isinstance(value, Array) else value)
        elif func[0] == "name" and len(args) == 2:
            self._narrow_question(node, func[2], truth)
        elif truth and args and args[0][0] in ("name", "attr") and self._is_type_guard(func):
            self.refine(args[0], lambda value: UNKNOWN)

    def _narrow_question(self, node: Expr, asked: str, truth: bool) -> None:
        """Narrows by `isinstance(x, C)` or `hasattr(x, "n")`."""
        subject = self.flow.subjects.get(node[1], NONE)
        of, what = node[3]
        is_place = of[0] in ("name", "attr")
        if asked == "isinstance":
            classes = self.expressions.eval(what)
            if self._is_doubtful(subject, classes, truth):
                self.flow.env.vars[DOUBT] = Const(node[1])
            if truth and level_of(subject) and names_tracer(classes):
                self.core.see_tracer(subject)
            if is_place:
                self.refine(of, lambda value: self._by_class(value, classes, truth))
        elif asked == "hasattr" and what[0] == "const":
            name = what[1]
            if self.flow.context.depth and _may_be_array(subject) and name in OF_ARRAYS:
                self.flow.env.vars[DOUBT] = Const(node[1])
            if is_place:
                self.refine(of, lambda value: _by_attribute(value, name, truth))

    def _doubt_predicate(self, node: Expr, truth: bool) -> None:
        """A function that only gives back `isinstance` of its argument, or the opposite, is read as that."""
        func = self.expressions.eval(node[2])
        last = func.code.body[-1] if isinstance(func, Function) and func.code.body else ("pass",)
        if last[0] != "return" or node[1] not in self.flow.subjects:
            return
        assert isinstance(func, Function)
        test = last[2]
        while test[0] == "un" and test[2] == "not":
            test, truth = test[3], not truth
        if test[0] != "call" or test[2][0] != "name" or test[2][2] != "isinstance" or len(test[3]) != 2:
            return
        given, first = test[3], func.code.params[:1]
        if first and given[0][0] == "name" and given[0][2] == first[0].name:
            here, self.flow.env = self.flow.env, func.env
            classes = self.expressions.eval(given[1])
            self.flow.env = here
            if self._is_doubtful(self.flow.subjects[node[1]], classes, truth):
                self.flow.env.vars[DOUBT] = Const(node[1])

    def answer_of_tracer(self, node: Expr) -> Const | None:
        """The truth of `isinstance(tracer, Tracer)`, also where something is asked before it, such as which
        library an array is of; None for anything else."""
        truth = True
        while node[0] == "un" and node[2] == "not":
            node, truth = node[3], not truth
        while node[0] == "bool" and node[2] == "and":
            node = node[4]
        if node[0] != "call" or node[2][0] != "name" or node[2][2] != "isinstance" or len(node[3]) != 2:
            return None
        subject = self.flow.subjects.get(node[1], NONE)
        if not level_of(subject) or not names_tracer(self.expressions.eval(node[3][1])):
            return None
        self.core.see_tracer(subject)
        return Const(truth)

    def _is_type_guard(self, node: Expr) -> bool:
        """Whether a call shows that its argument is of another type than it seemed to be."""
        func = self.expressions.eval(node) if node[0] == "name" else UNKNOWN
        returns = func.code.returns if isinstance(func, Function) else None
        return returns is not None and returns[0] == "sub" and returns[2][-1] in ("TypeGuard", "TypeIs")

    def certain(self, node: Expr) -> bool | None:
        """The truth of a condition that was evaluated before; nothing is told of it again, and nothing is
        called again but questions."""
        if not is_question(node):
            return None
        hooks, self.core.hooks = self.core.hooks, {}
        calls, self.core.call_hooks = self.core.call_hooks, NO_CALL_HOOKS
        try:
            return self.interpreter.calls.truth(self.expressions.eval(node))
        finally:
            self.core.hooks, self.core.call_hooks = hooks, calls

    def _narrow_comparison(self, left: Expr, operator: str, right: Expr, truth: bool) -> None:
        if operator in ("is not", "!=", "not in"):
            truth = not truth
            operator = {"is not": "is", "!=": "==", "not in": "in"}[operator]
        if operator == "is" and truth and right == ("const", None) and left[0] == "call":
            if self.flow.context.depth and self.flow.subjects.get(left[1], NONE) != NONE:
                self.flow.env.vars[DOUBT] = Const(left[1])
        if operator == "is" and truth and right == ("const", None) and left[0] == "name":
            if self.flow.context.depth and type(self.flow.env.vars.get(left[2])) is Unknown:
                self.flow.env.vars[DOUBT] = Const(left[1])  # what cannot be analyzed is not taken for None
        if right[0] == "const" and left[0] in ("name", "attr", "walrus"):
            wanted = Const(right[1])
            target = left[2] if left[0] == "walrus" else left
            if operator == "is" and (right[1] is None or isinstance(right[1], bool)):
                self.refine(target, lambda value: self._by_identity(value, wanted, truth))
            elif operator == "==" and isinstance(right[1], (str, bool)):
                self.refine(target, lambda value: self._by_equality(value, wanted, truth))
        elif operator == "in" and not truth:
            self._guard(right)
        elif left[0] == "call" and left[2][0] == "name" and left[2][2] == "len" and len(left[3]) == 1:
            self._guard(left[3][0])
        is_none = operator == "is" and right == ("const", None)
        if (operator == "==" or is_none) and truth and left[0] == "attr" and self.flow.context.depth:
            for owner in options_of(self.expressions.eval(left[2])):
                self.flow.env.vars["guard", id(owner), left[3]] = NONE

    def _guard(self, node: Expr) -> None:
        """What is put into a container under a test of what is in it is put there once."""
        if self.flow.context.depth and node[0] in ("name", "attr"):
            container = self.expressions.eval(node)
            if isinstance(container, MutableContainer):
                self.flow.env.vars["guard", id(container)] = NONE

    def _unset(self, node: Expr) -> None:
        """A flag that is not set: who sets it here does so once."""
        if not self.flow.context.depth:
            return
        if node[0] == "name":
            self.flow.env.vars["unset", "", node[2]] = NONE
        else:
            for owner in options_of(self.expressions.eval(node[2])):
                self.flow.env.vars["unset", id(owner), node[3]] = NONE

    def sets_once(self, owner: int | str, name: str, value: Value) -> bool:
        return ("unset", owner, name) in self.flow.env.vars and self.interpreter.calls.truth(value) is True

    def _by_identity(self, value: Value, wanted: Const, truth: bool) -> Value:
        if truth:
            if wanted == NONE and isinstance(value, Unknown) and value.token is not None:
                self.flow.env.vars["none", value.token] = NONE
                self.consumption.absent.setdefault(self.flow.env, {})[value.token] = None
            return wanted
        if not isinstance(value, OneOf):
            return value
        kept = [each for each in value.options if each != wanted]
        return any_of(kept) if kept else value

    @staticmethod
    def _by_equality(value: Value, wanted: Const, truth: bool) -> Value:
        if truth:
            return wanted if isinstance(value, (Unknown, Static, OneOf)) else value
        if isinstance(value, OneOf):
            kept = [each for each in value.options if each != wanted]
            return any_of(kept) if kept else value
        return value

    def _by_truth(self, value: Value, truth: bool) -> Value:
        if isinstance(value, OneOf):
            kept = [each for each in value.options if self.interpreter.calls.truth(each) is not (not truth)]
            return any_of(kept) if kept else value
        if isinstance(value, Static) and value.type == "bool" and not isinstance(value, FeatureProbe):
            return Const(truth)
        if isinstance(value, Unknown) and value.token is not None:
            self.flow.env.vars["true", value.token] = Const(truth)
        return value

    def tested(self, value: Value) -> Value:
        """A value with the truth that the tests around this have shown of it."""
        if isinstance(value, Unknown) and value.token is not None:
            truth = self.flow.env.vars.get(("true", value.token))
            return Unknown(value.token, truth.value) if isinstance(truth, Const) else value
        return value

    def _is_doubtful(self, value: Value, classes: Value, truth: bool) -> bool:
        """Whether a test of what a value is leaves open if this is ever run: what is not known is taken
        neither for a tracer nor, in a trace, for anything else."""
        value = _given(value)
        names = [
            each.name
            for each in self.expressions.known_items(classes) or (classes,)
            if isinstance(each, External)
        ]
        if not names or self.interpreter.builtins.instance_of(value, classes) is not None:
            return False
        if names[0] in TRACER_CLASSES:
            if truth:
                return not isinstance(value, TracerPytree)
            return self.flow.context.depth > 0 and not isinstance(value, Array)
        if self.flow.context.depth == 0 or self.asserting:
            return False
        return _may_be_array(value) and not _ARRAYS_OR_NUMBERS.isdisjoint(names)

    def _by_class(self, value: Value, classes: Value, truth: bool) -> Value:
        if isinstance(value, OneOf):
            kept = [
                each
                for each in value.options
                if self.interpreter.builtins.instance_of(each, classes) is not (not truth)
            ]
            return any_of(kept) if kept else value
        if isinstance(value, (TracerPytree, Array)) and isinstance(classes, External) and not truth:
            if classes.name in TRACER_CLASSES or classes.name == "jax.Array":
                return value if isinstance(value, Array) else UNKNOWN  # one that was made outside
        if truth and isinstance(value, Unknown) and isinstance(classes, Class):
            return value if classes.has_mark("enum") else self.definitions.some_instance(classes)
        if truth and isinstance(value, (Unknown, TracerPytree)) and isinstance(classes, External):
            known = self.interpreter.builtins.kind_of_class(classes.name)
            if isinstance(known, Array) and isinstance(value, TracerPytree):
                return Array(value.level)
            if known is not None and isinstance(value, Unknown):
                return known
        return value

    def refine(self, node: Expr, change: Callable[[Value], Value]) -> None:
        """Replaces what a name or attribute is known to be, here and below."""
        if node[0] == "name":
            value = self.flow.env.vars.get(node[2])
            if value is None:
                code = self.flow.env.code
                if code is not None and node[2] in code.bound:
                    return
                value = self.expressions.x_name(node)
                if isinstance(value, Unknown):
                    self.flow.env.vars[node[2]] = value  # so that where the arms meet it is one of two
            after = change(value)
            if after is not value:
                self.flow.env.vars[node[2]] = after
        elif node[0] == "attr":
            owner = self.expressions.eval(node[2])
            for each in options_of(owner):
                if isinstance(each, Instance):
                    self.flow.env.vars["@", id(each), node[3]] = change(
                        self.attributes.attribute(each, node[3], node[1])
                    )
            if isinstance(owner, Unknown) and owner.token is not None:
                value = self.attributes.attribute(owner, node[3], node[1])
                after = change(value)
                if after is not value:
                    self.flow.env.vars["@", owner.token, node[3]] = after


TRACER_CLASSES = ("jax.core.Tracer", "jax.extend.core.Tracer")
_ARRAYS_OR_NUMBERS = frozenset(
    "jax.Array jax.numpy.ndarray numpy.ndarray numpy.number numpy.generic builtins.int builtins.float "
    "builtins.bool builtins.complex numbers.Number numbers.Real numbers.Integral".split()
)


def names_tracer(classes: Value) -> bool:
    """Whether the second argument of `isinstance` has the class of tracers."""
    each = classes.items or () if isinstance(classes, Tuple) else (classes,)
    return any(isinstance(one, External) and one.name in TRACER_CLASSES for one in each)


def _may_be_array(value: Value) -> bool:
    """Whether it is open if a value is an array: nothing is known of it, or it may be a tracer."""
    value = _given(value)
    return isinstance(value, Unknown) or (isinstance(value, OneOf) and any(map(level_of, value.options)))


def _given(value: Value) -> Value:
    """What a value is where it is not None."""
    return any_of([each for each in options_of(value) if each != NONE] or [NONE])


def _by_attribute(value: Value, name: str, truth: bool) -> Value:
    """Which of a few values it can be that has an attribute, or has not."""
    kept = [each for each in options_of(value) if has_attribute(each, name) is not (not truth)]
    return any_of(kept) if kept else value


def has_attribute(value: Value, name: str) -> bool | None:
    """Whether a value has an attribute that tells arrays from other things."""
    if isinstance(value, Array):
        return True if name in OF_ARRAYS or name in ("at", "aval") else None
    if isinstance(value, NumPyArray):
        return True if name in OF_ARRAYS else False if name in ("at", "aval") else None
    plain = value.cls is None if isinstance(value, Tuple) else isinstance(value, (Const, MutableContainer))
    if plain or (isinstance(value, Static) and value.type in ("int", "float", "bool", "str")):
        return False if name in OF_ARRAYS or name in ("at", "aval") else None
    return None
