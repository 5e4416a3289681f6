"""What is stored in items and attributes, and which changes last."""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from jaxlint.analysis.copies.module_changes import note_change, put_in
from jaxlint.analysis.copies.shared_memory import SharedMemory
from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Call, Store
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.mutations.hidden_writes import may_write
from jaxlint.analysis.numpy_memory import written
from jaxlint.analysis.trace_staleness import ANY_NAME, TraceStaleness, keeps_attributes
from jaxlint.analysis.writes import is_same
from jaxlint.domain.join import MutableContainer, VariableRef, join, options_of
from jaxlint.domain.members import is_believed, is_whole_slice
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
from jaxlint.domain.questions import as_mapping, kept_under
from jaxlint.domain.values import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.domain.widening import blend
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.inherited_containers import put_by_attribute
from jaxlint.evaluation.narrowing import Narrowing
from jaxlint.ir.mentions import asks_for
from jaxlint.ir.nodes import AttrExpr, ConstExpr, Expr, NameExpr, SliceExpr, StarExpr, SubscriptExpr
from jaxlint.tables.deprecation import is_listed


def _traced_callers(activation: FunctionContext) -> set[FunctionContext]:
    """A function context, and those in traces that lead to it."""
    found, waiting = {activation}, [activation]
    while waiting:
        callers = [link.parent for link in waiting.pop().links if link.parent is not None]
        new = {caller for caller in callers if caller.context.depth} - found
        waiting += new
        found |= new
    return found


def _item_of(box: MutableContainer, index: Value) -> Value | None:
    """The item that is there under a constant, where it is known."""
    if not isinstance(index, Const):
        return None
    if box.kind == "dict":
        return box.entries.get(index.value)
    if box.items is not None and isinstance(index.value, int):
        return box.items[index.value] if -len(box.items) <= index.value < len(box.items) else None
    return None


def _holds_key(value: Value) -> bool:
    """Whether a value is or may be a key, or is a container with one in it."""
    held: Iterable[Value] = (value,)
    if isinstance(value, MutableContainer):
        held = (*(value.items or ()), *value.entries.values(), value.elem or NONE)
    return any(isinstance(option, Key) for each in held for option in options_of(each))


def _may_be_none(value: Value) -> bool:
    return any(each == NONE or isinstance(each, Unknown) for each in options_of(value))


