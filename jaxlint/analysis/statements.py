"""Analyzing statements: what flows on, what is merged, and what a condition shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from jaxlint.analysis import value_partitions
from jaxlint.analysis.core import AT_ONCE, DOUBT, Unreachable
from jaxlint.analysis.events import Loop, Mutation, Store, Test, Update
from jaxlint.analysis.expressions import _nid_of
from jaxlint.analysis.feature_guards import EXPECTED, MISSING
from jaxlint.analysis.function_context import Context, FunctionContext, Vars
from jaxlint.analysis.narrowing import Narrowing
from jaxlint.analysis.net_mutations import wild
from jaxlint.analysis.trace_cache import is_same, meet
from jaxlint.analysis.trace_staleness import is_framework
from jaxlint.domain.key_tokens import merged
from jaxlint.domain.program import Module
from jaxlint.domain.values import (
    CALLABLE,
    CONSTRUCTION,
    NONE,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Const,
    Environment,
    External,
    FeatureProbe,
    Function,
    Imported,
    Instance,
    Key,
    MutableContainer,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Transformed,
    Tuple,
    Unknown,
    Value,
    VariableRef,
    any_of,
    asks,
    blend,
    given_or_default,
    join,
    level_of,
    may_lack,
    one_key,
    options_of,
    widen,
)
from jaxlint.failure import MOST, Failure
from jaxlint.ir.constant_attributes import Assignments, gives_again
from jaxlint.ir.loop_carried import Turns, carries, derives, keeps, updated_place
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.lowering import ClassCode, Code, Expr, Program, Stmt
from jaxlint.ir.replaced_fields import STATIC_PART
from jaxlint.tables.deprecation import is_listed

_WARNS = Product("context", "warns")
_MAY_KEEP = frozenset(("bool", "call"))
_TESTS = frozenset(("bool", "call", "ifexp", "un"))
_PLACES = frozenset(("name", "attr", "sub"))


class Statements(Narrowing):
    """Analyzes lowered statements; each handler says whether control flows on."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.assignments: dict[int, tuple[dict[str, Assignments], frozenset[str]]] = {}  # by program
        self._steps: dict[str, Callable[[Stmt], bool]] = {
            name[2:]: getattr(self, name) for name in dir(self) if name.startswith("s_")
        }
        self.restored: set[Value] = set()  # objects of which traced code sets attributes by computed names

    def run_block(self, body: Sequence[Stmt]) -> bool:
        if not body:
            return True
        steps = self._steps
        frame, context, block = self.frame, self.context, self.block
        loop, tests, held, rounds = frame.loop, len(self.conditions), len(self.tests), len(self.rounds)
        iterations, turns, breaks, continues = frame.iterations, frame.turns, frame.breaks, frame.continues
        asking, arms = (self.guards, self.warned, self.floors), self.arms
        around = (self.env, self.module, self.depth, self.trace_cache, self.conditions, self.tests)
        self.arms = 0
        try:
            for statement in body:
                try:
                    if not steps[statement[0]](statement):
                        return False
                    continue
                except Unreachable:
                    follows = False
                except Exception as error:
                    if isinstance(error, (RecursionError, MemoryError)) or len(self.failures) >= MOST:
                        raise
                    self._lose(statement, error, frame)
                    self.env, self.module, self.depth, self.trace_cache, self.conditions, self.tests = around
                    self._forget_names(statement)
                    follows = True
                frame.loop, self.block, self.arms = loop, block, 0
                self.guards, self.warned, self.floors = asking
                frame.iterations, frame.turns, frame.breaks, frame.continues = (
                    iterations,
                    turns,
                    breaks,
                    continues,
                )
                del self.conditions[tests:], self.tests[held:], self.rounds[rounds:]
                self.set_context(context)
                if not follows:
                    return False
            return True
        finally:
            self.arms = arms

    def _lose(self, statement: Stmt, error: Exception, frame: FunctionContext) -> None:
        """Analyzing a statement failed: that is reported, and what it called is left."""
        number = statement[1] if len(statement) > 1 and type(statement[1]) is int else None
        self.note_failure(Failure.of(error, frame.module.path, number))
        inner: FunctionContext | None = self.frame
        while inner is not None and inner is not frame:
            inner.running = False
            inner = None if inner.link is None else inner.link.parent
        self.frame = frame
        self.keeping = self.delegating = self.unconsuming = 0
        self.looking = False

    def _forget_names(self, statement: Stmt) -> None:
        """What a statement names may be anything behind it where analyzing it failed."""
        stack: list[Any] = [statement]
        while stack:
            part = stack.pop()
            if type(part) is not tuple:
                continue
            if len(part) == 3 and part[0] == "name" and type(part[1]) is int and part[2] in self.env.vars:
                self.env.vars[part[2]] = UNKNOWN
            stack += part

    # ---- simple statements

    def s_expr(self, node: Stmt) -> bool:
        self.x_discard(node)
        called = node[2]
        if called[0] == "call":
            func = called[2]
            if func[0] == "attr" and func[2][0] == "name" and (func[2][2], func[3]) in _EXITS:
                return False
        return True

    def s_pass(self, node: Stmt) -> bool:
        return True

    def s_assign(self, node: Stmt) -> bool:
        if self.frame.turns and "Update" in self.hooks and not self.context.staged:
            self.copied(node)
        self.assigning, self.assigned = node[2][0], node[3]
        value = self.eval(node[3])
        self.kept = node[3][0] in _MAY_KEEP and keeps(node[2][0], node[3])
        self.moved = node[3][0] in _PLACES
        self.derived = node[3][0] == "call" and derives(node[2][0], node[3])
        self.again = node[2][0][0] == "attr" and self._gives_again(node)
        try:
            for target in node[2]:
                self.assign(target, value, node[1])
        finally:
            self.kept = self.moved = self.again = self.derived = False
        if self.context.depth and node[3][0] in _TESTS and isinstance(value, (Static, OneOf)):
            if node[2][0][0] == "name":
                self._note_doubts(node[2][0][2], node[3])
        return True

    again = False  # inside an assignment that gives an attribute again what the constructor gave it

    def _gives_again(self, node: Stmt) -> bool:
        func = self.frame.func
        if self.context.depth or func is None or func.cls is None or len(node[2]) > 1:
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
        state = self.env.vars
        doubts = []
        for truth in (True, False):
            self.env.vars = {**state, DOUBT: NONE}
            if self.assume(test, truth) and self.env.vars[DOUBT] != NONE:
                doubts.append(Const(truth))
        self.env.vars = state
        if doubts:
            state["doubts", name] = Tuple(tuple(doubts))

    assigning: Expr = ("opaque",)  # the target of the assignment that is being evaluated
    assigned: Expr = ("opaque",)  # and its value
    kept = False  # inside an assignment that leaves what is there already

    def copied(self, node: Stmt) -> None:
        """Tells of an `.at` update that loops repeat on the array it made the turn before."""
        place = updated_place(node[2][0], node[3])
        if place is None or self._is_handed_out():
            return
        total: int | None = 1
        for loop in reversed(self.frame.turns):
            if not carries(loop, place, node):
                break
            total = None if total is None or loop.count is None else total * loop.count
        self.emit("Update", Update(node[1], self.frame, self.eval(place), total))

    def _is_handed_out(self) -> bool:
        """Whether no call of this function is known, and others have it: they may well trace it."""
        func, link = self.frame.func, self.frame.link
        if func is None or (link is not None and link.parent is not None):
            return False
        if func.env.parent is not None or func.code.decorators:
            return True
        return func.cls is not None and (func.cls.opaque() or bool(func.cls.externals() - _PLAIN_BASES))

    def s_ann(self, node: Stmt) -> bool:
        if self.env.parent is None or self.env.code is None:
            self.refer_annotation(node[3])
        if node[4] is not None:
            self.assign(node[2], self.eval(node[4]), node[1])
        return True

    def s_aug(self, node: Stmt) -> bool:
        _, nid, target, operator, value_node, read = node
        before = self.eval(read)
        value = self.eval(value_node)
        if target[0] == "sub":
            owner = self.eval(target[2])
            index = self.eval(target[3])
            result = self.binary(operator, before, value, nid, augmented=True)
            self.store_item(owner, index, result, nid, "augmented", operator, target)
            return True
        if isinstance(before, MutableContainer) and operator == "+" and before.kind == "list":
            items = self.known_items(value)
            if items is None:
                before.widen(self.iterate(value, nid))
            for item in items or ():
                before.add(item, self.block)
            self.mutated(nid, "append", before, value)
            result = before
        elif isinstance(before, MutableContainer) and operator == "|" and before.kind == "dict":
            self.box_method("update", before, [value], {}, nid)
            result = before
        else:
            result = self.binary(operator, before, value, nid, augmented=True)
        if target[0] == "attr":
            owner = self.eval(target[2])
            self.step = _step(operator, value)
            self.store_attribute(owner, target[3], result, nid, "augmented", target[1])
        else:
            self.step = _step(operator, value)
            self.assign(target, result, nid)
        self.step = None
        return True

    def s_return(self, node: Stmt) -> bool:
        value = self.eval(node[2])
        if self.context.depth and self.truth(value) is None:
            value = self.answer_of_tracer(node[2]) or value
        self.frame.returns += ((value, self.env.vars),)
        return False

    def s_raise(self, node: Stmt) -> bool:
        self.eval(node[2])
        return False

    def s_assert(self, node: Stmt) -> bool:
        value = self.asked(self.eval(node[2]), _nid_of(node[2], node[1]), "Assert")
        if level_of(value):
            self.emit("Assert", Test(_nid_of(node[2], node[1]), self.frame, value, "assert"))
        truth = self.truth(value)
        if truth is False and node[2] == ("const", False):
            return False
        if asks(value):
            self.leave_arm(asks(value), ())
        self.asserting, asserting = True, self.asserting
        holds = self.assume(node[2], True)
        self.asserting = asserting
        return holds

    def s_del(self, node: Stmt) -> bool:
        for target in node[2]:
            if target[0] == "name":
                self.env.vars.pop(target[2], None)
            elif target[0] == "sub":
                owner = self.eval(target[2])
                index = self.eval(target[3])
                self.emit("Del", Store(target[1], self.frame, owner, NONE, index=index, kind="delete"))
                if isinstance(owner, MutableContainer):
                    owner.blur()
                    self.mutated(target[1], "delete", owner, NONE)
                elif isinstance(owner, Unknown) and owner.token is not None:
                    self.frame.touched.add(owner.token)
        return True

    def s_break(self, node: Stmt) -> bool:
        if self.frame.breaks:
            self.frame.breaks[-1].append(self.env.vars)
        return False

    def s_continue(self, node: Stmt) -> bool:
        if self.frame.continues:
            self.frame.continues[-1].append(self.env.vars)
        return False

    # ---- assignment

    def assign(self, target: Expr, value: Value, nid: int) -> None:
        kind = target[0]
        if kind == "name":
            self.bind(target[2], value, target[1])
        elif kind == "tuple":
            self.unpack(target[1], value, nid)
        elif kind == "star":
            self.assign(target[1], Tuple(None, self.iterate(value, nid)), nid)
        elif kind == "attr":
            self.store_attribute(self.eval(target[2]), target[3], value, target[1], "assign")
        elif kind == "sub":
            owner = self.eval(target[2])
            index = self.eval(target[3])
            self.store_item(owner, index, value, target[1], "assign", "", target)

    def bind(self, name: str, value: Value, nid: int) -> None:
        env = self.env
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
            and (env.parent is None or self.trace_cache.traces)
            and not is_same(env.vars[name], value)
        ):
            self.note_write(("v", id(env), name), nid, env.vars[name], value)
        env.vars[name] = value
        if self.context.depth:
            env.vars.pop(("doubts", name), None)
        if self.conditions or value_partitions.MARK in env.vars:
            self.forget_tests(name)
        if env.parent is None and name in env.module.rebound:
            late = env.vars.get(("late", name))
            env.vars[("late", name)] = value if late is None else join(late, value)

    def answered(self, test: Expr) -> bool | None:
        """What a simple test gives that an enclosing one, or the caller's, has answered."""
        if not self.conditions and not self.context.assumed:
            return None
        text, sense = value_partitions.test_text(test)
        for known in (self.context.assumed, self.conditions):
            for truth in (True, False):
                if text and (text, truth) in known:
                    return truth == sense
        return None

    def forget_tests(self, name: str) -> None:
        """A variable is bound anew: tests of it may have another answer now."""
        if value_partitions.MARK in self.env.vars:
            value_partitions.forget(self.env.vars, name)
        for position, (text, _) in enumerate(self.conditions):
            if value_partitions.mentions(text, name):
                self.conditions[position] = ("", False)

    def bind_outer(self, env: Environment, name: str, value: Value, nid: int, how: str) -> None:
        before = env.vars.get(name)
        held = before
        if before is not None and env.parent is None and name in env.module.rebound:
            held = self.module_variable(env.module, name, before)
        shown = self.env.vars.get(name)
        if shown is not None:  # what a condition showed of it holds no longer
            self.env.vars[name] = value
        once = shown == NONE or self.sets_once("", name, value)
        place = (id(env), name)
        self.mutated(nid, how, UNKNOWN, value, name, env.depth, memo=once, before=held, place=place)
        if not once and not is_same(before, value):
            self.note_write(("v", id(env), name), nid, held, value)
            self.note_dropped(held, value)
        after = value if before is None else blend(before, value)
        if isinstance(before, Const) and isinstance(before.value, bool) and env.parent is None:
            after = before
        if after != before:
            env.vars[name] = after
            if ("late", name) not in env.vars:
                self.changed(env, name)
        if ("late", name) in env.vars:
            self.keep_late(env, name, value)

    def keep_late(self, env: Environment, name: str, value: Value) -> None:
        """A variable of a module has this value, too, for functions that are called later. What the body of
        the module sets it to each time that it runs is no change."""
        before = env.vars["late", name]
        after = blend(before, value)
        if after != before:
            env.vars["late", name] = after
            self.changed(env, name)

    def mutated(
        self, nid: int, how: str, target: Value, new: Value, name: str = "", depth: int | None = None,
        memo: bool = False, before: Value | None = None, item: Value | None = None, place: Hashable = None,
    ) -> None:  # fmt: skip
        """Notes a change to what was made outside the innermost trace. `place`: what is written, where it is
        not the target or an item of it."""
        if isinstance(target, MutableContainer):
            which = self.note_item(target, item, nid, before, new)
            if target.home is not None:
                self.note_change(*target.home, nid, which)
        context = self.context
        if context.depth == 0 or self.silent:
            return
        if depth is None:
            depth = getattr(target, "depth", context.depth)
        if depth < context.depth:
            outside = context.staged and depth < context.stage
            guards = (("guard", id(target)), ("guard", id(target), name))
            memo = memo or self.kept or any(guard in self.env.vars for guard in guards)
            memo = memo or 0 < context.looked == context.stage
            place = place or (id(target), name, item)
            empty = isinstance(new, MutableContainer) and new.is_empty()
            event = Mutation(
                nid, self.frame, how, target, new, name, outside, memo, before, place, depth, self.step, empty
            )
            self.frame.mutations += (event,)

    step: float | None = None  # what an augmented assignment adds

    def is_undone(self, event: Mutation) -> bool:
        """Whether other traced code may put back whatever there was."""
        return event.how == "attribute" and event.target in self.restored

    def unpack(self, targets: Sequence[Expr], value: Value, nid: int) -> None:
        items = self.known_items(value)
        star = next((i for i, each in enumerate(targets) if each[0] == "star"), None)
        if items is None and isinstance(value, Key):
            items = tuple(self.key_item(value, i) for i in range(len(targets)))
            if star is not None:
                self._unpack_keys(targets, star, value, nid)
                return
        if items is None and isinstance(value, OneOf):
            options = [self.known_items(option) for option in value.options]
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
            self.assign(targets[star][1], self.list_of(middle, nid), nid)
            for target, item in zip(targets[star + 1 :], items[len(items) - tail :], strict=True):
                self.assign(target, item, nid)
            return
        for position, target in enumerate(targets):
            each = self.element(value, position, nid)
            if target[0] == "star":
                box = self.box("list", nid, "star")
                box.items = None
                box.elem = each
                self.assign(target[1], box, nid)
            else:
                self.assign(target, each, nid)

    def _unpack_keys(self, targets: Sequence[Expr], star: int, value: Key, nid: int) -> None:
        for position, target in enumerate(targets):
            if position == star:
                behind = position + 1 - len(targets)
                self.assign(target[1], self.key_slice(value, position, behind or None, None), nid)
            else:
                index = position if position < star else position - len(targets)
                self.assign(target, self.key_item(value, index), nid)

    def box_method(
        self, name: str, box: MutableContainer, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        raise NotImplementedError

    def key_item(self, owner: Key, index: int) -> Key:
        raise NotImplementedError

    def key_slice(self, owner: Key, start: int | None, stop: int | None, step: int | None) -> Key:
        raise NotImplementedError

    def element(self, value: Value, position: int, nid: int) -> Value:
        """What unpacking gives a target at this position."""
        return self.subscript(value, Const(position), nid) if _indexable(value) else self.iterate(value, nid)

    def store_item(
        self, owner: Value, index: Value, value: Value, nid: int, kind: str, operator: str, target: Expr
    ) -> None:
        name = "AugAssign" if kind == "augmented" else "Assign"
        if name in self.hooks and not isinstance(owner, (Unknown, Const)):
            self.emit(name, Store(nid, self.frame, owner, value, index, None, kind, operator))
        for each in options_of(owner):
            if isinstance(each, MutableContainer):
                own = each.kind == "dict" and kind == "assign"
                at = target[1] if target[0] == "sub" else nid
                self.mutated(at, "item", each, value, memo=own, before=_item_of(each, index), item=index)
                if each.kind == "dict":
                    if isinstance(index, Const):
                        each.set(index.value, value, self.block)
                    else:
                        each.elem = value if each.elem is None else join(each.elem, value)
                elif isinstance(index, Const) and each.items is not None and isinstance(index.value, int):
                    if -len(each.items) <= index.value < len(each.items):
                        before = each.items[index.value]
                        exact = each.block == self.block
                        each.items[index.value] = value if exact else join(before, value)
                else:
                    each.widen(value if not _is_slice(index) else self.iterate(value, nid))
            elif isinstance(each, VariableRef):
                each.put(value)
            elif isinstance(each, Unknown) and each.token is not None:
                self.frame.touched.add(each.token)
            elif isinstance(each, Instance):
                method = self.special(each, "__setitem__", nid)
                if method is not None:
                    self.call(method, [index, value], {}, nid)
            elif isinstance(each, NumPyArray) and target[0] == "sub" and target[2][0] == "name":
                env = self.home_of(target[2][2])
                self.note_write(("v", id(env), target[2][2]), nid)
                self.mutated(target[1], "item", each, value, target[2][2], env.depth)

    def home_of(self, name: str) -> Environment:
        """Where the variable of this name is that is seen from here."""
        env: Environment | None = self.env
        while env is not None and name not in env.vars:
            env = env.parent
        return env or self.env

    def store_attribute(
        self, owner: Value, name: str, value: Value, nid: int, kind: str, target: int | None = None
    ) -> None:
        """`target`: the number of the attribute, where `nid` is a whole statement's."""
        if "Store" in self.hooks:
            self.emit("Store", Store(nid, self.frame, owner, value, None, name, kind))
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
                if self.context.depth:
                    self.frame.mutations += (wild(nid, self.frame, name),)
                if each.token is not None:
                    self.env.vars["@", each.token, name] = value

    def _store_in_instance(self, owner: Instance, name: str, value: Value, nid: int, at: int) -> None:
        if name not in owner.attributes and self._is_set_by_class(owner, name, value, nid):
            return
        self._note_write(owner.cls, name, nid)
        if not self.again:
            self.note_change(owner, name, nid, is_derived=self.derived)
        mark = ("@", id(owner), name)
        before = self.env.vars.get(mark)
        if before is None:
            before = self.held(owner, name) if name in owner.attributes else owner.cls.default(name)
        once = before == NONE and mark in self.env.vars
        once = once or self.again or self.sets_once(id(owner), name, value)
        self.note_dropped(before, value)
        self.set_attribute(owner, name, value)
        self.env.vars[mark] = value
        self.frame.writes[owner, name] = mark
        if not once and not is_same(before, value):
            self.note_write(("a", id(owner), name), nid, before, value)
            if not self.derived and not isinstance(value, (Const, Array, Key)):
                self.note_write(("a", id(owner), (name, STATIC_PART)), nid, before, value)
        if isinstance(value, (Transformed, Bound, Function)):
            self.note_made(("set", id(owner), name))
        if not is_framework(owner.cls):
            self.mutated(at, "attribute", owner, value, name, memo=once, before=before)

    def _store_in_class(self, owner: Class, name: str, value: Value, nid: int, at: int) -> None:
        before = owner.attributes.get(name)
        if before is not None and not is_same(before, value):
            self.note_write(("c", id(owner), name), nid)
        owner.attributes[name] = value if before is None else join(before, value)
        once = self.sets_once(id(owner), name, value)
        self.mutated(at, "attribute", owner, value, name, owner.env.depth, memo=once, before=before)

    def _store_in_module(self, module: Module, name: str, value: Value, nid: int) -> None:
        env = module.env
        before = env.vars.get(name)
        env.vars[name] = value if before is None else join(before, value)
        if env.vars[name] != before and ("late", name) not in env.vars:
            self.changed(env, name)
        if before is not None and not is_same(before, value):
            self.note_write(("v", id(env), name), nid, before, value)
        if before is not None and module is not self.module:
            module.rebound = module.rebound | {name}
            env.vars.setdefault(("late", name), before)
            self.keep_late(env, name, value)

    def held(self, owner: Instance, name: str) -> Value:
        raise NotImplementedError

    def _is_set_by_class(self, owner: Instance, name: str, value: Value, nid: int) -> bool:
        """Whether a property's setter takes a value. Else the attribute is what the class says until a method
        that is no constructor writes it."""
        found = owner.cls.lookup(name)
        if found is None:
            return False
        if isinstance(found[0], Product):
            if found[0].kind != "property" or found[0].parts[2] == NONE:
                return False
            self.call(found[0].parts[2], [owner, value], {}, nid)
            return True
        func = self.frame.func
        if func is None or func.code.name not in CONSTRUCTION:
            if isinstance(found[0], (Const, Static, Array, NumPyArray)):
                self.set_attribute(owner, name, found[0])
        return False

    def store_somewhere(self, owner: Value) -> None:
        """An attribute is set whose name is computed: each that is set by now, and is no function, may be
        another. A constructor gets to those that are set before."""
        func = self.frame.func
        constructs = func is not None and func.code.name in CONSTRUCTION
        for each in options_of(owner):
            if not isinstance(each, Instance):
                continue
            if self.context.depth > each.depth:
                self.restored.add(each)
            for name, value in tuple(each.attributes.items()):
                if constructs and ("@", id(each), name) not in self.env.vars:
                    continue
                if not all(isinstance(option, CALLABLE) for option in options_of(value)):
                    self.set_attribute(each, name, UNKNOWN)
                    self.env.vars["@", id(each), name] = UNKNOWN

    def _note_write(self, cls: Class, name: str, nid: int) -> None:
        func = self.frame.func
        where = func.code.name if func is not None else "<module>"
        own = func is not None and func.cls is not None and func.cls in cls.lineage()
        entry = (where if own else f"*{where}", self.module, nid)
        writes = cls.instance_writes.setdefault(name, set())
        if entry not in writes:
            writes.add(entry)

    # ---- branches

    def branch(self, parts: Sequence[Callable[[], bool]]) -> bool:
        """Analyzes alternatives from the same state and merges what flows on."""
        start = self.env.vars
        block = self.block
        live: list[Vars] = []
        trace_cache, ends = self.trace_cache, []
        for part in parts:
            self.env.vars = dict(start)
            self.block = self.new_block()
            self.trace_cache = trace_cache.copy()
            if part():
                live.append(self.env.vars)
                ends.append(self.trace_cache)
        self.block = block
        if not live:
            self.env.vars, self.trace_cache = start, trace_cache
            return False
        self.env.vars, self.trace_cache = merge(live, self.fresh), meet(ends)
        return True

    def s_if(self, node: Stmt) -> bool:
        _, nid, test, body, orelse = node
        value = self.asked(self.eval(test), _nid_of(test, nid), "If")
        if level_of(value):
            self.emit("If", Test(_nid_of(test, nid), self.frame, value, "if"))
        truth = self.truth(value)
        if truth is None:
            truth = self.answered(test)
        if truth is not None:
            self.narrow(test, truth)
            return self.run_block(body if truth else orelse)
        how = asks(value) or ("name" if may_lack(value) else "")
        left, doubts = [], [self.env.vars.get(DOUBT)]
        stays: list[Held] = []  # what holds after an arm was left
        above: list[bool] = []  # whether the arm was one for newer versions of JAX
        ends: list[tuple[Sequence[value_partitions.Fact], Vars]] = []

        def take(truth: bool, arm: Any) -> bool:
            if not self.assume(test, truth):
                return False
            doubts.append(self.env.vars.get(DOUBT))
            self.guards += bool(how)
            floors, floor = self.floors, _floor(value, truth)
            self.floors += floor
            facts, before = value_partitions.facts_of(test, truth), len(self.conditions)
            value_partitions.recall(self.env.vars, facts)
            self.conditions.extend(facts)
            held = len(self.tests)
            self.tests.append(Held(test, truth, len(self.frame.iterations)))
            flows = self.run_block(arm)
            del self.conditions[before:], self.tests[held:]
            self.guards -= bool(how)
            self.floors = floors
            if flows:
                ends.append((facts, self.env.vars))
            else:
                left.append(arm)
                above.append(bool(floor))
                stays.append(Held(test, not truth, len(self.frame.iterations)))
            return flows

        flows = self.branch((lambda: take(True, body), lambda: take(False, orelse)))
        if len(ends) > 1:
            value_partitions.remember(self.env.vars, ends)
        if not left and len(doubts) == 3 and doubts[0] is None and doubts[1] == doubts[2]:
            if doubts[1] is not None and self.env.vars.get(DOUBT) == doubts[1]:
                del self.env.vars[DOUBT]  # one of the two ways was taken, and both lead here
        if flows:
            self.tests += stays
        if how and flows and left:
            self.leave_arm(how, left[0], above[0])
        return flows

    def s_match(self, node: Stmt) -> bool:
        _, nid, subject_node, cases = node
        subject = self.eval(subject_node)
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
            before = len(self.tests)
            if pattern[0] == "value":
                equal = ("cmp", nid, of, (("==", pattern[2]),))
                self.tests.append(Held(equal, True, len(self.frame.iterations)))
            flows = take()
            del self.tests[before:]
            return flows

        def take() -> bool:
            self.bind_pattern(pattern, subject, nid)
            if guard is not None:
                value = self.eval(guard)
                self.emit("MatchCase", Test(_nid_of(guard, nid), self.frame, value, "guard"))
                if self.truth(value) is False:
                    return False
                self.narrow(guard, True)
            return self.run_block(body)

        return run

    def pattern_truth(self, pattern: Any, subject: Value, nid: int) -> bool | None:
        if pattern[0] == "value":
            value = self.eval(pattern[2])
            result = self.compare("==", subject, value, pattern[1])
            if isinstance(subject, Array) and isinstance(result, Array):
                self.emit("MatchCase", Test(pattern[1], self.frame, result, "guard"))
            return self.truth(result)
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
                self.bind(pattern[1], subject, nid)
        elif kind == "sequence":
            for position, each in enumerate(pattern[1]):
                if each[0] == "star":
                    if each[1] is not None:
                        self.bind(each[1], Tuple(None, self.iterate(subject, nid)), nid)
                else:
                    self.bind_pattern(each, self.element(subject, position, nid), nid)
        elif kind in ("mapping", "instance"):
            for place, each in enumerate(pattern[1] if kind == "mapping" else pattern[2]):
                held: Value = UNKNOWN
                if kind == "mapping" and isinstance(subject, MutableContainer) and subject.kind == "dict":
                    key = self.eval(pattern[3][place])
                    held = self.subscript(subject, key, nid) if isinstance(key, Const) else UNKNOWN
                self.bind_pattern(each, held, nid)
        elif kind == "or":
            for each in pattern[1]:
                self.bind_pattern(each, subject, nid)

    # ---- loops

    def s_for(self, node: Stmt) -> bool:
        _, nid, target, iterable_node, body, orelse = node
        iterable = self.eval(iterable_node)
        values, exact = self.turns(iterable, nid)
        if exact and not values:
            return self.run_block(orelse)
        count = self.turn_count(iterable)
        certain = exact or (count is not None and count > 0)

        def head(value: Value) -> Callable[[], bool]:
            def take() -> bool:
                self.assign(target, value, nid)
                return True

            return take

        if count == 1:
            values = values[:1]
        elif exact and len(values) > 2 and len(body) > 12:
            values = [self.iterate(iterable, nid), self.iterate(iterable, nid)]
        frame = self.frame
        before, returns = frame.operations, len(frame.returns)
        turns = frame.turns
        frame.turns = (*turns, Turns(count, body, target))
        flows = self.loop(nid, [head(value) for value in values], body, orelse, certain, exact)
        frame.turns = turns
        if "For" in self.hooks:
            left = self._broke or len(frame.returns) > returns
            added = frame.operations - before
            self.emit("For", Loop(_nid_of(iterable_node, nid), frame, iterable, count, added, left))
        return flows

    def turn_count(self, iterable: Value) -> int | None:
        """How often a loop over this runs, where that is known."""
        items = self.known_items(iterable)
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
            value = self.asked(self.eval(test), _nid_of(test, nid))
            if level_of(value):
                self.emit("While", Test(_nid_of(test, nid), self.frame, value, "while"))
            truth = self.truth(value)
            forever = truth is True and test[0] == "const"
            return truth

        def enter(truth: bool | None) -> bool:
            if truth is False:
                return False
            self.narrow(test, True)
            return True

        first = ask()
        heads = [lambda: enter(first), lambda: enter(ask())]
        frame = self.frame
        turns = frame.turns
        frame.turns = (*turns, Turns(None, body))
        flows = self.loop(nid, heads, body, orelse, first is True, False, test)
        frame.turns = turns
        if forever and not self._broke:
            return False
        return flows

    _broke = False

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
        frame = self.frame
        env = self.env
        outer_block = self.block
        self.block = self.new_block()
        start = env.vars
        exits: list[Vars] = [] if certain else [dict(start)]
        breaks, continues = frame.breaks, frame.continues
        broken: list[Vars] = []
        frame.breaks = (*breaks, broken)
        frame.loop += 1
        state: Vars | None = dict(start)
        iterations, tests, rounds = frame.iterations, len(self.tests), len(self.rounds)
        for number, head in enumerate(heads):
            frame.iterations = (*iterations, (self.block, number))
            self.rounds[rounds:] = [((self.module, nid), "loop", number)]
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
            flows = self.run_block(body)
            del self.tests[tests:]
            live = [*ends, env.vars] if flows else ends
            if not live:
                state = None
                break
            state = merge(live, self.fresh)
            if not exact or number == len(heads) - 1:
                exits.append(state)
            if not exact and not number and before == state:
                break
        frame.iterations = iterations
        del self.rounds[rounds:]
        frame.loop -= 1
        frame.breaks, frame.continues = breaks, continues
        self._broke = bool(broken)
        self.block = outer_block
        results: list[Vars] = list(broken)
        if exits:
            env.vars = merge(exits, self.fresh)
            if test is not None:
                self.narrow(test, False)
            if self.run_block(orelse):
                results.append(env.vars)
        env.vars = merge(results, self.fresh) if results else start
        return bool(results)

    # ---- try, with

    def s_try(self, node: Stmt) -> bool:
        _, nid, body, handlers, orelse, final = node
        start = dict(self.env.vars)
        caught = frozenset(
            name for kind, _, _ in handlers for name in (_exception_names(kind) or ("Exception",))
        )
        outer = self.frame.caught
        self.frame.caught = (*outer, caught)
        block = self.block
        context = self.context
        probing = self.probing
        if caught & _TRACER_ERRORS and not context.quiet:
            self.set_context(context._replace(quiet=True))
            self.probing = self.frame
        flows = self.run_block(body)
        self.probing = probing
        self.set_context(context)
        self.frame.caught = outer
        after = self.env.vars
        live: list[Vars] = []
        if flows:
            if self.run_block(orelse):
                live.append(self.env.vars)
        asking, through = not caught.isdisjoint(MISSING), bool(live)
        middle = merge([start, after]) if after is not start else start
        missing = bool(handlers) and self.never_fails(body)
        for kind, name, handler in handlers:
            if missing:
                continue
            self.env.vars = dict(middle)
            self.forget_calls(start)
            self.env.vars.pop("$spent", None)
            if "$spent" in start:
                self.env.vars["$spent"] = start["$spent"]
            self.block = self.new_block()
            if kind is not None:
                self.eval(kind)
            if name is not None:
                self.env.vars[name] = UNKNOWN
            guard = not EXPECTED.isdisjoint(_exception_names(kind) or ("Exception",)) or asking
            self.guards += guard
            held = len(self.tests)
            self.tests.append(Held(("opaque",), True, len(self.frame.iterations)))  # that there was an error
            if self.run_block(handler):
                live.append(self.env.vars)
            del self.tests[held:]
            self.guards -= guard
        self.block = block
        if not live:
            self.env.vars = middle
            self.run_block(final)
            return False
        self.env.vars = merge(live, self.fresh)
        if asking:
            self._answered(start)
            if not through:
                self.leave_arm("name", ())
        return self.run_block(final)

    def _answered(self, start: Vars) -> None:
        """After a `try` that asks for what is missing: constants that say which way it went."""
        for name, value in self.env.vars.items():
            if isinstance(value, OneOf) and isinstance(name, str) and start.get(name) is not value:
                if all(isinstance(each, Const) for each in value.options):
                    self.env.vars[name] = FeatureProbe("any", "name")
                    if ("late", name) in self.env.vars:
                        self.env.vars["late", name] = FeatureProbe("any", "name")

    def never_fails(self, body: Any) -> bool:
        """Whether a try body only imports modules of the project that exist, and names what is there."""
        for statement in body:
            if statement[0] == "assign" and all(each[0] == "name" for each in statement[2]):
                if statement[3][0] == "const" or (
                    statement[3][0] == "name" and statement[3][2] in self.home_of(statement[3][2]).vars
                ):
                    continue
            if statement[0] != "from" or self.world.find(statement[3], self.module, statement[2]) is None:
                return False
        return True

    def s_with(self, node: Stmt) -> bool:
        _, nid, items, body = node
        context = self.context
        warned = self.warned
        entered: list[tuple[Value, tuple[Mutation, ...]]] = []
        for value_node, target in items:
            self.leaving, self.lent = (), False
            manager = self.eval(value_node)
            if self.lent:
                self.set_context(self.context._replace(unjitted=True))
            entered.append((manager, self._put_off()))
            self.warned += isinstance(manager, Product) and manager == _WARNS
            held = self.enter(manager, nid)
            if value_node[0] == "call" and value_node[2][0] == "attr" and value_node[2][3] in _RAISES:
                self.set_context(self.context._replace(quiet=True))
            if target is not None:
                self.assign(target, held, nid)
        flows = self.run_block(body)
        self.warned = warned
        suppressed = self.context.quiet and not context.quiet
        self.set_context(context)
        for manager, late in reversed(entered):
            self.frame.mutations += late
            method = self.special(manager, "__exit__", nid) if isinstance(manager, Instance) else None
            if method is not None:
                self.call(method, [NONE, NONE, NONE], {}, nid)
        return flows or suppressed

    lent = False  # whether the generator that was called last yields under `jax.disable_jit()`
    leaving: tuple[Mutation, ...] = ()  # what the generator that was called last changes after its `yield`

    def _put_off(self) -> tuple[Mutation, ...]:
        """What a context manager that is a generator changes when it is left, which is not yet."""
        late, frame = self.leaving, self.frame
        if late and frame.mutations[-len(late) :] == late:
            frame.mutations = frame.mutations[: -len(late)]
            return late
        return ()

    def set_context(self, context: Context) -> None:
        """Changes the context of what follows in this function context."""
        self.context = context
        self.frame.context = context

    def enter(self, manager: Value, nid: int) -> Value:
        """What `with manager as x` binds; some managers change the context."""
        if isinstance(manager, Product) and manager.kind == "context":
            name = manager.parts[0]
            if name == "eager":
                self.set_context(self.context._replace(staged=False))
            elif name in ("unjitted", "jitted"):
                self.set_context(self.context._replace(unjitted=name == "unjitted"))
            elif name == "raises":
                self.set_context(self.context._replace(quiet=True))
            return UNKNOWN
        if isinstance(manager, Product) and manager.kind in ("io.IOBase", "exit-stack"):
            return manager
        if isinstance(manager, Product) and manager.kind in ("nullcontext", "iterator"):
            held: Value = manager.parts[0]
            return held
        if isinstance(manager, Instance):
            method = self.special(manager, "__enter__", nid)
            if method is not None:
                return self.call(method, [], {}, nid)
        return UNKNOWN

    # ---- definitions and imports

    def s_def(self, node: Stmt) -> bool:
        value = self.make_function(node[2])
        code = self.module.program.codes[node[2]]
        for decorator in reversed(code.decorators):
            value = self.decorate(decorator, value)
        self.bind(code.name, self.as_published(code, value), node[1])
        return True

    def as_published(self, code: Code | ClassCode, value: Value) -> Value:
        """What is known of a definition by the public name that it has in a library."""
        name = self.published.get(code)
        return value if name is None else self.external(name)

    published: Mapping[Code | ClassCode, str]

    def decorate(self, node: Expr, value: Value) -> Value:
        raise NotImplementedError

    def s_class(self, node: Stmt) -> bool:
        record = self.module.program.classes[node[2]]
        value = self.make_class(record)
        self.bind(record.name, self.as_published(record, value), node[1])
        return True

    def make_class(self, record: Any) -> Value:
        raise NotImplementedError

    def s_import(self, node: Stmt) -> bool:
        for nid, name, asname in node[1]:
            module = self.world.find(name, self.module)
            if module is not None:
                self.load(module)
            elif not self.world.is_package(name):
                self.refer(nid, name, "import")
            if asname is not None:
                self.bind(asname, self.module_value(name), nid)
            else:
                self.bind(name.partition(".")[0], self.module_value(name.partition(".")[0]), nid)
        return True

    def module_value(self, name: str) -> Value:
        module = self.world.find(name, self.module)
        if module is not None:
            self.load(module)
            return Imported(module)
        if self.world.is_package(name):
            return Product("namespace", name)
        return self.external(name)

    def external(self, name: str) -> Value:
        raise NotImplementedError

    def load(self, module: Any) -> None:
        raise NotImplementedError

    def s_from(self, node: Stmt) -> bool:
        _, nid, level, module_name, items = node
        module = self.world.find(module_name, self.module, level) if module_name or level else None
        if module is not None:
            self.load(module)
        if items is None:
            if module is None and level == 0:
                self.refer(nid, module_name, "star")
            self._import_star(module, module_name, level)
            return True
        for item_nid, name, asname in items:
            value: Value | None = None
            if module is not None and module is not self.module:
                value = module.env.vars.get(name)
            if value is None:
                value = self._submodule(module_name, name, level)
            if value is None and module is not None:
                value = self.member(module, name)
            if value is None:
                if level == 0:
                    self.refer(item_nid, f"{module_name}.{name}", "from", statement=nid)
                    value = self.external(f"{module_name}.{name}")
                else:
                    value = UNKNOWN
            self.bind(asname, value, item_nid)
        return True

    def _submodule(self, package: str, name: str, level: int) -> Value | None:
        full = f"{package}.{name}" if package else name
        inner = self.world.find(full, self.module, level)
        if inner is not None:
            self.load(inner)
            return Imported(inner)
        if level == 0 and self.world.is_package(full):
            return Product("namespace", full)
        return None

    def member(self, module: Any, name: str) -> Value | None:
        """A name that a module has through a star import or `__getattr__`."""
        for star in module.stars:
            if isinstance(star, External):
                return self.external(f"{star.name}.{name}")
        return UNKNOWN

    def _import_star(self, module: Any, name: str, level: int) -> None:
        if module is None:
            self.module.stars.append(self.external(name) if level == 0 else UNKNOWN)
            return
        listed = module.env.vars.get("__all__")
        names = self.known_items(listed) if listed is not None else None
        wanted = None if names is None else {each.value for each in names if isinstance(each, Const)}
        for each, value in list(module.env.vars.items()):
            if not isinstance(each, str) or each == "__all__":
                continue
            if each in wanted if wanted is not None else not each.startswith("_"):
                self.env.vars[each] = value
        self.module.stars.extend(module.stars)


def _owner_of(method: Code) -> str:
    return method.qualname.rpartition(".")[0]


_PLAIN_BASES = frozenset(
    ("builtins.object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing.NamedTuple")
)
# a handler that names one of these shows that the error is expected
_TRACER_ERRORS = AT_ONCE | {"UnexpectedTracerError", "KeyReuseError"}
_EXITS = {("sys", "exit"), ("os", "_exit"), ("pytest", "skip"), ("pytest", "fail"), ("pytest", "exit")}


# methods of unittest's test cases: errors inside are expected
_RAISES = frozenset(("assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"))
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


def _indexable(value: Value) -> bool:
    return isinstance(value, (Array, Tuple, TracerPytree, OneOf, Unknown, Key)) or (
        isinstance(value, MutableContainer) and value.kind == "list"
    )


def _is_slice(index: Value) -> bool:
    return isinstance(index, Product) and index.kind == "slice"
