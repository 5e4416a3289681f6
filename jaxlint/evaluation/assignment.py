"""Assignments: to names, items, attributes and patterns of them, and what they change in objects."""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.conditions import held_facts, value_partitions
from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.copies.module_states import ModuleStates
from jaxlint.analysis.core import ANSWER, DOUBT, Core
from jaxlint.analysis.events import Store, Update
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.analysis.writes import is_same
from jaxlint.domain.facts import CHANGED, NO_FACT, only_looks
from jaxlint.domain.join import MutableContainer, Tuple, any_of, join, options_of
from jaxlint.domain.members import is_believed, is_whole_slice
from jaxlint.domain.objects import (
    Environment,
    Instance,
    Key,
)
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.domain.widening import blend
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.operators import Operators
from jaxlint.evaluation.storing import Storing
from jaxlint.ir.constant_attributes import Assignments, gives_again, paired
from jaxlint.ir.loop_carried import carries, counts, derives, keeps, updated_place
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BoolExpr,
    CallExpr,
    ComprehensionExpr,
    ConditionalExpr,
    DeleteStmt,
    Expr,
    NameExpr,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import dotted

_TESTS = (BoolExpr, CallExpr, ConditionalExpr, UnaryExpr)
_PLACES = (NameExpr, AttrExpr, SubscriptExpr)


