"""Assignments: to names, items, attributes and patterns of them, and what they change in objects."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from jaxlint.analysis import value_partitions
from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.core import DOUBT, Core
from jaxlint.analysis.events import Store, Update
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Mutation, is_same
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.net_mutations import wild
from jaxlint.analysis.trace_staleness import TraceStaleness, is_framework
from jaxlint.domain.join import MutableContainer, Tuple, VariableRef, any_of, blend, join, options_of
from jaxlint.domain.objects import (
    CALLABLE,
    CONSTRUCTION,
    Bound,
    Class,
    Environment,
    Function,
    Imported,
    Instance,
    Key,
    Module,
    Transformed,
)
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.evaluation.operators import Operators
from jaxlint.ir.constant_attributes import Assignments, gives_again
from jaxlint.ir.loop_carried import carries, derives, keeps, updated_place
from jaxlint.ir.lowering import Code, Expr, Program, Stmt
from jaxlint.ir.replaced_fields import STATIC_PART
from jaxlint.tables.deprecation import is_listed

_MAY_KEEP = frozenset(("bool", "call"))
_TESTS = frozenset(("bool", "call", "ifexp", "un"))
_PLACES = frozenset(("name", "attr", "sub"))


class Assignment:
    """Assigns values, and notes what that changes."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        constants: ConstantKeys,
        expressions: Expressions,
        keys: Keys,
        operators: Operators,
        attributes: Attributes,
        narrowing: Narrowing,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.freshness = freshness
        self.constants = constants
        self.expressions = expressions
        self.keys = keys
        self.operators = operators
        self.attributes = attributes
        self.narrowing = narrowing
        self.interpreter = interpreter
        self.patched: set[str] = set()  # names of libraries that the project itself puts there
        self.assignments: dict[int, tuple[dict[str, Assignments], frozenset[str]]] = {}  # by program
        self.restored: set[Value] = set()  # objects of which traced code sets attributes by computed names
        self.again = False  # inside an assignment that gives an attribute again what the constructor gave it
        self.kept = False  # inside an assignment that leaves what is there already
        self.step: float | None = None  # what an augmented assignment adds
        self.derived = False  # inside an assignment of what is made of what was there

    # ---- simple statements

    def s_assign(self, node: Stmt) -> bool:
        if self.flow.frame.turns and "Update" in self.core.hooks and not self.flow.context.staged:
            self.copied(node)
        self.constants.assigning, self.constants.assigned = node[2][0], node[3]
        value = self.expressions.eval(node[3])
        self.kept = node[3][0] in _MAY_KEEP and keeps(node[2][0], node[3])
        self.staleness.moved = node[3][0] in _PLACES
        self.derived = node[3][0] == "call" and derives(node[2][0], node[3])
        self.again = node[2][0][0] == "attr" and self._gives_again(node)
        try:
            for target in node[2]:
                self.assign(target, value, node[1])
        finally:
            self.kept = self.staleness.moved = self.again = self.derived = False
        if self.flow.context.depth and node[3][0] in _TESTS and isinstance(value, (Static, OneOf)):
            if node[2][0][0] == "name":
                self._note_doubts(node[2][0][2], node[3])
        return True

    def _gives_again(self, node: Stmt) -> bool:
        func = self.flow.frame.func
        if self.flow.context.depth or func is None or func.cls is None or len(node[2]) > 1:
            return False
        classes, bound = self._assignments_of(func.module.program)
        assignments = classes.get(func.cls.code.qualname)
        if assignments is None:
            assignments = Assignments(())
        own = func.code.bound
        return gives_again(
            node[2][0], node[3], func.code, assignments, lambda name: name in own or name in bound
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

    def copied(self, node: Stmt) -> None:
        """Tells of an `.at` update that loops repeat on the array it made the turn before."""
        place = updated_place(node[2][0], node[3])
        if place is None or self._is_handed_out():
            return
        total: int | None = 1
        for loop in reversed(self.flow.frame.turns):
            if not carries(loop, place, node):
                break
            total = None if total is None or loop.count is None else total * loop.count
        self.core.emit("Update", Update(node[1], self.flow.frame, self.expressions.eval(place), total))

    def _is_handed_out(self) -> bool:
        """Whether no call of this function is known, and others have it: they may well trace it."""
        func, link = self.flow.frame.func, self.flow.frame.link
        if func is None or (link is not None and link.parent is not None):
            return False
        if func.env.parent is not None or func.code.decorators:
            return True
        return func.cls is not None and (func.cls.opaque() or bool(func.cls.externals() - _PLAIN_BASES))

    def assign_annotated(self, node: Stmt) -> bool:
        if self.flow.env.parent is None or self.flow.env.code is None:
            self.guards.refer_annotation(node[3])
        if node[4] is not None:
            self.assign(node[2], self.expressions.eval(node[4]), node[1])
        return True

    def s_aug(self, node: Stmt) -> bool:
        _, nid, target, operator, value_node, read = node
        before = self.expressions.eval(read)
        value = self.expressions.eval(value_node)
        if target[0] == "sub":
            owner = self.expressions.eval(target[2])
            index = self.expressions.eval(target[3])
            result = self.operators.binary(operator, before, value, nid, augmented=True)
            self.store_item(owner, index, result, nid, "augmented", operator, target)
            return True
        if isinstance(before, MutableContainer) and operator == "+" and before.kind == "list":
            items = self.expressions.known_items(value)
            if items is None:
                before.widen(self.interpreter.containers.iterate(value, nid))
            for item in items or ():
                before.add(item, self.flow.block)
            self.mutated(nid, "append", before, value)
            result = before
        elif isinstance(before, MutableContainer) and operator == "|" and before.kind == "dict":
            self.interpreter.decisions.box_method("update", before, [value], {}, nid)
            result = before
        else:
            result = self.operators.binary(operator, before, value, nid, augmented=True)
        if target[0] == "attr":
            owner = self.expressions.eval(target[2])
            self.step = _step(operator, value)
            self.store_attribute(owner, target[3], result, nid, "augmented", target[1])
        else:
            self.step = _step(operator, value)
            self.assign(target, result, nid)
        self.step = None
        return True

    def s_del(self, node: Stmt) -> bool:
        for target in node[2]:
            if target[0] == "name":
                self.flow.env.vars.pop(target[2], None)
            elif target[0] == "sub":
                owner = self.expressions.eval(target[2])
                index = self.expressions.eval(target[3])
                self.core.emit(
                    "Del", Store(target[1], self.flow.frame, owner, NONE, index=index, kind="delete")
                )
                if isinstance(owner, MutableContainer):
                    owner.blur()
                    self.mutated(target[1], "delete", owner, NONE)
                elif isinstance(owner, Unknown) and owner.token is not None:
                    self.flow.frame.touched.add(owner.token)
        return True

    # ---- assignment

    def assign(self, target: Expr, value: Value, nid: int) -> None:
        kind = target[0]
        if kind == "name":
            self.bind(target[2], value, target[1])
        elif kind == "tuple":
            self.unpack(target[1], value, nid)
        elif kind == "star":
            self.assign(target[1], Tuple(None, self.interpreter.containers.iterate(value, nid)), nid)
        elif kind == "attr":
            self.store_attribute(self.expressions.eval(target[2]), target[3], value, target[1], "assign")
        elif kind == "sub":
            owner = self.expressions.eval(target[2])
            index = self.expressions.eval(target[3])
            self.store_item(owner, index, value, target[1], "assign", "", target)

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
            self.staleness.note_write(("v", id(env), name), nid, env.vars[name], value)
        env.vars[name] = value
        if self.flow.context.depth:
            env.vars.pop(("doubts", name), None)
        if self.flow.conditions or value_partitions.MARK in env.vars:
            self.forget_tests(name)
        if env.parent is None and name in env.module.rebound:
            late = env.vars.get(("late", name))
            env.vars[("late", name)] = value if late is None else join(late, value)

    def forget_tests(self, name: str) -> None:
        """A variable is bound anew: tests of it may have another answer now."""
        if value_partitions.MARK in self.flow.env.vars:
            value_partitions.forget(self.flow.env.vars, name)
        for position, (text, _) in enumerate(self.flow.conditions):
            if value_partitions.mentions(text, name):
                self.flow.conditions[position] = ("", False)

    def bind_outer(self, env: Environment, name: str, value: Value, nid: int, how: str) -> None:
        before = env.vars.get(name)
        held = before
        if before is not None and env.parent is None and name in env.module.rebound:
            held = self.expressions.module_variable(env.module, name, before)
        shown = self.flow.env.vars.get(name)
        if shown is not None:  # what a condition showed of it holds no longer
            self.flow.env.vars[name] = value
        once = shown == NONE or self.narrowing.sets_once("", name, value)
        place = (id(env), name)
        self.mutated(nid, how, UNKNOWN, value, name, env.depth, memo=once, before=held, place=place)
        if not once and not is_same(before, value):
            self.staleness.note_write(("v", id(env), name), nid, held, value)
            self.staleness.note_dropped(held, value)
        after = value if before is None else blend(before, value)
        if isinstance(before, Const) and isinstance(before.value, bool) and env.parent is None:
            after = before
        if after != before:
            env.vars[name] = after
            if ("late", name) not in env.vars:
                self.core.changed(env, name)
        if ("late", name) in env.vars:
            self.keep_late(env, name, value)

    def keep_late(self, env: Environment, name: str, value: Value) -> None:
        """A variable of a module has this value, too, for functions that are called later. What the body of
        the module sets it to each time that it runs is no change."""
        before = env.vars["late", name]
        after = blend(before, value)
        if after != before:
            env.vars["late", name] = after
            self.core.changed(env, name)

    def mutated(
        self, nid: int, how: str, target: Value, new: Value, name: str = "", depth: int | None = None,
        memo: bool = False, before: Value | None = None, item: Value | None = None, place: Hashable = None,
    ) -> None:  # fmt: skip
        """Notes a change to what was made outside the innermost trace. `place`: what is written, where it is
        not the target or an item of it."""
        if isinstance(target, MutableContainer):
            which = self.staleness.note_item(target, item, nid, before, new)
            if target.home is not None:
                self.freshness.note_change(*target.home, nid, which)
        context = self.flow.context
        if context.depth == 0 or self.core.silent:
            return
        if depth is None:
            depth = getattr(target, "depth", context.depth)
        if depth < context.depth:
            outside = context.staged and depth < context.stage
            guards = (("guard", id(target)), ("guard", id(target), name))
            memo = memo or self.kept or any(guard in self.flow.env.vars for guard in guards)
            memo = memo or 0 < context.looked == context.stage
            place = place or (id(target), name, item)
            empty = isinstance(new, MutableContainer) and new.is_empty()
            event = Mutation(
                nid,
                self.flow.frame,
                how,
                target,
                new,
                name,
                outside,
                memo,
                before,
                place,
                depth,
                self.step,
                empty,
            )
            self.flow.frame.mutations += (event,)

    def is_undone(self, event: Mutation) -> bool:
        """Whether other traced code may put back whatever there was."""
        return event.how == "attribute" and event.target in self.restored

    def unpack(self, targets: Sequence[Expr], value: Value, nid: int) -> None:
        items = self.expressions.known_items(value)
        star = next((i for i, each in enumerate(targets) if each[0] == "star"), None)
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
            self.assign(targets[star][1], self.core.list_of(middle, nid), nid)
            for target, item in zip(targets[star + 1 :], items[len(items) - tail :], strict=True):
                self.assign(target, item, nid)
            return
        for position, target in enumerate(targets):
            each = self.element(value, position, nid)
            if target[0] == "star":
                box = self.core.box("list", nid, "star")
                box.items = None
                box.elem = each
                self.assign(target[1], box, nid)
            else:
                self.assign(target, each, nid)

    def _unpack_keys(self, targets: Sequence[Expr], star: int, value: Key, nid: int) -> None:
        for position, target in enumerate(targets):
            if position == star:
                behind = position + 1 - len(targets)
                self.assign(target[1], self.keys.key_slice(value, position, behind or None, None), nid)
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

    def store_item(
        self, owner: Value, index: Value, value: Value, nid: int, kind: str, operator: str, target: Expr
    ) -> None:
        name = "AugAssign" if kind == "augmented" else "Assign"
        if name in self.core.hooks and not isinstance(owner, (Unknown, Const)):
            self.core.emit(name, Store(nid, self.flow.frame, owner, value, index, None, kind, operator))
        for each in options_of(owner):
            if isinstance(each, MutableContainer):
                own = each.kind == "dict" and kind == "assign"
                at = target[1] if target[0] == "sub" else nid
                self.mutated(at, "item", each, value, memo=own, before=_item_of(each, index), item=index)
                if each.kind == "dict":
                    if isinstance(index, Const):
                        each.set(index.value, value, self.flow.block)
                    else:
                        each.elem = value if each.elem is None else join(each.elem, value)
                elif isinstance(index, Const) and each.items is not None and isinstance(index.value, int):
                    if -len(each.items) <= index.value < len(each.items):
                        before = each.items[index.value]
                        exact = each.block == self.flow.block
                        each.items[index.value] = value if exact else join(before, value)
                else:
                    each.widen(
                        value if not _is_slice(index) else self.interpreter.containers.iterate(value, nid)
                    )
            elif isinstance(each, VariableRef):
                each.put(value)
            elif isinstance(each, Unknown) and each.token is not None:
                self.flow.frame.touched.add(each.token)
            elif isinstance(each, Instance):
                method = self.attributes.special(each, "__setitem__", nid)
                if method is not None:
                    self.interpreter.calls.call(method, [index, value], {}, nid)
            elif isinstance(each, NumPyArray) and target[0] == "sub" and target[2][0] == "name":
                env = self.home_of(target[2][2])
                self.staleness.note_write(("v", id(env), target[2][2]), nid)
                self.mutated(target[1], "item", each, value, target[2][2], env.depth)

    def home_of(self, name: str) -> Environment:
        """Where the variable of this name is that is seen from here."""
        env: Environment | None = self.flow.env
        while env is not None and name not in env.vars:
            env = env.parent
        return env or self.flow.env

    def store_attribute(
        self, owner: Value, name: str, value: Value, nid: int, kind: str, target: int | None = None
    ) -> None:
        """`target`: the number of the attribute, where `nid` is a whole statement's."""
        if "Store" in self.core.hooks:
            self.core.emit("Store", Store(nid, self.flow.frame, owner, value, None, name, kind))
        at = nid if target is None else target
        for each in options_of(owner):
            if isinstance(each, Instance):
                self._store_in_instance(each, name, value, nid, at)
            elif isinstance(each, VariableRef):
                each.put(value)
            elif isinstance(each, Class):
                self._store_in_class(each, name, value, nid, at)
            elif isinstance(each, Function):
                each.attributes[name] = value
                self.mutated(at, "attribute", each, value, name, each.env.depth)
            elif isinstance(each, Imported):
                self._store_in_module(each.module, name, value, nid)
            elif isinstance(each, External):
                if is_listed(f"{each.name}.{name}"):
                    self.patched.add(f"{each.name}.{name}")
            elif isinstance(each, Unknown):
                if self.flow.context.depth:
                    self.flow.frame.mutations += (wild(nid, self.flow.frame, name),)
                if each.token is not None:
                    self.flow.env.vars["@", each.token, name] = value

    def _store_in_instance(self, owner: Instance, name: str, value: Value, nid: int, at: int) -> None:
        if name not in owner.attributes and self._is_set_by_class(owner, name, value, nid):
            return
        self._note_write(owner.cls, name, nid)
        if not self.again:
            self.freshness.note_change(owner, name, nid, is_derived=self.derived)
        mark = ("@", id(owner), name)
        before = self.flow.env.vars.get(mark)
        if before is None:
            before = (
                self.attributes.held(owner, name) if name in owner.attributes else owner.cls.default(name)
            )
        once = before == NONE and mark in self.flow.env.vars
        once = once or self.again or self.narrowing.sets_once(id(owner), name, value)
        self.staleness.note_dropped(before, value)
        self.core.set_attribute(owner, name, value)
        self.flow.env.vars[mark] = value
        self.flow.frame.writes[owner, name] = mark
        if not once and not is_same(before, value):
            self.staleness.note_write(("a", id(owner), name), nid, before, value)
            if not self.derived and not isinstance(value, (Const, Array, Key)):
                self.staleness.note_write(("a", id(owner), (name, STATIC_PART)), nid, before, value)
        if isinstance(value, (Transformed, Bound, Function)):
            self.staleness.note_made(("set", id(owner), name))
        if not is_framework(owner.cls):
            self.mutated(at, "attribute", owner, value, name, memo=once, before=before)

    def _store_in_class(self, owner: Class, name: str, value: Value, nid: int, at: int) -> None:
        before = owner.attributes.get(name)
        if before is not None and not is_same(before, value):
            self.staleness.note_write(("c", id(owner), name), nid)
        owner.attributes[name] = value if before is None else join(before, value)
        once = self.narrowing.sets_once(id(owner), name, value)
        self.mutated(at, "attribute", owner, value, name, owner.env.depth, memo=once, before=before)

    def _store_in_module(self, module: Module, name: str, value: Value, nid: int) -> None:
        env = module.env
        before = env.vars.get(name)
        env.vars[name] = value if before is None else join(before, value)
        if env.vars[name] != before and ("late", name) not in env.vars:
            self.core.changed(env, name)
        if before is not None and not is_same(before, value):
            self.staleness.note_write(("v", id(env), name), nid, before, value)
        if before is not None and module is not self.flow.module:
            module.rebound = module.rebound | {name}
            env.vars.setdefault(("late", name), before)
            self.keep_late(env, name, value)

    def _is_set_by_class(self, owner: Instance, name: str, value: Value, nid: int) -> bool:
        """Whether a property's setter takes a value. Else the attribute is what the class says until a method
        that is no constructor writes it."""
        found = owner.cls.lookup(name)
        if found is None:
            return False
        if isinstance(found[0], Product):
            if found[0].kind != "property" or found[0].parts[2] == NONE:
                return False
            self.interpreter.calls.call(found[0].parts[2], [owner, value], {}, nid)
            return True
        func = self.flow.frame.func
        if func is None or func.code.name not in CONSTRUCTION:
            if isinstance(found[0], (Const, Static, Array, NumPyArray)):
                self.core.set_attribute(owner, name, found[0])
        return False

    def store_somewhere(self, owner: Value) -> None:
        """An attribute is set whose name is computed: each that is set by now, and is no function, may be
        another. A constructor gets to those that are set before."""
        func = self.flow.frame.func
        constructs = func is not None and func.code.name in CONSTRUCTION
        for each in options_of(owner):
            if not isinstance(each, Instance):
                continue
            if self.flow.context.depth > each.depth:
                self.restored.add(each)
            for name, value in tuple(each.attributes.items()):
                if constructs and ("@", id(each), name) not in self.flow.env.vars:
                    continue
                if not all(isinstance(option, CALLABLE) for option in options_of(value)):
                    self.core.set_attribute(each, name, UNKNOWN)
                    self.flow.env.vars["@", id(each), name] = UNKNOWN

    def _note_write(self, cls: Class, name: str, nid: int) -> None:
        func = self.flow.frame.func
        where = func.code.name if func is not None else "<module>"
        own = func is not None and func.cls is not None and func.cls in cls.lineage()
        entry = (where if own else f"*{where}", self.flow.module, nid)
        writes = cls.instance_writes.setdefault(name, set())
        if entry not in writes:
            writes.add(entry)


def _owner_of(method: Code) -> str:
    return method.qualname.rpartition(".")[0]


_PLAIN_BASES = frozenset(
    ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple")
)


def _item_of(box: MutableContainer, index: Value) -> Value | None:
    """The item that is there under a constant, where it is known."""
    if not isinstance(index, Const):
        return None
    if box.kind == "dict":
        return box.entries.get(index.value)
    if box.items is not None and isinstance(index.value, int):
        return box.items[index.value] if -len(box.items) <= index.value < len(box.items) else None
    return None


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


def _is_slice(index: Value) -> bool:
    return isinstance(index, Product) and index.kind == "slice"
