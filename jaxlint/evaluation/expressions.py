"""Expressions, by the kind of their node: names, containers, comprehensions, subscripts, calls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from jaxlint.analysis.core import Arguments, Core, Unreachable, named
from jaxlint.analysis.events import Boolean, Discard, Format, Hashed, Subscript
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import MutableContainer, Tuple, join, join_all, level_of
from jaxlint.domain.objects import Bound, Class, Environment, Function, Imported, Instance
from jaxlint.domain.questions import has_tokens
from jaxlint.domain.values import (
    STR,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    Text,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.ir.program import Expr
from jaxlint.ir.replaced_fields import STATIC_FIELDS, STATIC_PART

# types of constants that are equal only where they are the same
_SHARED = frozenset((str, int, bool, type(None)))
_CERTAIN = frozenset((Function, Bound, Class))  # what a call certainly calls
_REFERRED = frozenset((External, Product))  # of which a call without keywords may be worth a word
_NAMING = frozenset((str, int))


# strings of a class that say nothing of what its objects are
_NAMES_OF_CLASSES = frozenset(("__name__", "__qualname__"))


class Expressions:
    """Evaluates lowered expressions."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        interpreter: Interpreter,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.interpreter = interpreter
        self._table: dict[str, Callable[[Expr], Value]] = {}
        self._constants: dict[tuple[type, Any], Const] = {}

    def register(self, *parts: object) -> None:
        """The methods named `x_KIND` evaluate the expressions of that kind."""
        self._table |= named(*parts, prefix="x_")

    def replace_handlers(
        self, change: Callable[[str, Callable[[Expr], Value]], Callable[[Expr], Value]]
    ) -> None:
        """Puts something else in the place of what evaluates each kind of expression."""
        self._table = {kind: change(kind, handler) for kind, handler in self._table.items()}

    def eval(self, node: Expr) -> Value:
        return self._table[node[0]](node)

    # ---- leaves

    def x_const(self, node: Expr) -> Value:
        value = node[1]
        kind = type(value)
        if kind not in _SHARED:
            return Const(value)
        found = self._constants.get((kind, value))
        if found is None:
            found = self._constants[kind, value] = Const(value)
        return found

    def x_opaque(self, node: Expr) -> Value:
        return UNKNOWN

    def x_name(self, node: Expr) -> Value:
        name = node[2]
        env = self.flow.env
        value = env.vars.get(name)
        if value is not None:
            return value
        code = env.code
        if code is not None and name in code.bound and env.parent is not None:
            return UNKNOWN
        outer = env.parent
        while outer is not None:
            value = outer.vars.get(name)
            if value is not None:
                if has_tokens(value) or (type(value) is Const and outer.parent is not None):
                    self.flow.frame.captures.setdefault((outer, name), value)
                if self.flow.context.staged and (outer.parent is not None or _may_change(outer, name, value)):
                    self.staleness.note_read(outer, name, value, node[1])
                if outer.parent is None and type(value) is MutableContainer:
                    self.flow.frame.reads.setdefault((outer, name), self.core.changes)
                if outer.parent is None and name in outer.module.rebound:
                    self.flow.frame.reads.setdefault((outer, name), self.core.changes)
                    return self.module_variable(outer.module, name, value)
                return value
            outer = outer.parent
        found = self.interpreter.library.builtin(name)
        if type(found) is Unknown:
            self.flow.frame.reads.setdefault(
                (self.flow.module.env, name), self.core.changes
            )  # a function may set it later
        return found

    def module_variable(self, module: Any, name: str, value: Value) -> Value:
        """A rebound module variable as read from a function: any of its values. A flag that only
        functions switch is what the module set it to; where its own body calls, it is what it is by then."""
        if self.flow.driving or (isinstance(value, Const) and isinstance(value.value, bool)):
            return value
        late: Value = module.env.vars.get(("late", name), value)
        return late

    def x_attr(self, node: Expr) -> Value:
        inner = node[2]
        if inner[0] == "attr" and node[3] in STATIC_FIELDS:
            owner = self._part(inner, STATIC_PART)
        elif inner[0] == "attr" and inner[3] == "__class__" and node[3] in _NAMES_OF_CLASSES:
            self.eval(inner[2])
            return STR  # whichever class that is
        else:
            owner = self._table[inner[0]](inner)
        reader = self.interpreter.attributes.by_kind.get(type(owner))
        return UNKNOWN if reader is None else reader(owner, node[3], node[1])

    # ---- containers

    def _items(self, nodes: tuple[Expr, ...]) -> tuple[list[Value], bool]:
        """The values of a display, and whether their number is known."""
        found: list[Value] = []
        exact = True
        for each in nodes:
            if each[0] == "star":
                value = self.eval(each[1])
                items = self.known_items(value)
                if items is None:
                    exact = False
                    found.append(self.interpreter.containers.iterate(value, nid_of(each[1], 0)))
                else:
                    found.extend(items)
            else:
                found.append(self.eval(each))
        return found, exact

    def known_items(self, value: Value) -> tuple[Value, ...] | None:
        if isinstance(value, Tuple):
            return value.items
        if isinstance(value, MutableContainer):
            if value.kind == "dict":
                return tuple(Const(name) for name in value.entries) if value.elem is None else None
            return tuple(value.items) if value.items is not None else None
        if isinstance(value, Const) and isinstance(value.value, str) and len(value.value) < 32:
            return tuple(Const(letter) for letter in value.value)
        return None

    def x_tuple(self, node: Expr) -> Value:
        items, exact = self._items(node[1])
        return Tuple(tuple(items)) if exact else Tuple(None, join_all(items))

    def x_list(self, node: Expr) -> Value:
        items, exact = self._items(node[2])
        box = self.core.box(node[0], node[1])
        if exact:
            box.items = items
        else:
            box.items = None
            box.elem = join_all(items) if items else None
        return box

    def x_set(self, node: Expr) -> Value:
        box = self.x_list(node)
        for item in box.items or () if isinstance(box, MutableContainer) else ():
            if level_of(item):
                self.core.emit("Set", Boolean(node[1], self.flow.frame, item, "set"))
            elif isinstance(item, Array):
                self.core.emit("Hashed", Hashed(node[1], self.flow.frame, item, "element"))
        return box

    def x_dict(self, node: Expr) -> Value:
        pairs = []
        for key, value in node[2]:
            pairs.append((None if key is None else self.eval(key), self.eval(value)))
        return self.dict_of(pairs, node[1])

    def dict_of(self, pairs: Sequence[tuple[Value | None, Value]], nid: int) -> MutableContainer:
        """A new dict of names and values; a value without a name is a mapping that is unpacked into it."""
        entries: dict[Any, Value] = {}
        elem: Value | None = None
        for name, value in pairs:
            if isinstance(name, Array):
                self.core.emit("Hashed", Hashed(nid, self.flow.frame, name, "key"))
            if name is None:
                other: Value | None = UNKNOWN
                if isinstance(value, MutableContainer) and value.kind == "dict":
                    entries.update(value.entries)
                    other = value.elem
                if other is not None:
                    entries = {each: join(old, other) for each, old in entries.items()}
                    elem = other if elem is None else join(elem, other)
            elif isinstance(name, Const):
                entries[name.value] = value
            else:
                elem = value if elem is None else join(elem, value)
        box = self.core.box("dict", nid)  # it may be one of the mappings, where a loop comes here again
        box.entries, box.elem = entries, elem
        return box

    def x_star(self, node: Expr) -> Value:
        return Tuple(None, self.interpreter.containers.iterate(self.eval(node[1]), nid_of(node[1], 0)))

    def x_slice(self, node: Expr) -> Value:
        return Product("slice", *(self.eval(each) for each in node[2:]), node[1])

    def x_walrus(self, node: Expr) -> Value:
        value = self.eval(node[3])
        self.interpreter.assignments.assign(node[2], value, node[1])
        return value

    def x_await(self, node: Expr) -> Value:
        self.eval(node[1])
        return UNKNOWN

    def x_yield(self, node: Expr) -> Value:
        self.flow.frame.yields += (self.eval(node[1]),)
        self.flow.frame.yielded = len(self.flow.frame.mutations)
        self.flow.frame.lends = self.flow.context.unjitted
        return UNKNOWN

    def x_yieldfrom(self, node: Expr) -> Value:
        self.flow.frame.yields += (
            self.interpreter.containers.iterate(self.eval(node[1]), nid_of(node[1], 0)),
        )
        return UNKNOWN

    def text_of(self, values: Iterable[Value]) -> Value:
        """A string made of these."""
        level = 0
        for value in values:
            level |= value.level if isinstance(value, Text) else level_of(value)
        return Text(level) if level else STR

    def x_fstring(self, node: Expr) -> Value:
        """Names and numbers that are known make a text that is known: the name of an item or an attribute."""
        values = []
        for nid, expression, spec, conversion in node[2]:
            value = self.eval(expression)
            values.append(value)
            if conversion is None:
                self.core.emit("FormattedString", Format(nid, self.flow.frame, value, spec))
        known = [str(each.value) for each in values if type(each) is Const and type(each.value) in _NAMING]
        if not node[3] or len(known) < len(values):
            return self.text_of(values)
        texts = [text for _, text in node[3]]
        return Const("".join(part for pair in zip(texts, (*known, ""), strict=True) for part in pair))

    def x_lambda(self, node: Expr) -> Value:
        return self.interpreter.definitions.make_function(node[2])

    # ---- calls and subscripts

    def x_call(self, node: Expr) -> Value:
        named = node[2]
        if named[0] == "attr" and named[3] == "get" and node[3]:
            func = self.interpreter.attributes.attribute(
                self._container(named[2], node[3][0]), "get", named[1]
            )
        else:
            func = self._table[named[0]](named)
        args, keywords, exact = self.arguments(node[3], node[4])
        if node[4] or type(func) in _REFERRED:
            self.guards.refer_call(node, func, args, keywords)
        self.flow.calling = node
        result = self.interpreter.calls.call(func, args, keywords, node[1], exact)
        if self.flow.unbound is not None:
            certain = self.flow.unbound == (self.flow.module, node[1]) and type(func) in _CERTAIN
            self.flow.unbound = None
            if certain:
                raise Unreachable  # the arguments are not the parameters': nothing follows
        return result

    def arguments(self, nodes: tuple[Expr, ...], keyword_nodes: Any) -> Arguments:
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        exact = True
        for each in nodes:
            if each[0] == "star":
                value = self.eval(each[1])
                items = self.known_items(value)
                if items is None:
                    args.append(
                        Product("rest", self.interpreter.containers.iterate(value, nid_of(each[1], 0)))
                    )
                    exact = False
                else:
                    args.extend(items)
            else:
                args.append(self._table[each[0]](each))
        for name, each in keyword_nodes:
            value = self._table[each[0]](each)
            if name is not None:
                keywords[name] = value
            elif isinstance(value, MutableContainer) and value.kind == "dict" and value.elem is None:
                keywords.update({str(key): inner for key, inner in value.entries.items()})
            else:
                exact = False
                keywords["**"] = value.each() if isinstance(value, MutableContainer) else UNKNOWN
        return args, keywords, exact

    def x_sub(self, node: Expr) -> Value:
        owner = self._container(node[2], node[3])
        index = self.eval(node[3])
        if "Subscript" in self.core.hooks and (
            isinstance(owner, (Array, TracerPytree, MutableContainer, Tuple, OneOf, Product, NumPyArray))
            or level_of(index)
        ):
            self.core.emit("Subscript", Subscript(node[1], self.flow.frame, owner, index))
        overlay = (
            self.flow.env.vars.get(("[]", id(owner), index)) if isinstance(owner, MutableContainer) else None
        )
        return self.interpreter.containers.subscript(owner, index, node[1]) if overlay is None else overlay

    def _container(self, node: Expr, index: Expr) -> Value:
        """What an item is read from: of a variable or an attribute no more than that item is read."""
        if index[0] != "const" or node[0] not in ("name", "attr"):
            return self.eval(node)
        return self._part(node, index)

    def _part(self, node: Expr, index: Expr) -> Value:
        """What a variable or an attribute holds, of which no more than a part is read."""
        holder = self.eval(node[2]) if node[0] == "attr" else None
        if holder is not None and not isinstance(holder, (Instance, Imported)):
            return self.interpreter.attributes.attribute(holder, node[3], node[1])
        self.flow.item = index
        try:
            return (
                self.x_name(node)
                if holder is None
                else self.interpreter.attributes.attribute(holder, node[3], node[1])
            )
        finally:
            self.flow.item = None

    # ---- small questions

    def x_discard(self, node: Expr) -> None:
        """An expression statement."""
        value = self.eval(node[2])
        if "Expr" in self.core.hooks and node[2][0] in ("call", "sub", "bin"):
            called = self.flow.last_called if node[2][0] == "call" else ("", None)
            func = node[2][2] if node[2][0] == "call" else node[2]
            owner: Expr = func[2] if func[0] == "attr" else ("name",)
            if owner[0] == "sub" and owner[2][0] == "attr" and owner[2][3] == "at":
                owner = owner[2][2]
            kept = owner[0] in ("name", "attr", "sub")
            self.core.emit("Expr", Discard(node[1], self.flow.frame, value, *called, kept))


def nid_of(node: Expr, default: int) -> int:
    """The number of an expression, where it has one."""
    while node[0] in ("star", "await", "yield", "yieldfrom"):
        node = node[1]
    if len(node) > 1 and type(node[1]) is int and node[0] not in ("const",):
        return node[1]
    return default


def _may_change(env: Environment, name: str, value: Value) -> bool:
    """Whether a module variable is bound more than once, or holds what can be written in place."""
    return name in env.module.rebound or isinstance(value, (MutableContainer, NumPyArray))
