"""What a condition shows of the values in it, on either side.

In: a test and whether it holds. Out: the variables and attributes, changed to what they can then be. It
refuses to know what is done on that side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeGuard

from jaxlint.analysis.conditions.same_variables import copies_of
from jaxlint.analysis.core import ANSWER, BOUND, DOUBT, Core, Unreachable
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.domain.join import MutableContainer, Tuple, any_of, level_of, options_of
from jaxlint.domain.objects import Class, Function, Instance
from jaxlint.domain.questions import OF_ARRAYS, TRACER_CLASSES, constants
from jaxlint.domain.values import (
    BOOL,
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    FeatureProbe,
    ModuleName,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import Definitions, shown_by
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.selection import (
    ARRAYS_OR_NUMBERS,
    PREDICATES,
    asked_of_class,
    by_attribute,
    by_membership,
    by_predicate,
    is_merged_in,
    is_type_guard,
    may_be_array,
    names_tracer,
    where_given,
)
from jaxlint.ir.loop_guards import written_out
from jaxlint.ir.mentions import set_by
from jaxlint.ir.nodes import (
    FALSE,
    TRUE,
    AttrExpr,
    BoolExpr,
    CallExpr,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    Expr,
    NameExpr,
    ReturnStmt,
    UnaryExpr,
    WalrusExpr,
)
from jaxlint.ir.nodes import NONE as NOTHING
from jaxlint.ir.walks import dotted, in_bool, is_question, last_name, nid_of, without_not


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
        if (inner := in_bool(node)) is not None:
            self.narrow(inner, truth)
        elif isinstance(node, CallExpr):
            self._narrow_call(node, truth)
        elif isinstance(node, ComprehensionExpr):
            self._doubt_asked(node, truth)
        elif isinstance(node, UnaryExpr):
            if node.operator == "not":
                self.narrow(node.operand, not truth)
        elif isinstance(node, BoolExpr):
            if truth == (node.operator == "and"):
                self.narrow(node.left, truth)
                bound = self.flow.env.vars.get((BOUND, node.nid))
                if isinstance(bound, Product):
                    self.flow.env.vars.update(dict(bound.parts[0]))
                self.narrow(node.right, truth)
            elif self.certain(node.left) is (not truth):
                self.narrow(node.right, truth)
            elif not truth:
                self._note_attribute(node)
        elif isinstance(node, CompareExpr):
            if len(node.rest) == 1:
                operator, right = node.rest[0]
                self._narrow_comparison(node.left, operator, right, truth)
        elif isinstance(node, (NameExpr, AttrExpr)):
            self._narrow_place(node, truth)
        elif isinstance(node, WalrusExpr):
            self.narrow(node.target, truth)
        elif isinstance(node, ConditionalExpr):
            if (node.body, node.orelse) == (TRUE, FALSE):
                self.narrow(node.test, truth)
            elif (node.body, node.orelse) == (FALSE, TRUE):
                self.narrow(node.test, not truth)

    def _narrow_place(self, node: NameExpr | AttrExpr, truth: bool) -> None:
        """Narrows by the truth of what a variable or an attribute holds."""
        self.refine(node, lambda value: self._by_truth(value, truth))
        doubts = self.flow.env.vars.get(("doubts", node.name)) if isinstance(node, NameExpr) else None
        if isinstance(doubts, Tuple) and Const(truth) in (doubts.items or ()):
            self.flow.env.vars[DOUBT] = Const(node.nid)
        if truth:
            self._doubt_unset(node)
        else:
            self._guard(node)
            self._unset(node)

    def _note_attribute(self, node: BoolExpr) -> None:
        """`hasattr(x, "n") and x.n` does not hold: `x.n` does not where it is there. So with `not x.n`."""
        right, truth = without_not(node.right, False)
        if isinstance(right, AttrExpr) and isinstance(node.left, CallExpr):
            asked = ConstExpr(right.name)
            if last_name(node.left.func) == "hasattr" and node.left.args == (right.value, asked):
                self._narrow_attribute(right.value, asked, truth)

    def _note_truth(self, value: Value, truth: bool) -> None:
        if isinstance(value, Unknown) and value.token is not None:
            self.flow.env.vars["true", value.token] = Const(truth)

    def _narrow_call(self, node: CallExpr, truth: bool) -> None:
        """Narrows by the answer of a call: `isinstance(x, C)`, `hasattr(x, "n")`, `is_array(x.part)`."""
        func, args = node.func, node.args
        first = args[0] if args else None
        if len(args) == 1 and isinstance(func, NameExpr):
            self._doubt_predicate(node, truth)
        if self.flow.subjects.get(node.nid) == BOOL and args:
            self._doubt_asked(args[0], truth)  # what `any` and `all` are asked of
        if self.flow.env.vars.get(("tracer", node.nid), Const(truth)) != Const(truth):
            self.flow.env.vars[DOUBT] = Const(node.nid)
        if len(args) == 1 and isinstance(first, (NameExpr, AttrExpr)):
            asked = self.expressions.eval(func)
            if isinstance(asked, External) and asked in PREDICATES:
                self.refine(first, lambda value: by_predicate(asked.name, value, truth))
            elif asked == External("inspect.isclass"):
                self.refine(first, lambda value: self.by_class(value, External("builtins.type"), truth))
            elif isinstance(first, AttrExpr) and not isinstance(asked, External):  # a predicate
                self.refine(first, lambda value: UNKNOWN if isinstance(value, Array) else value)
        elif isinstance(func, NameExpr) and len(args) == 2:
            self._narrow_question(node, func.name, truth)
        elif isinstance(func, NameExpr) and func.name == "getattr" and len(args) == 3:
            self._narrow_attribute(args[0], args[1], truth)
        elif truth and isinstance(first, (NameExpr, AttrExpr)) and isinstance(func, NameExpr):
            if is_type_guard(self.expressions.eval(func)):
                self.refine(first, lambda value: UNKNOWN)

    def _narrow_question(self, node: CallExpr, asked: str, truth: bool) -> None:
        """Narrows by `isinstance(x, C)` or `hasattr(x, "n")`."""
        subject = self.flow.subjects.get(node.nid, NONE)
        of, what = node.args
        if asked == "isinstance":
            classes = self.expressions.eval(what)
            if self._is_doubtful(subject, classes, truth):
                self.flow.env.vars[DOUBT] = Const(node.nid)
            if truth and level_of(subject) and names_tracer(classes):
                self.core.see_tracer(subject)
            self.refine(of, lambda value: self.by_class(value, classes, truth))
        elif asked == "hasattr" and isinstance(what, ConstExpr):
            name = what.value
            if self.flow.context.depth and may_be_array(subject) and name in OF_ARRAYS:
                self.flow.env.vars[DOUBT] = Const(node.nid)
            self.refine(of, lambda value: by_attribute(value, name, truth))

    def _doubt_asked(self, node: Expr, truth: bool) -> None:
        """Each of several values was asked whether it is a tracer, and of some that is not known."""
        nid, state = nid_of(node, 0), self.flow.env.vars
        is_flag = isinstance(node, NameExpr) and ("doubts", node.name) in state
        if is_flag or state.get(("tracer", nid), Const(truth)) != Const(truth):
            state[DOUBT] = Const(nid)

    def _narrow_attribute(self, owner: Expr, name: Expr, truth: bool) -> None:
        """Narrows by `getattr(x, "n", default)`: an attribute that is there is what the test shows."""
        value = self.expressions.eval(owner) if is_question(owner) else UNKNOWN
        if isinstance(name, ConstExpr) and isinstance(value, Unknown) and value.token is not None:
            self._note_truth(Unknown((value.token, ".", name.value)), truth)

    def _doubt_predicate(self, node: CallExpr, truth: bool) -> None:
        """A function that only gives back `isinstance` of its argument, or the opposite, is read as that."""
        func = self.expressions.eval(node.func)
        if not isinstance(func, Function) or not func.code.body or node.nid not in self.flow.subjects:
            return
        last = func.code.body[-1]
        if not isinstance(last, ReturnStmt):
            return
        test, truth = without_not(last.value, truth)
        subject, asked = asked_of_class(test) or (NOTHING, NOTHING)
        first = func.code.params[0].name if func.code.params else ""
        if isinstance(subject, NameExpr) and subject.name == first:
            here, self.flow.env = self.flow.env, func.env
            classes = self.expressions.eval(asked)
            self.flow.env = here
            if self._is_doubtful(self.flow.subjects[node.nid], classes, truth):
                self.flow.env.vars[DOUBT] = Const(node.nid)

    def answer_of_tracer(self, node: Expr) -> Const | None:
        """The truth of `isinstance(tracer, Tracer)`, also where something is asked before it, such as which
        library an array is of; None for anything else."""
        node, truth = without_not(node, True)
        while isinstance(node, BoolExpr) and node.operator == "and":
            node = node.right
        nid = nid_of(node, 0)
        presumed = self.flow.env.vars.get(("tracer", nid))
        if isinstance(presumed, Const) and presumed != NONE:  # `any` or `all` of several
            self.flow.frame.sees_tracer = self.flow.frame.presumes = True
            return Const((presumed.value is True) is truth)
        given, subject = asked_of_class(node), self.flow.subjects.get(nid, NONE)
        if given is None or not level_of(subject) or not names_tracer(self.expressions.eval(given[1])):
            return None
        self.core.see_tracer(subject)
        return Const(truth)

    def certain(self, node: Expr) -> bool | None:
        """The truth of a condition that was evaluated before; nothing is told of it again, and nothing is
        called again but questions."""
        return self.interpreter.calls.truth(self.looked_up(node)) if is_question(node) else None

    def looked_up(self, node: Expr) -> Value:
        """What an expression is; nothing is told of it."""
        with self.core.unheard():
            return self.expressions.eval(node)

    def _is_untold(self, node: Expr) -> bool:
        """Whether a variable holds what a function has answered to a trace, such as which library an array
        is of, and the answer is not known."""
        if not isinstance(node, NameExpr) or not self.flow.context.depth:
            return False
        value = self.flow.env.vars.get(node.name)
        return (ANSWER, node.name) in self.flow.env.vars and (
            type(value) is Unknown or value == Static("str")
        )

    def _narrow_comparison(self, left: Expr, operator: str, right: Expr, truth: bool) -> None:
        if operator in ("is not", "!=", "not in"):
            truth = not truth
            operator = {"is not": "is", "!=": "==", "not in": "in"}[operator]
        if self._asks_for_type(left) and operator in ("is", "==", "in"):
            self._narrow_type(left.args[0], self.expressions.eval(right), truth)
            return
        is_none = operator == "is" and right == NOTHING
        if is_none and not truth:
            self._doubt_unset(left)
        if isinstance(left, CallExpr) and left.args:
            self._doubt_asked(left.args[0], truth)  # as `len` of the tracers among some values
        if is_none and truth and self.flow.context.depth and self._is_doubted_none(left):
            self.flow.env.vars[DOUBT] = Const(left.nid)
        if isinstance(right, ConstExpr) and isinstance(left, (NameExpr, AttrExpr, WalrusExpr)):
            wanted = Const(right.value)
            target = left.target if isinstance(left, WalrusExpr) else left
            if operator == "is" and (right.value is None or isinstance(right.value, bool)):
                self.refine(target, lambda value: self._by_identity(value, wanted, truth))
            elif operator == "==" and isinstance(right.value, (str, bool)):
                if truth and self._is_untold(target):
                    self.flow.env.vars[DOUBT] = Const(left.nid)
                self.refine(target, lambda value: self._by_equality(value, wanted, truth))
        elif operator == "in":
            self._narrow_membership(left, right, truth)
        elif isinstance(left, CallExpr) and len(left.args) == 1:
            if isinstance(left.func, NameExpr) and left.func.name == "len":
                self._guard(left.args[0])
        if (operator == "==" or is_none) and truth and isinstance(left, AttrExpr) and self.flow.context.depth:
            for owner in options_of(self.expressions.eval(left.value)):
                self.flow.env.vars["guard", id(owner), left.name] = NONE
                if is_none:
                    self._guard_owner(left, id(owner))

    def _asks_for_type(self, node: Expr) -> TypeGuard[CallExpr]:
        """Whether an expression is `type(x)`."""
        if not isinstance(node, CallExpr) or len(node.args) != 1 or node.keywords:
            return False
        return self.expressions.eval(node.func) == External("builtins.type")

    def _narrow_type(self, node: Expr, classes: Value, truth: bool) -> None:
        """Narrows by `type(x) is C`: what is of that class is an instance of it; what is not may be, but of
        None, which alone is of its class."""
        if classes == External("types.NoneType"):
            self.refine(node, lambda value: self._by_identity(value, NONE, truth))
        elif truth:
            self.refine(node, lambda value: self.by_class(value, classes, truth))

    def _narrow_membership(self, left: Expr, right: Expr, truth: bool) -> None:
        """Narrows by `x in ("a", "b")`: constants that are written out, or a tuple of them."""
        if not truth:
            self._guard(right)
            if self.flow.context.depth and isinstance(right, NameExpr):
                if isinstance(self.flow.env.vars.get(right.name), TracerPytree):
                    self.flow.env.vars[DOUBT] = Const(right.nid)  # what is not known may well be there
        elif self.flow.context.depth and isinstance(left, ConstExpr) and is_question(right):
            if is_merged_in(left.value, self.looked_up(right)):
                self.flow.env.vars[DOUBT] = Const(nid_of(right, 0))
        target = left.target if isinstance(left, WalrusExpr) else left
        listed = written_out(right)
        if listed is None and isinstance(right, (NameExpr, AttrExpr)):
            held = self.expressions.as_listed(right, self.expressions.eval(right))
            listed = constants(held) if isinstance(held, Tuple) else None
        if not listed or not isinstance(target, (NameExpr, AttrExpr)):
            return
        are_texts = all(isinstance(each, str) for each in listed)
        if truth and are_texts and self._is_untold(target):
            self.flow.env.vars[DOUBT] = Const(target.nid)
        self.refine(target, lambda value: by_membership(value, listed, truth, are_texts))

    def _is_doubted_none(self, node: Expr) -> TypeGuard[CallExpr | NameExpr]:
        """Whether what a test takes for None is the answer of a call for something that is known not to be,
        or a variable of which nothing is known: what cannot be analyzed is not taken for None."""
        if isinstance(node, CallExpr):
            return self.flow.subjects.get(node.nid, NONE) != NONE
        env = self.flow.env
        while isinstance(node, NameExpr) and env.parent is not None:
            if node.name in env.vars:
                options = options_of(env.vars[node.name])
                absent = {("absent", getattr(each, "token", None)) for each in options}
                is_doubted = NONE not in options and absent.isdisjoint(env.vars)
                return is_doubted and any(isinstance(each, (Unknown, TracerPytree)) for each in options)
            env = env.parent
        return False

    def _guard(self, node: Expr) -> None:
        """What is put into a container under a test of what is in it is put there once."""
        if self.flow.context.depth and isinstance(node, (NameExpr, AttrExpr)):
            container = self.expressions.eval(node)
            if isinstance(container, MutableContainer):
                self.flow.env.vars["guard", id(container)] = NONE

    def _unset(self, node: NameExpr | AttrExpr) -> None:
        """A flag that is not set: who sets it here does so once."""
        if not self.flow.context.depth:
            return
        if isinstance(node, NameExpr):
            self.flow.env.vars["unset", "", node.name] = NONE
            self._guard_owner(node, "")
        else:
            for owner in options_of(self.expressions.eval(node.value)):
                self.flow.env.vars["unset", id(owner), node.name] = NONE
                self._guard_owner(node, id(owner))
                found = owner.cls.lookup(node.name) if isinstance(owner, Instance) else None
                shown = "" if found is None else shown_by(found[0])
                if shown:
                    self.flow.env.vars["unset", id(owner), shown] = NONE

    def _doubt_unset(self, node: Expr) -> None:
        """What a `__getattr__` gives in place of an attribute may well be None."""
        if isinstance(node, AttrExpr) and self.flow.context.depth and is_question(node):
            is_asked = self.attributes.delegation.is_asked
            for each in options_of(self.expressions.eval(node.value)):
                if isinstance(each, Instance) and is_asked(each, node.name, node.nid):
                    self.flow.env.vars[DOUBT] = Const(node.nid)

    def _guard_owner(self, node: NameExpr | AttrExpr, owner: int | str) -> None:
        """A test finds that something is not set, and its function sets it: what else is set of its owner
        under this test is set once, too."""
        func = self.flow.frame.func
        if func is not None and dotted(node) in set_by(func.code):
            self.flow.env.vars["guard", owner] = NONE

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

    def _by_equality(self, value: Value, wanted: Const, truth: bool) -> Value:
        if truth:
            if type(value) is Unknown and value.token is not None:
                self.flow.env.vars["is", value.token] = wanted
            is_open = isinstance(value, (Unknown, Static, OneOf)) and not isinstance(value, ModuleName)
            return wanted if is_open else value
        return self._by_identity(value, wanted, False)

    def _by_truth(self, value: Value, truth: bool) -> Value:
        if isinstance(value, OneOf):
            kept = [each for each in value.options if self.interpreter.calls.truth(each) is not (not truth)]
            return any_of(kept) if kept else value
        if isinstance(value, Static) and value.type == "bool" and not isinstance(value, FeatureProbe):
            return Const(truth)
        if type(value) is Unknown and value.token is None and value.truth is None:
            value = value.known_as(self.core.fresh())  # so that this is known of the one that is tested
        self._note_truth(value, truth)
        return value

    def _is_doubtful(self, value: Value, classes: Value, truth: bool) -> bool:
        """Whether a test of what a value is leaves open if this is ever run: what is not known is taken
        neither for a tracer nor, in a trace, for anything else."""
        value = where_given(value)
        asked = self.expressions.known_items(classes)
        instance_of = self.interpreter.builtins.instance_of
        if asked is None and isinstance(classes, Tuple):  # each may be in it or not
            asked = options_of(classes.elem)
            if not truth and self.flow.context.depth and instance_of(value, Tuple(asked)):
                return True
        names = [each.name for each in asked or (classes,) if isinstance(each, External)]
        if not names or instance_of(value, classes) is not None:
            return False
        if names[0] in TRACER_CLASSES:
            if truth:
                return not isinstance(value, TracerPytree)
            return self.flow.context.depth > 0 and not isinstance(value, Array)
        if self.flow.context.depth == 0 or self.asserting:
            return False
        return may_be_array(value) and not ARRAYS_OR_NUMBERS.isdisjoint(names)

    def by_class(self, value: Value, classes: Value, truth: bool) -> Value:
        is_of = self.interpreter.builtins.instance_of
        if isinstance(value, OneOf):
            kept = [each for each in value.options if is_of(each, classes) is not (not truth)]
            return any_of(kept) if kept else value
        is_denied = self.asserting and is_of(value, classes) is False
        if truth and (is_denied or self.definitions.is_elsewhere(value, classes)):
            return UNKNOWN  # who says so knows better what it is
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
        if isinstance(node, NameExpr):
            value = self.flow.env.vars.get(node.name)
            if value is None:
                code = self.flow.env.code
                if code is not None and node.name in code.bound:
                    return
                value = self.expressions.x_name(node)
                if isinstance(value, Unknown):
                    self.flow.env.vars[node.name] = value  # so that where the arms meet it is one of two
            after = change(value)
            if after is not value:
                self.flow.env.vars[node.name] = after
                if isinstance(value, OneOf) and self.flow.env.code is not None:
                    for copy in copies_of(self.flow.env.code, self.flow.module.program, node):
                        if self.flow.env.vars.get(copy) is value:
                            self.flow.env.vars[copy] = after
        elif isinstance(node, AttrExpr):
            owner = self.expressions.eval(node.value)
            for each in options_of(owner):
                if isinstance(each, Instance):
                    held = self.attributes.of_instance(each, node.name, node.nid)  # the test has read it
                    self.flow.env.vars["@", id(each), node.name] = change(held)
            if isinstance(owner, Unknown) and owner.token is not None:
                value = self.attributes.attribute(owner, node.name, node.nid)
                after = change(value)
                if after is not value:
                    self.flow.env.vars["@", owner.token, node.name] = after