class Storing:
    """Stores values in items and attributes, and notes what that changes."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        attributes: Attributes,
        narrowing: Narrowing,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.attributes = attributes
        self.narrowing = narrowing
        self.interpreter = interpreter
        self.memory = SharedMemory(flow, staleness, freshness)
        self.restored: set[Value] = set()  # objects of which traced code sets attributes by computed names
        self.patched: set[str] = set()  # names of libraries that the project itself puts there

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
        emptied: bool = False,
    ) -> None:  # fmt: skip
        """Notes a change to what was made outside the innermost trace. `place`: what is written, where it is
        not the target or an item of it; `emptied`: all is taken out of it."""
        if isinstance(target, MutableContainer):
            self.core.note_filled(target)
            if target.block != self.flow.block and _holds_key(new) and _holds_key(target):
                self.flow.frame.replaces = True
            which = self.staleness.note_item(target, item, nid, before, new)
            if target.home is not None:
                self.freshness.note_change(*target.home, nid, which)
        context = self.flow.context
        if context.depth == 0 or self.core.silent or self._may_be_new(target):
            return
        if depth is None:
            depth = getattr(target, "depth", context.depth)
        if depth < context.depth and not (depth and self._is_of_other_trace(target)):
            outside = context.staged and depth < context.stage
            guards = (("guard", id(target)), ("guard", id(target), name))
            memo = memo or self.flow.kept or any(guard in self.flow.env.vars for guard in guards)
            memo = memo or 0 < context.looked == context.stage
            place = place or (id(target), name, item)
            empty = isinstance(new, MutableContainer) and new.is_empty()
            emptied = emptied or (empty and how == "item" and item is not None and is_whole_slice(item))
            event = Mutation(
                nid, self.flow.frame, how, target, new, name, outside, memo, before, place, depth,
                self.flow.step, empty, self._may_be_replaced(target), emptied and self.flow.is_sure(),
            )  # fmt: skip
            self.flow.frame.mutations += (event,)

    def note_taken(
        self, nid: int, box: MutableContainer, key: Value | None, memo: bool = False, whole: bool = False
    ) -> None:
        """A container is about to lose what it has under a key, or any of it, or all of it."""
        held = None if key is None else _item_of(box, key)
        if held is None and not box.is_empty():
            held = box.each()
        place = (id(box), "", key)
        self.mutated(nid, "delete", box, NONE, memo=memo, before=held, place=place, emptied=whole)

    def _is_of_other_trace(self, target: Value) -> bool:
        """Whether no trace that leads here has made what some trace has made. The traces of a function do not
        see what another one has made, unless that is left somewhere, which is found by itself."""
        maker, _ = self.core.origins.get(id(target), (None, None))
        if maker is None:
            return False
        return _traced_callers(maker).isdisjoint(_traced_callers(self.flow.frame))

    def _may_be_new(self, target: Value) -> bool:
        """Whether a container is held by an object that may have been made in the trace: then the container
        may have been made there, too."""
        if not isinstance(target, MutableContainer) or target.home is None:
            return False
        cls, depth = target.home[0].cls, self.flow.context.depth
        env = self.flow.env
        while env.parent is not None:
            for each in env.vars.values():
                if type(each) is Instance and each.depth > depth and cls in each.cls.lineage():
                    return True
            env = env.parent
        return False

    def _may_be_replaced(self, target: Value) -> bool:
        """Whether the attribute that holds a container may have another one, which the trace has made."""
        if not isinstance(target, MutableContainer) or target.home is None:
            return False
        owner, name = target.home
        return any(
            isinstance(each, MutableContainer) and each.depth >= self.flow.context.depth
            for each in options_of(owner.attributes.get(name, UNKNOWN))
        )

    def is_undone(self, event: Mutation) -> bool:
        """Whether other traced code may put back whatever there was."""
        return event.how == "attribute" and event.target in self.restored

    def store_item(
        self, owner: Value, index: Value, value: Value, nid: int, kind: str, operator: str, target: Expr
    ) -> None:
        event = "AugAssign" if kind == "augmented" else "Assign"
        is_known = owner.annotated if isinstance(owner, Unknown) else not isinstance(owner, Const)
        if event in self.core.hooks and is_known and not is_believed(owner, index):
            self.core.emit(event, Store(nid, self.flow.frame, owner, value, index, None, kind, operator))
        at = target.nid if isinstance(target, SubscriptExpr) else nid
        for each in options_of(owner):
            if isinstance(each, MutableContainer):
                own = each.kind == "dict" and kind == "assign" and not self.flow.counting
                self.mutated(at, "item", each, value, memo=own, before=_item_of(each, index), item=index)
                if each.kind == "dict":
                    if self.flow.counting and isinstance(value, Const) and type(value.value) is int:
                        value = INT  # at another call of this function it is another number
                    if isinstance(index, Const):
                        each.set(index.value, value, self.flow.block)
                    else:
                        each.elem = kept_under(index, each.elem, value)
                elif isinstance(index, Const) and each.items is not None and isinstance(index.value, int):
                    if -len(each.items) <= index.value < len(each.items):
                        before = each.items[index.value]
                        exact = each.block == self.flow.block
                        each.items[index.value] = value if exact else join(before, value)
                else:
                    is_slice = isinstance(index, Product) and index.kind == "slice"
                    each.widen(self.interpreter.containers.iterate(value, nid) if is_slice else value)
            elif isinstance(each, VariableRef):
                put_in(self.core, each, value, owner, at)
            elif isinstance(each, Product) and each.kind == "variables":
                self.store_named(each.parts[0], index, value, nid)
            elif isinstance(each, (Unknown, TracerPytree)) and each.token is not None:
                self.flow.frame.touched.add(each.token)
            elif isinstance(each, Instance):
                self._store_in_object(each, index, value, nid, kind, target)
            elif isinstance(each, NumPyArray) and isinstance(target, SubscriptExpr):
                self.memory.note_written(target.value, nid)
                if isinstance(target.value, NameExpr):
                    env = self.flow.home_of(name := target.value.name)
                    self.staleness.note_write(("v", id(env), name), nid)
                    self.mutated(target.nid, "item", each, value, name, env.depth)
                elif isinstance(target.value, AttrExpr) and isinstance(target.value.value, NameExpr):
                    self._store_in_held(target.value.value, target.value.name, nid)

    def note_written(self, call: Call) -> None:
        """Notes what a function or method of a library changes in place: arrays of NumPy, and the order of a
        list."""
        for argument in written(call):
            for each in options_of(argument.value):
                if isinstance(each, MutableContainer) and call.name.endswith(".shuffle"):
                    self.interpreter.decisions.box_method("reverse", each, [], {}, call.nid)
                elif isinstance(each, NumPyArray):
                    self._note_array(self._written_at(call, argument.place), call.nid)

    def _written_at(self, call: Call, place: int | str) -> Expr | None:
        """The argument of a call as it is written, where the call is written so."""
        node, called = self.flow.calling, self.flow.called
        if node is None or node.nid != call.nid or any(isinstance(each, StarExpr) for each in node.args):
            return None
        if call.receiver is None and called != External(call.name):
            return None
        if place == -1:
            return node.func.value if isinstance(node.func, AttrExpr) else None
        if isinstance(place, int):
            return node.args[place] if place < len(node.args) else None
        return next((each.value for each in node.keywords if each.name == place), None)

    def _note_array(self, node: Expr | None, nid: int) -> None:
        """Notes that an array of NumPy is written into that a variable or an attribute holds, or a part."""
        self.memory.note_written(node, nid)
        while isinstance(node, SubscriptExpr) and isinstance(node.index, (SliceExpr, ConstExpr)):
            node = node.value
        if isinstance(node, AttrExpr) and isinstance(node.value, NameExpr):
            self._store_in_held(node.value, node.name, nid)
        elif isinstance(node, NameExpr):
            env = self.flow.home_of(node.name)
            if any(isinstance(each, NumPyArray) for each in options_of(env.vars.get(node.name, UNKNOWN))):
                self.staleness.note_write(("v", id(env), node.name), nid)

    def _store_in_held(self, node: NameExpr, name: str, nid: int) -> None:
        """Sets an item of a NumPy array that an attribute holds."""
        for owner in options_of(self.interpreter.expressions.eval(node)):
            if isinstance(owner, Instance) and not self._is_constructing(owner):
                self.freshness.note_change(owner, name, nid, is_derived=True)
                self.staleness.note_write(("a", id(owner), name), nid)

    def _store_in_object(
        self, owner: Instance, index: Value, value: Value, nid: int, kind: str, target: Expr
    ) -> None:
        """Sets an item of an object: by its own method, or by that of the container that its class is."""
        method = self.attributes.special(owner, "__setitem__", nid)
        if isinstance(method, Product):
            self.store_item(method.parts[1], index, value, nid, kind, "", target)
        elif method is not None:
            self.interpreter.calls.call(method, [index, value], {}, nid)

    def store_attribute(
        self, owner: Value, name: str, value: Value, nid: int, kind: str, target: int | None = None
    ) -> None:
        """`target`: the number of the attribute, where `nid` is a whole statement's."""
        if "Store" in self.core.hooks:
            self.core.emit("Store", Store(nid, self.flow.frame, owner, value, None, name, kind))
        at = nid if target is None else target
        for each in options_of(owner):
            if isinstance(each, Instance):
                if name != "__dict__" or not self._store_all(each, value, nid):
                    self._store_in_instance(each, name, value, nid, at)
            elif isinstance(each, VariableRef):
                put_in(self.core, each, value, owner, at)
            elif isinstance(each, Class):
                self._store_in_class(each, name, value, nid, at)
            elif isinstance(each, (Function, Transformed)):
                once = self.narrowing.sets_once(id(each), name, value)
                self.attributes.of_functions.write(each, name, value, at, once)
                if isinstance(each, Function):
                    self.mutated(at, "attribute", each, value, name, each.env.depth)
            elif isinstance(each, Imported):
                self._store_in_module(each.module, name, value, nid)
            elif isinstance(each, External):
                if is_listed(f"{each.name}.{name}"):
                    self.patched.add(f"{each.name}.{name}")
            elif isinstance(each, (Unknown, TracerPytree)):
                if self.flow.context.depth and isinstance(each, Unknown):
                    names = (name, *self.core.world.set_through(name))
                    may_write(self.flow.frame, nid, names, (value,))
                if each.token is not None:
                    self.flow.env.vars["@", each.token, name] = value

    def _store_in_instance(self, owner: Instance, name: str, value: Value, nid: int, at: int) -> None:
        if name not in owner.attributes and self._is_set_by_class(owner, name, value, nid):
            return
        value = converted(self.interpreter, owner, name, value, nid)
        put_by_attribute(owner, name, value, self.flow.block)
        if type(value) is Unknown and self.core.is_only_replaced(name):
            value = self.flow.tested(value)
        self._note_write(owner.cls, name, nid)
        if not self.flow.context.depth and not _may_be_none(value):
            self.staleness.note_filled(owner.cls, name, self.flow.frame.code)
        mark = ("@", id(owner), name)
        before = self.flow.env.vars.get(mark)
        if before is None:
            is_set = name in owner.attributes
            before = self.attributes.held(owner, name) if is_set else owner.cls.default(name)
        if not self.flow.again:
            keeps_kind = self.staleness.keeps_kind(before, value)
            self.freshness.note_change(owner, name, nid, is_derived=keeps_kind)
        once = before == NONE and mark in self.flow.env.vars
        is_back = self.flow.again and type(self.flow.env.vars.get(mark)) is not Const
        once = once or is_back or self.narrowing.sets_once(id(owner), name, value)
        if value == NONE:
            self.core.note_read_if_compiled(owner, name)
        self.staleness.note_dropped(before, value)
        if owner.origin is None or not self._is_of_others(owner, name):
            self.core.set_attribute(owner, name, value)
        self.flow.env.vars[mark] = value
        self.flow.frame.writes[owner, name] = mark
        if not once and not is_same(before, value) and not self._is_constructing(owner):
            self.staleness.note_place("a", owner, name, nid, before, value)
        if isinstance(value, (Transformed, Bound, Function)):
            self.staleness.note_made(("set", id(owner), name))
        note_change(self.core, owner, at)
        if not keeps_attributes(owner.cls):
            is_memo = once or (self.flow.context.depth > 0 and self._is_asked_around(name))
            self.mutated(at, "attribute", owner, value, name, memo=is_memo, before=before)

    def _is_asked_around(self, name: str) -> bool:
        """Whether a test here, or around the call of the function that runs, asks for an attribute of this
        name."""
        around = (self.flow.tests, *self.flow.enclosing.values())
        return any(asks_for(held.test, name) for tests in around for held in tests)

    def _is_of_others(self, owner: Instance, name: str) -> bool:
        """Whether code of others replaces what an object has of its class: in one that is annotated, and not
        in all others of the class."""
        func = self.flow.frame.func
        if func is not None and func.cls is not None and func.cls in owner.cls.lineage():
            return False
        return name in owner.attributes or owner.cls.lookup(name) is not None

    def _store_in_class(self, owner: Class, name: str, value: Value, nid: int, at: int) -> None:
        before = owner.attributes.get(name)
        if before is not None and not is_same(before, value):
            self.staleness.note_write(("c", id(owner), name), nid)
        owner.attributes[name] = value if before is None else join(before, value)
        self.note_replaced(before, value)
        once = self.narrowing.sets_once(id(owner), name, value)
        self.mutated(at, "attribute", owner, value, name, owner.env.depth, memo=once, before=before)

    def _store_in_module(self, module: Module, name: str, value: Value, nid: int) -> None:
        env = module.env
        before = env.vars.get(name)
        self.note_replaced(before, value)
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

    def _is_constructing(self, owner: Instance) -> bool:
        """Whether this is the constructor of the object: what a trace has read is of another object."""
        func = self.flow.frame.func
        if func is None or func.code.name not in CONSTRUCTION or not func.code.params:
            return False
        return self.flow.env.vars.get(func.code.params[0].name) is owner

    def store_named(self, owner: Value, name: Value, value: Value, nid: int) -> None:
        """Sets the attribute that a value names, as `setattr` and the mapping do that `vars` gives."""
        text = name.value if isinstance(name, Const) else None
        # What is no identifier is no variable of a module, and may be a mark of the analysis.
        if isinstance(text, str) and (text.isidentifier() or not isinstance(owner, Imported)):
            self.store_attribute(owner, text, value, nid, "assign")
        else:
            self.store_somewhere(owner)

    def note_replaced(self, before: Value | None, value: Value) -> None:
        """Where another key takes the place of one that was there before the function was called, each call
        finds another one there."""
        if isinstance(value, Key) and before is not None and not is_same(before, value):
            self.flow.frame.replaces |= any(isinstance(each, Key) for each in options_of(before))

    def _store_all(self, owner: Instance, value: Value, nid: int) -> bool:
        """Gives an object other attributes, all at once, where the dict that has them is known."""
        mapping = as_mapping(self.interpreter.expressions.copied(value, nid))
        for name, each in () if mapping is None else mapping[0].items():
            self.store_named(owner, Const(name), each, nid)
        if mapping is not None and mapping[1] is not None and not mapping[0]:
            self.store_somewhere(owner)
        return mapping is not None

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
            if func is not None and not self.flow.context.depth:
                self.staleness.note_filled(each.cls, ANY_NAME, func.code)
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


def converted(interpreter: Interpreter, owner: Instance, name: str, value: Value, nid: int) -> Value:
    """What a field holds that is given a value: the value until its object is made, and then what the
    converter of the field makes of it."""
    found = (each.converters[name] for each in owner.cls.lineage() if name in each.converters)
    converter = next(found, None)
    if converter is None:
        return value
    if isinstance(value, Unknown):
        return value.known_as(None)
    return join(value, interpreter.calls.call(converter, [value], {}, nid))
