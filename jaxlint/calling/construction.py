"""Calls of classes: instances, and the fields of dataclasses."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from jaxlint.analysis.copies.held_values import is_held
from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Decision
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import MutableContainer, Tuple, callees_of
from jaxlint.domain.key_tokens import OWN, is_made_of
from jaxlint.domain.objects import Class, Function, Instance, Key
from jaxlint.domain.questions import is_of_all, is_rest
from jaxlint.domain.values import UNKNOWN, Array, Const, External, Product, Unknown, Value
from jaxlint.evaluation.attributes import Attributes
from jaxlint.evaluation.definitions import is_factory
from jaxlint.evaluation.inherited_containers import container_base, made_by
from jaxlint.evaluation.storing import converted
from jaxlint.ir.loop_guards import bound_by
from jaxlint.ir.nodes import AttrExpr, NameExpr, StarExpr
from jaxlint.ir.program import ClassCode

# what the constructors of dataclasses, of attrs and of linen run
_HOOKS = ("__post_init__", "__attrs_post_init__", "setup")


class Construction:
    """Makes the objects that calls of classes give."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        staleness: TraceStaleness,
        freshness: FunctionFreshness,
        consumption: KeyConsumption,
        attributes: Attributes,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.staleness = staleness
        self.freshness = freshness
        self.consumption = consumption
        self.attributes = attributes
        self.interpreter = interpreter
        self._namespace: Class | None = None

    def instantiate(
        self, cls: Class, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        if cls.has_mark("enum"):
            if len(args) == 1 and isinstance(args[0], Array) and args[0].level and exact:
                if cls.lookup("_missing_") is None:
                    self.core.emit("Decision", Decision(nid, self.flow.frame, cls.code.name, args[0], "enum"))
            return UNKNOWN
        if cls.has_mark("dict"):
            return self.interpreter.calls.call(External("builtins.dict"), args, keywords, nid, exact)
        if cls.has_mark("variable") and not any(map(_has_methods, cls.lineage())):
            bases = [External(name) for name in cls.externals()]
            is_one = len(bases) == 1
            return self.interpreter.calls.call(bases[0], args, keywords, nid, exact) if is_one else UNKNOWN
        fields = cls.all_fields()
        self.consumption.handed(args, keywords, nid, True)
        if cls.has_mark("namedtuple"):
            items = self._field_values(cls, fields, args, keywords, nid, exact)
            if exact and not self._fits(cls, fields, args, keywords):
                self.flow.unbound = (self.flow.module, nid)
                return UNKNOWN
            return Tuple(tuple(items.values()), cls=cls)
        owner = self._instance(cls, nid)
        if owner.many:
            owner.alike = self._given_to_all(cls, args, keywords, nid)
        init, base = cls.lookup("__init__"), container_base(cls)
        if base is not None and (base.name != "builtins.tuple" or cls.lookup("__new__") is None):
            maker = made_by(base)
            held = (
                None if init is not None else self.interpreter.calls.call(maker, args, keywords, nid, exact)
            )
            self.attributes.inherited.fill(owner, base, held, nid)
        if init is not None:
            method = self.attributes.bind_method(init[0], owner, nid)
            self.interpreter.calls.call(method, args, keywords, nid, exact)
        elif cls.has_mark("dataclass"):
            values = self._field_values(cls, fields, args, keywords, nid, exact)
            for name, value in values.items():
                held = converted(self.interpreter, owner, name, value, nid)
                self.core.set_attribute(owner, name, held)
                if held == value:
                    self._note_keys(owner, {name: value})
            self._run(owner, nid, [cls.lookup(hook) for hook in _HOOKS])
        elif base is None:
            self.hand(owner, args, keywords, exact)
        self._check(owner, nid)
        if owner.alike:
            owner.alike |= {(OWN, name) for name in owner.attributes if self._is_own(owner, name)}
        return owner

    def hand(
        self, owner: Instance, args: Sequence[Value], keywords: Mapping[str, Value], exact: bool
    ) -> None:
        """A constructor that is not known, as that of a base from a library, is given values: attributes of
        these names no longer are what the class says. A field holds a number or a text that is given for
        one of its type; what other attributes hold is not known."""
        if owner.generic or (exact and not args and not keywords):
            return
        fields, given = owner.cls.all_fields(), dict[str, Value]()
        if not exact or any(map(is_rest, args)):
            given, args = dict.fromkeys(fields, UNKNOWN), ()
        given |= {**dict(zip(fields, args, strict=False)), **keywords}
        for name, value in given.items():
            is_field = name in fields
            default = fields[name][0] if is_field else owner.cls.default(name)
            if default is None or is_factory(default) or value == default:
                continue
            is_known = is_field and _is_of_one_type(value, default)
            self.core.set_attribute(owner, name, value if is_known else UNKNOWN)

    def _is_own(self, owner: Instance, name: str) -> bool:
        """Whether one of several objects that are made with one value has something else in an attribute."""
        held = self.flow.env.vars.get(("@", id(owner), name))
        return isinstance(held, (Key, Unknown)) and not is_made_of(held.token, owner.alike)

    def replaced(self, owner: Instance, values: Mapping[str, Value], nid: int) -> Instance:
        """What `dataclasses.replace` gives: an object that is made as by a call of the class."""
        copy = self.copy_with(owner, values, nid)
        if owner.cls.has_mark("dataclass") and owner.cls.lookup("__init__") is None:
            self._run(copy, nid, [owner.cls.lookup(hook) for hook in _HOOKS[:2]])
            self._check(copy, nid)
        return copy

    def changes(self, values: Mapping[str, Value], nid: int) -> bool:
        """Whether one of these values may be another one than what the record has there of which a call, by
        its number, makes a copy. A copy with what was read of the record, as a dict that was changed since,
        is an equal one."""
        node = self.flow.calling
        if not values or node is None or node.nid != nid or not isinstance(node.func, AttrExpr):
            return True
        record, code, program = node.func.value, self.flow.frame.code, self.flow.module.program
        return not all(
            each.name is not None and is_held(code, program, record, each.name, each.value)
            for each in node.keywords
        )

    def _check(self, owner: Instance, nid: int) -> None:
        """Runs what equinox runs when an object is made, of each class that has it."""
        if owner.cls.has_mark("equinox"):
            held = [each.attributes.get("__check_init__") for each in owner.cls.lineage()]
            self._run(owner, nid, [(each, owner.cls) for each in held if each is not None])

    def _run(self, owner: Instance, nid: int, found: Iterable[tuple[Value, Class] | None]) -> None:
        for hook in found:
            if hook is not None:
                self.interpreter.calls.call(self.attributes.bind_method(hook[0], owner, nid), [], {}, nid)

    def _instance(self, cls: Class, nid: int) -> Instance:
        """An object of a class, made at this place."""
        key = ("instance", nid, id(cls), self.flow.module.path)
        owner = self.flow.frame.heap.get(key)
        if not isinstance(owner, Instance):
            owner = self.core.keep(key, Instance(cls, self.flow.context.depth))
        owner.depth = self.flow.context.depth
        self.staleness.note_made(id(owner))
        self.freshness.note_new(owner)
        owner.many = owner.many or self.flow.frame.loop > 0
        return owner

    def _given_to_all(
        self, cls: Class, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> frozenset[Hashable]:
        """The tokens of what may be keys among arguments, and is the same in each turn of the loops around a
        call."""
        node, called = self.flow.calling, self.flow.called
        if node is None or node.nid != nid or called is None or cls not in callees_of(called):
            return frozenset()  # something else is called there, which calls the class
        if any(isinstance(each, StarExpr) for each in node.args):
            return frozenset()
        written = [*zip(node.args, args, strict=False)]
        written += [(each.value, keywords[each.name]) for each in node.keywords if each.name in keywords]
        keys = [(each, value) for each, value in written if isinstance(value, (Key, Unknown))]
        bound = {name for loop in self.flow.frame.turns for name in bound_by(loop)} if keys else set()
        return frozenset(
            value.token
            for each, value in keys
            if isinstance(each, NameExpr) and each.name not in bound and value.token is not None
        )

    def copy_with(self, owner: Instance, values: Mapping[str, Value], nid: int) -> Instance:
        """A copy of an object with other values of some attributes, made at this place."""
        key = ("replaced", nid, id(owner))
        found = self.flow.frame.heap.get(key)
        copy = (
            found
            if isinstance(found, Instance)
            else Instance(owner.cls, self.flow.context.depth, owner.generic)
        )
        self.core.keep(key, copy)
        copy.many, copy.is_open = copy.many or owner.many, owner.is_open
        kept = {
            name: self.flow.env.vars.get(("@", id(owner), name), value)
            for name, value in owner.attributes.items()
        }
        copy.attributes = {**kept, **values}
        self._note_keys(copy, values)
        return copy

    def _note_keys(self, owner: Instance, values: Mapping[str, Value]) -> None:
        """What is or may be a key of what an object has been given by this call: another call may give it
        another one."""
        for name, value in values.items():
            if not isinstance(value, (Key, Unknown)) or value.token is None:
                continue
            if is_of_all(owner, value):
                mark = self.flow.frame.writes[owner, name] = ("@", id(owner), name)
                self.flow.env.vars[mark] = value

    def _field_values(
        self, cls: Class, fields: Any, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> dict[str, Value]:
        found: dict[str, Value] = {}
        named_only = {name for each in cls.lineage() for name in each.named_only}
        rest = next((at for at, each in enumerate(args) if is_rest(each)), len(args))
        given = dict(zip([name for name in fields if name not in named_only], args[:rest], strict=False))
        for name, (default, _) in fields.items():
            if name in given:
                found[name] = given[name]
            elif name in keywords:
                found[name] = keywords[name]
            elif default is not None and exact:
                found[name] = self._fresh_copies(default, nid, name) if is_factory(default) else default
            else:
                found[name] = UNKNOWN
        return found

    def _fits(self, cls: Class, fields: Any, args: list[Value], keywords: dict[str, Value]) -> bool:
        """Whether these may be the arguments of a named tuple: one for each field."""
        if cls.lookup("__new__") is not None:
            return True
        names = list(fields)
        rest = names[len(args) :]
        if len(args) > len(names) or any(name not in rest for name in keywords):
            return False
        return all(name in keywords or fields[name][0] is not None for name in rest)

    def _fresh_copies(self, default: Product, nid: int, name: str) -> Value:
        """What a field's factory makes for the instance that is made at `nid`."""
        made: Value = self.interpreter.calls.call(default.parts[0], [], {}, nid)
        if not isinstance(made, MutableContainer) or not isinstance(default.parts[0], External):
            return made
        own = self.core.box(made.kind, nid, ("field", name))
        own.items = None if made.items is None else [*made.items]
        own.entries, own.elem = {**made.entries}, made.elem
        return own

    def namespace(self, keywords: dict[str, Value], nid: int) -> Instance:
        """A `types.SimpleNamespace`: an object of a class without methods."""
        if self._namespace is None:
            record = ClassCode(-1, "SimpleNamespace", "SimpleNamespace", nid, (), (), (), ())
            self._namespace = Class(record, self.flow.module, self.flow.env)
            self._namespace.marks.add("unhashable")
        owner = self._instance(self._namespace, nid)
        for name, value in keywords.items():
            if name != "**":
                self.core.set_attribute(owner, name, value)
                self.flow.env.vars["@", id(owner), name] = value
        return owner


def _is_of_one_type(value: Value, default: Value) -> bool:
    """Whether both are constants of one type."""
    if not isinstance(value, Const) or not isinstance(default, Const):
        return False
    return type(value.value) is type(default.value)


def _has_methods(cls: Class) -> bool:
    return any(isinstance(each, Function) for each in cls.attributes.values())