class Assignment:
    """Assigns values, and notes what that changes."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        constants: ConstantKeys,
        expressions: Expressions,
        keys: Keys,
        operators: Operators,
        narrowing: Narrowing,
        interpreter: Interpreter,
        storing: Storing,
        module_states: ModuleStates,
    ) -> None:
        self.storing = storing
        self.module_states = module_states
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.constants = constants
        self.expressions = expressions
        self.keys = keys
        self.operators = operators
        self.narrowing = narrowing
        self.interpreter = interpreter
        self.assignments: dict[int, tuple[dict[str, Assignments], frozenset[str]]] = {}  # by program

    # ---- simple statements

    def s_assign(self, node: AssignStmt) -> bool:
        target, written = node.targets[0], node.value
        if self.flow.frame.turns and "Update" in self.core.hooks and not self.flow.context.staged:
            self.copied(node)
        self.constants.assigning = target
        value = self.expressions.eval(written)
        self.note_changed(written)
        self.flow.kept = isinstance(written, (BoolExpr, CallExpr)) and keeps(target, written)
        self.staleness.moved = isinstance(written, _PLACES)
        self.flow.derived = isinstance(written, CallExpr) and derives(target, written)
        self.flow.again = isinstance(target, (AttrExpr, TupleExpr)) and self._gives_again(node)
        self.flow.counting = counts(target, written)
        try:
            for each in node.targets:
                self.assign(each, value, node.nid)
                self.storing.memory.assigned(each, written)
        finally:
            self.flow.kept = self.staleness.moved = self.flow.again = self.flow.derived = (
                self.flow.counting
            ) = False
        if isinstance(target, NameExpr) and isinstance(value, OneOf):
            if isinstance(written, NameExpr):
                value_partitions.copy(self.flow.env.vars, written.name, target.name)
            elif isinstance(written, ConditionalExpr) and self.operators.chosen[0] == written.nid:
                value_partitions.note(self.flow.env.vars, target.name, self.operators.chosen[1])
        if self.flow.context.depth and isinstance(target, NameExpr):
            is_list = isinstance(written, ComprehensionExpr)
            if is_list or (isinstance(written, _TESTS) and isinstance(value, (Static, OneOf))):
                self._note_doubts(target.name, written)
            if isinstance(value, (Static, OneOf, Unknown)) and self.operators.is_answer(written):
                self.flow.env.vars[ANSWER, target.name] = NONE
        return True

    def _gives_again(self, node: AssignStmt) -> bool:
        func = self.flow.frame.func
        if self.flow.context.depth or func is None or func.cls is None or len(node.targets) > 1:
            return False
        classes, bound = self._assignments_of(func.module.program)
        assignments = classes.get(func.cls.code.qualname)
        if assignments is None:
            assignments = Assignments(())
        own = func.code.bound
        pairs = paired(node.targets[0], node.value)
        return bool(pairs) and all(
            gives_again(target, value, func.code, assignments, lambda name: name in own or name in bound)
            for target, value in pairs
        )

    def _assignments_of(self, program: Program) -> tuple[dict[str, Assignments], frozenset[str]]:
        """What the methods of each class of a module assign, and the variables that its functions bind."""
        known = self.assignments.get(id(program))
        if known is None:
            methods: dict[str, list[Code]] = {}
            for each in program.codes:
                if each.in_class:
                    methods.setdefault(_owner_of(each), []).append(each)
            classes = {owner: Assignments(codes) for owner, codes in methods.items()}
            bound = frozenset().union(*(each.global_names for each in program.codes))
            known = self.assignments[id(program)] = classes, bound
        return known

    def _note_doubts(self, name: str, test: Expr) -> None:
        """A flag holds the answer to a question: what the answers leave in doubt, the flag does."""
        state = self.flow.env.vars
        doubts = []
        for truth in (True, False):
            self.flow.env.vars = {**state, DOUBT: NONE}
            if self.narrowing.assume(test, truth) and self.flow.env.vars[DOUBT] != NONE:
                doubts.append(Const(truth))
        self.flow.env.vars = state
        if doubts:
            state["doubts", name] = Tuple(tuple(doubts))

    def copied(self, node: AssignStmt) -> None:
        """Tells of an `.at` update that loops repeat on the array it made the turn before."""
        place = updated_place(node.targets[0], node.value)
        if place is None or self._is_handed_out():
            return
        total: int | None = 1
        for loop in reversed(self.flow.frame.turns):
            if not carries(loop, place, node):
                break
            total = None if total is None or loop.count is None else total * loop.count
        self.core.emit("Update", Update(node.nid, self.flow.frame, self.expressions.eval(place), total))

    def _is_handed_out(self) -> bool:
        """Whether no call of this function is known, and others have it: they may well trace it."""
        func, link = self.flow.frame.func, self.flow.frame.link
        if func is None or (link is not None and link.parent is not None):
            return False
        if func.env.parent is not None or func.code.decorators:
            return True
        return func.cls is not None and (func.cls.opaque() or bool(func.cls.externals() - _PLAIN_BASES))

    def assign_annotated(self, node: AnnotatedStmt) -> bool:
        if self.flow.env.parent is None or self.flow.env.code is None:
            self.guards.refer_annotation(node.annotation)
        if node.value is not None:
            self.assign(node.target, self.expressions.eval(node.value), node.nid)
        return True

    def s_augmented(self, node: AugmentedStmt) -> bool:
        nid, target, operator = node.nid, node.target, node.operator
        before = self.expressions.eval(node.read)
        value = self.expressions.eval(node.value)
        if isinstance(target, SubscriptExpr):
            owner = self.expressions.eval(target.value)
            index = self.expressions.eval(target.index)
            result = self.operators.binary(operator, before, value, nid, augmented=True)
            self.flow.step = _step(operator, value)
            self.storing.store_item(owner, index, result, nid, "augmented", operator, target)
            self.module_states.note_stored(target, nid)
            if isinstance(owner, Unknown):
                self.storing.freshness.note_held(owner.token, "__setitem__", target.nid)
            self.flow.step = None
            return True
        if isinstance(before, MutableContainer) and operator == "+" and before.kind == "list":
            items = self.expressions.known_items(value)
            if items is None:
                before.widen(self.interpreter.containers.iterate(value, nid))
            for item in items or ():
                before.add(item, self.flow.block)
            self.storing.mutated(nid, "append", before, value)
            result = before
        elif isinstance(before, MutableContainer) and operator == "|" and before.kind == "dict":
            self.interpreter.decisions.box_method("update", before, [value], {}, nid)
            result = before
        else:
            if operator == "|" and type(before) is Unknown and isinstance(value, (Unknown, MutableContainer)):
                self.flow.frame.touched.add(before.token)  # it may be a dict that is changed in place
            result = self.operators.binary(operator, before, value, nid, augmented=True)
        if isinstance(target, AttrExpr):
            owner = self.expressions.eval(target.value)
            self.flow.step = _step(operator, value)
            self.storing.store_attribute(owner, target.name, result, nid, "augmented", target.nid)
            self.module_states.note_stored(target, nid)
        else:
            self.flow.step = _step(operator, value)
            self.assign(target, result, nid)
        self.flow.step = None
        return True

    def s_delete(self, node: DeleteStmt) -> bool:
        for target in node.targets:
            if isinstance(target, NameExpr):
                self.flow.env.vars.pop(target.name, None)
            elif isinstance(target, SubscriptExpr):
                owner = self.expressions.eval(target.value)
                index = self.expressions.eval(target.index)
                if not is_believed(owner, index):
                    self.core.emit(
                        "Del", Store(target.nid, self.flow.frame, owner, NONE, index=index, kind="delete")
                    )
                self.forget_tests(dotted(target.value), True)
                if isinstance(owner, MutableContainer):
                    key = index if owner.kind == "dict" else None
                    self.storing.note_taken(target.nid, owner, key, whole=is_whole_slice(index))
                    owner.blur()
                    if isinstance(index, Const) and owner.kind == "dict":
                        owner.take(index.value, self.flow.block)
                elif isinstance(owner, Unknown) and owner.token is not None:
                    self.flow.frame.touched.add(owner.token)
            elif isinstance(target, AttrExpr):
                self.staleness.emptied.add(target.name)
                for each in options_of(self.expressions.eval(target.value)):
                    if isinstance(each, Instance):
                        held = self.interpreter.attributes.of_instance(each, target.name)
                        self.staleness.note_dropped(held)
        return True

    # ---- assignment

    def assign(self, target: Expr, value: Value, nid: int) -> None:
        if isinstance(target, NameExpr):
            self.bind(target.name, value, target.nid)
        elif isinstance(target, TupleExpr):
            self.unpack(target.items, value, nid)
        elif isinstance(target, StarExpr):
            self.assign(target.value, Tuple(None, self.interpreter.containers.iterate(value, nid)), nid)
        elif isinstance(target, AttrExpr):
            self.storing.store_attribute(
                self.expressions.eval(target.value), target.name, value, target.nid, "assign"
            )
            self.module_states.note_stored(target, target.nid)
            self.forget_tests(dotted(target))
        elif isinstance(target, SubscriptExpr):
            owner = self.expressions.eval(target.value)
            index = self.expressions.eval(target.index)
            self.storing.store_item(owner, index, value, target.nid, "assign", "", target)
            self.module_states.note_stored(target, target.nid)
            if isinstance(owner, Unknown):
                self.storing.freshness.note_held(owner.token, "__setitem__", target.nid)
            self.forget_tests(dotted(target.value), True)

    def bind(self, name: str, value: Value, nid: int) -> None:
        env = self.flow.env
        code = env.code
        if code is not None and env.parent is not None and name not in code.bound:
            if name in code.global_names:
                self.bind_outer(env.module.env, name, value, nid, "global")
                return
            if name in code.nonlocal_names:
                outer = env.parent
                while outer.parent is not None and name not in outer.vars:
                    outer = outer.parent
                self.bind_outer(outer, name, value, nid, "nonlocal")
                return
        if (
            name in env.vars
            and (env.parent is None or self.staleness.trace_cache.traces)
            and not is_same(env.vars[name], value)
        ):
            self.staleness.note_place("v", env, name, nid, env.vars[name], value)
        env.vars[name] = value
        if self.flow.context.depth:
            env.vars.pop(("doubts", name), None)
            env.vars.pop((ANSWER, name), None)
        state = env.vars
        if self.flow.conditions or value_partitions.MARK in state or held_facts.MARK in state:
            self.forget_tests(name)
        elif name in self.core.tested:
            self.forget_tests(name)
        if env.parent is None and name in env.module.rebound:
            late = env.vars.get(("late", name))
            env.vars[("late", name)] = value if late is None else join(late, value)

    def note_changed(self, node: Expr) -> None:
        """A statement calls a method that may change its object: what tests have shown of its contents may be
        over."""
        if isinstance(node, CallExpr) and isinstance(node.func, AttrExpr) and not only_looks(node):
            self.forget_tests(dotted(node.func.value), True)

    def forget_tests(self, name: str, is_changed: bool = False) -> None:
        """A variable is bound anew: tests of it may have another answer now. `is_changed`: it is the same
        object, which has changed."""
        if not name:
            return
        state = self.flow.env.vars
        if name in self.core.tested:
            state[CHANGED, name, is_changed] = Unknown(self.core.fresh())
        if value_partitions.MARK in state:
            value_partitions.forget(state, name, is_changed)
        if held_facts.MARK in state:
            held_facts.forget(state, name, is_changed)
        for position, fact in enumerate(self.flow.conditions):
            if fact.rests_on(name, is_changed):
                self.flow.conditions[position] = NO_FACT

    def bind_outer(self, env: Environment, name: str, value: Value, nid: int, how: str) -> None:
        before = env.vars.get(name)
        held = before
        if before is not None and env.parent is None and name in env.module.rebound:
            held = self.expressions.module_variable(env.module, name, before)
        shown = self.flow.env.vars.get(name)
        if shown is not None:  # what a condition showed of it holds no longer
            self.flow.env.vars[name] = value
        once = (
            shown == NONE or self.narrowing.sets_once("", name, value) or ("guard", "") in self.flow.env.vars
        )
        place = (id(env), name)
        self.storing.note_replaced(before, value)
        self.storing.mutated(nid, how, UNKNOWN, value, name, env.depth, memo=once, before=held, place=place)
        if not once and not is_same(before, value):
            self.staleness.note_place("v", env, name, nid, held, value)
            self.staleness.note_dropped(held, value)
        after = value if before is None else blend(before, value)
        if isinstance(before, Const) and isinstance(before.value, bool) and env.parent is None:
            after = before
        if after != before:
            env.vars[name] = after
            if ("late", name) not in env.vars:
                self.core.changed(env, name)
        if ("late", name) in env.vars:
            self.storing.keep_late(env, name, value)

    def unpack(self, targets: Sequence[Expr], value: Value, nid: int) -> None:
        items = self.expressions.known_items(value)
        if items is None and isinstance(value, Product) and value.kind == "iterator":
            items = value.parts[1]  # all of it is taken
        star = next((i for i, each in enumerate(targets) if isinstance(each, StarExpr)), None)
        if items is None and isinstance(value, Key):
            items = tuple(self.keys.key_item(value, i) for i in range(len(targets)))
            if star is not None:
                self._unpack_keys(targets, star, value, nid)
                return
        if items is None and isinstance(value, OneOf):
            options = [self.expressions.known_items(option) for option in value.options]
            if all(option is not None and len(option) == len(targets) for option in options):
                items = tuple(any_of(parts) for parts in zip(*(o for o in options if o), strict=True))
        if items is not None and star is None and len(items) == len(targets):
            for target, item in zip(targets, items, strict=True):
                self.assign(target, item, nid)
            return
        if items is not None and star is not None and len(items) >= len(targets) - 1:
            tail = len(targets) - star - 1
            for target, item in zip(targets[:star], items[:star], strict=True):
                self.assign(target, item, nid)
            middle = items[star : len(items) - tail]
            self.assign(_starred(targets[star]), self.core.list_of(middle, nid), nid)
            for target, item in zip(targets[star + 1 :], items[len(items) - tail :], strict=True):
                self.assign(target, item, nid)
            return
        if isinstance(value, Tuple) and items is not None:
            value = UNKNOWN  # it is no such tuple: something unknown has changed it on its way
        for position, target in enumerate(targets):
            each = self.element(value, position, nid)
            if isinstance(target, StarExpr):
                box = self.core.box("list", nid, "star")
                box.items = None
                box.elem = each
                self.assign(target.value, box, nid)
            else:
                self.assign(target, each, nid)

    def _unpack_keys(self, targets: Sequence[Expr], star: int, value: Key, nid: int) -> None:
        for position, target in enumerate(targets):
            if position == star:
                behind = position + 1 - len(targets)
                rest = self.keys.key_slice(value, position, behind or None, None)
                self.assign(_starred(target), rest, nid)
            else:
                index = position if position < star else position - len(targets)
                self.assign(target, self.keys.key_item(value, index), nid)

    def element(self, value: Value, position: int, nid: int) -> Value:
        """What unpacking gives a target at this position."""
        return (
            self.interpreter.containers.subscript(value, Const(position), nid)
            if _indexable(value)
            else self.interpreter.containers.iterate(value, nid)
        )


def _starred(target: Expr) -> Expr:
    """What a starred target binds."""
    return target.value if isinstance(target, StarExpr) else target


def _owner_of(method: Code) -> str:
    return method.qualname.rpartition(".")[0]


_PLAIN_BASES = frozenset(
    ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple")
)


def _step(operator: str, value: Value) -> float | None:
    """What an augmented assignment adds, where that is a known number."""
    if not isinstance(value, Const) or type(value.value) not in (int, float) or operator not in ("+", "-"):
        return None
    number: float = value.value
    return number if operator == "+" else -number


def _indexable(value: Value) -> bool:
    return isinstance(value, (Array, Tuple, TracerPytree, OneOf, Unknown, Key)) or (
        isinstance(value, MutableContainer) and value.kind == "list"
    )
