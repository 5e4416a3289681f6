"""Expressions, by the kind of their node: names, containers, comprehensions, subscripts, calls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Any

from jaxlint.analysis.conditions import held_facts
from jaxlint.analysis.copies.module_states import may_change
from jaxlint.analysis.core import Arguments, Core, Unreachable, by_kind
from jaxlint.analysis.events import Boolean, Subscript
from jaxlint.analysis.feature_guards import FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import MutableContainer, Tuple, join, join_all, level_of, options_of
from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Key
from jaxlint.domain.questions import (
    CONTENTS,
    as_mapping,
    contents_of,
    has_tokens,
    is_annotated_array,
    is_open,
    kept_under,
    known_items,
    texts_of,
)
from jaxlint.domain.values import (
    STR,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    OneOf,
    Product,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.hashing import Hashing
from jaxlint.evaluation.selection import as_mask, by_key, by_method, by_read
from jaxlint.evaluation.texts import FORMATS, Texts
from jaxlint.ir.limits import CANDIDATES
from jaxlint.ir.nodes import (
    EXPRESSIONS,
    OPAQUE,
    AttrExpr,
    AwaitExpr,
    CallExpr,
    ConstExpr,
    DictExpr,
    Expr,
    FStringExpr,
    Keyword,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    OpaqueExpr,
    SetExpr,
    SliceExpr,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
    WalrusExpr,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.replaced_fields import MAPS, READERS_OF_STRUCTURE, STATIC_PART, STATIC_PARTS, read_for_part
from jaxlint.ir.walks import nid_of

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
        self.texts = Texts(core, interpreter)
        self.hashing = Hashing(flow, core, interpreter)
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.interpreter = interpreter
        self._table: dict[type[Node], Callable[[Any], Value]] = {}
        self._callee: Expr | None = None  # what the last call calls
        self._for_part: Expr | None = None  # what is read for its structure, or for a dtype in it
        self._constants: dict[tuple[type, Any], Const] = {}

    def register(self, *parts: object) -> None:
        """The methods named `x_KIND` evaluate the expressions of that kind."""
        self._table |= by_kind(*parts, prefix="x_", kinds=EXPRESSIONS)

    def replace_handlers(
        self, change: Callable[[type[Node], Callable[[Any], Value]], Callable[[Any], Value]]
    ) -> None:
        """Puts something else in the place of what evaluates each kind of expression."""
        self._table = {kind: change(kind, handler) for kind, handler in self._table.items()}

    def eval(self, node: Expr) -> Value:
        return self._table[type(node)](node)

    # ---- leaves

    def x_const(self, node: ConstExpr) -> Value:
        value = node.value
        kind = type(value)
        if kind not in _SHARED:
            return Const(value)
        found = self._constants.get((kind, value))
        if found is None:
            found = self._constants[kind, value] = Const(value)
        return found

    def x_opaque(self, node: OpaqueExpr) -> Value:
        return UNKNOWN

    def x_name(self, node: NameExpr) -> Value:
        name = node.name
        env = self.flow.env
        value = env.vars.get(name)
        if value is not None:
            if type(value) is MutableContainer and value.depth < self.flow.context.stage:
                self.staleness.note_container(value, name, node.nid)
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
                if self.flow.context.staged and (outer.parent is not None or may_change(outer, name, value)):
                    self.staleness.note_read(outer, name, value, node.nid)
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

    def x_attr(self, node: AttrExpr) -> Value:
        inner, name, is_called = node.value, node.name, node is self._callee
        if self.flow.context.staged and (root := read_for_part(inner, name)) is not None:
            self._for_part = root
            owner, self._for_part = self._container(inner), None
            if root is not inner and any(isinstance(each, Instance) for each in options_of(owner)):
                owner = self.eval(inner)  # an object may have another one under the name
        elif type(inner) is AttrExpr and inner.name == "__class__" and name in _NAMES_OF_CLASSES:
            self.eval(inner.value)
            return STR  # whichever class that is
        else:
            owner = self._table[type(inner)](inner)
        if type(owner) in (OneOf, TracerPytree) and type(inner) is NameExpr:
            owner = self.found_to_be(inner, owner, by_read(owner, name))
        elif type(owner) is Unknown and owner.arrays and is_called:
            owner = self.found_to_be(inner, owner, by_method(owner, name, inner, self.flow.env.code))
        reader = self.interpreter.attributes.by_kind.get(type(owner))
        value = UNKNOWN if reader is None else reader(owner, name, node.nid)
        return self.flow.as_assumed(node, value) if self.flow.context.assumed else value

    def found_to_be(self, node: Expr, value: Value, found: Value) -> Value:
        """What else is known of what a variable holds, where that it is read so shows it."""
        variables = self.flow.env.vars
        if found is not value and isinstance(node, NameExpr) and node.name in variables:
            if not self.core.handlers():
                variables[node.name] = found
        return found

    # ---- containers

    def _items(self, nodes: tuple[Expr, ...]) -> tuple[list[Value], bool]:
        """The values of a display, and whether their number is known."""
        found: list[Value] = []
        exact = True
        for each in nodes:
            if type(each) is StarExpr:
                items, iterated = self._unpacked(each)
                exact = exact and items is not None
                found.extend((iterated,) if items is None else items)
            else:
                found.append(self.eval(each))
        return found, exact

    def _unpacked(self, node: StarExpr) -> tuple[Sequence[Value] | None, Value]:
        """The items of what `*` is written before, where they are known, or else any of them."""
        value, containers = self.eval(node.value), self.interpreter.containers
        items = self.known_items(value)
        if isinstance(value, Key):
            items = containers.items_of_keys(value, value.count)
        return items, UNKNOWN if items is not None else containers.iterate(value, nid_of(node.value, 0))

    known_items = staticmethod(known_items)

    def as_listed(self, node: Expr, value: Value) -> Value:
        """What a membership is asked of. A function that reads a container of a module is analyzed again
        where something is put into it: what is in there is all. So it is for a list that a variable holds,
        of which the items are known: who changes it elsewhere blurs it."""
        if not isinstance(value, MutableContainer) or not isinstance(node, NameExpr):
            return value
        env = self.flow.env
        home = env.module.env
        if env is home or (node.name in env.vars and (value.kind != "list" or value.home is not None)):
            return value
        if env.vars.get(node.name, home.vars.get(node.name)) is not value:
            return value
        items = self.known_items(value)
        return Tuple(items) if items and all(type(each) is Const for each in items) else value

    def x_tuple(self, node: TupleExpr) -> Value:
        items, exact = self._items(node.items)
        return Tuple(tuple(items)) if exact else Tuple(None, join_all(items))

    def x_list(self, node: ListExpr) -> MutableContainer:
        return self._collection("list", node)

    def _collection(self, kind: str, node: ListExpr | SetExpr) -> MutableContainer:
        items, exact = self._items(node.items)
        box = self.core.box(kind, node.nid)
        if exact:
            box.items = items
        else:
            box.items = None
            box.elem = join_all(items) if items else None
        return box

    def x_set(self, node: SetExpr) -> Value:
        box = self._collection("set", node)
        for item in filter(level_of, box.items or ()):
            self.core.emit("Set", Boolean(node.nid, self.flow.frame, item, "set"))
        self.hashing.hash_any(box.items if box.items is not None else [box.each()], "element", node.nid)
        return box

    def x_dict(self, node: DictExpr) -> Value:
        pairs = []
        for key, value in node.items:
            pairs.append((None if key is None else self.eval(key), self.eval(value)))
        return self.dict_of(pairs, node.nid)

    def dict_of(self, pairs: Sequence[tuple[Value | None, Value]], nid: int) -> MutableContainer:
        """A new dict of names and values; a value without a name is a mapping that is unpacked into it."""
        entries: dict[Any, Value] = {}
        elem: Value | None = None
        self.hashing.hash_any([name for name, _ in pairs if name is not None], "key", nid)
        for name, value in pairs:
            if name is None:
                value = self.copied(value, nid)
                other: Value | None = UNKNOWN
                if (mapping := as_mapping(value)) is not None:
                    entries.update(mapping[0])
                    other = mapping[1]
                if other is not None:
                    entries = {each: join(old, other) for each, old in entries.items()}
                    other = TracerPytree(value.level) if isinstance(value, TracerPytree) else other
                    elem = other if elem is None else join(elem, other)
            elif isinstance(name, Const):
                entries[name.value] = value
            else:
                elem = kept_under(name, elem, value)
        box = self.core.box("dict", nid)  # it may be one of the mappings, where a loop comes here again
        box.entries, box.elem = entries, elem
        box.is_open = any(name is None and is_open(value) for name, value in pairs)
        is_copy = len(pairs) == 1 and pairs[0][0] is None
        box.source = value if is_copy and isinstance(value, MutableContainer) else None
        return box

    def copied(self, value: Value, nid: int) -> Value:
        """What is read where a mapping is copied: of the attributes of an object those that are known, and
        others; of a dataclass's its fields."""
        value = contents_of(value, "keys", "__getitem__") or value
        owner = value.parts[0] if isinstance(value, Product) and value.kind == "variables" else None
        if not isinstance(owner, Instance) or owner.generic or owner.is_open:
            return value
        box = self.core.box("dict", nid, "vars")
        of_instance = self.interpreter.attributes.of_instance
        is_record = owner.cls.has_mark("dataclass")
        names = (
            owner.cls.all_fields() if is_record else [each for each in owner.attributes if each != CONTENTS]
        )
        box.entries = {name: of_instance(owner, name) for name in names}
        box.elem = None if is_record else UNKNOWN
        return box

    def x_star(self, node: StarExpr) -> Value:
        return Tuple(None, self.interpreter.containers.iterate(self.eval(node.value), nid_of(node.value, 0)))

    def x_slice(self, node: SliceExpr) -> Value:
        bounds = [self.eval(each) for each in (node.lower, node.upper, node.step)]
        return Product("slice", *bounds, node.nid)

    def x_walrus(self, node: WalrusExpr) -> Value:
        value = self.eval(node.value)
        self.interpreter.assignments.assign(node.target, value, node.nid)
        return value

    def x_await(self, node: AwaitExpr) -> Value:
        self.eval(node.value)
        return UNKNOWN

    def x_yield(self, node: YieldExpr) -> Value:
        value = self.eval(node.value)
        self.flow.frame.yields += (value,)
        # a loop that changes nothing is run once here, and gives this at each turn
        is_held = isinstance(node.value, (NameExpr, AttrExpr))
        self.flow.frame.repeats = is_held and bool(self.flow.frame.iterations)
        self._show_writes(self.flow.frame)
        self.flow.frame.halfway = dict(self.staleness.trace_cache.written)
        if isinstance(value, MutableContainer):
            value.block = self.core.new_block()  # what is in it later is not what it is handed out with
        self.flow.frame.yielded = len(self.flow.frame.mutations)
        self.flow.frame.lends = self.flow.context.lent()
        return UNKNOWN

    def _show_writes(self, frame: FunctionContext) -> None:
        """Notes what is in attributes at a `yield`, or at one of several, that the generator has written."""
        last_of, before = self.flow.env.vars.get, frame.shown
        now = {mark: value for mark in frame.writes.values() if (value := last_of(mark)) is not None}
        if before is not None:
            now = {mark: join(before[mark], value) for mark, value in now.items() if mark in before}
        frame.shown = now

    def x_yieldfrom(self, node: YieldFromExpr) -> Value:
        self.flow.frame.yields += (
            self.interpreter.containers.iterate(self.eval(node.value), nid_of(node.value, 0)),
        )
        return UNKNOWN

    def x_fstring(self, node: FStringExpr) -> Value:
        """Names and numbers that are known make a text that is known: the name of an item or an attribute."""
        values, is_made = [], True
        for part in node.parts:
            value = self.eval(part.value)
            values.append(value)
            if part.conversion is None:
                is_made = self.texts.takes(value, part.spec, part.nid) and is_made
        if not is_made:
            return STR
        known = [_written(each) for each in values]
        if not node.texts or not all(known) or prod(map(len, known)) > CANDIDATES.most:
            return self.texts.made_of(values, node.nid, FORMATS)
        texts = [text.value for text in node.texts]
        return join_all(
            [
                Const("".join(part for pair in zip(texts, (*chosen, ""), strict=True) for part in pair))
                for chosen in product(*known)
            ]
        )

    def x_lambda(self, node: LambdaExpr) -> Value:
        return self.interpreter.definitions.make_function(node.index)

    # ---- calls and subscripts

    def x_call(self, node: CallExpr) -> Value:
        named = node.func
        if type(named) is AttrExpr and named.name == "get" and node.args:
            func = self.interpreter.attributes.attribute(
                self._container(named.value, node.args[0]), "get", named.nid
            )
        else:
            self._callee = named
            func = self._table[type(named)](named)
        args, keywords, exact = self._given(node, func)
        if node.keywords or type(func) in _REFERRED:
            self.guards.refer_call(node, func, args, keywords)
        self.flow.calling, self.flow.called = node, func
        result = self.interpreter.calls.call(func, args, keywords, node.nid, exact)
        if self.flow.unbound is not None:
            unbound, self.flow.unbound = self.flow.unbound, None
            if unbound == (self.flow.module, node.nid) and type(func) in _CERTAIN:
                raise Unreachable  # the arguments are not the parameters': nothing follows
        if held_facts.MARK in self.flow.env.vars:
            held_facts.forget_given(self.flow.env.vars, node)
        if self.flow.dropped and id(node) in self.flow.dropped:
            self.interpreter.statements.note_dropped(node, result)
        return result

    def _given(self, node: CallExpr, func: Value) -> Arguments:
        """The arguments of a call; of one that is read for its structure no more than that is read."""
        nodes, first = node.args, list[Value]()
        if self.flow.context.staged and nodes and isinstance(func, External):
            if func.name in MAPS and not isinstance(nodes[0], StarExpr):
                first, nodes = [func := self.eval(nodes[0])], nodes[1:]
            is_read_so = isinstance(func, External) and func.name in READERS_OF_STRUCTURE
            is_read_so = is_read_so or (bool(nodes) and nodes[0] is self._for_part)
            if is_read_so and nodes and isinstance(nodes[0], (NameExpr, AttrExpr)):
                first.append(self._part(nodes[0], STATIC_PART))
                nodes = nodes[1:]
        args, keywords, exact = self.arguments(nodes, node.keywords)
        return [*first, *args], keywords, exact

    def arguments(self, nodes: tuple[Expr, ...], keyword_nodes: tuple[Keyword, ...]) -> Arguments:
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        exact = True
        for each in nodes:
            if type(each) is StarExpr:
                items, iterated = self._unpacked(each)
                exact = exact and items is not None
                args.extend((Product("rest", iterated),) if items is None else items)
            else:
                args.append(self._table[type(each)](each))
        for keyword in keyword_nodes:
            name, given = keyword.name, self._table[type(keyword.value)](keyword.value)
            value = given if name is not None else self.copied(given, keyword.nid)
            if name is not None:
                keywords[name] = value
            elif isinstance(value, MutableContainer) and value.kind == "dict":
                if value.elem is None or value is not given:  # or of what `vars` gives
                    keywords.update({str(key): inner for key, inner in value.entries.items()})
                if value.elem is not None:
                    exact, keywords["**"] = False, value.each()
            else:
                exact, keywords["**"] = False, UNKNOWN
        return args, keywords, exact

    def x_subscript(self, node: SubscriptExpr) -> Value:
        owner = self._container(node.value, node.index)
        index = as_mask(self.eval(node.index), owner)
        owner = self.found_to_be(node.value, owner, by_key(owner, index))
        if "Subscript" in self.core.hooks and (
            isinstance(owner, (Array, TracerPytree, MutableContainer, Tuple, OneOf, Product, NumPyArray))
            or level_of(index)
            or is_annotated_array(owner)
        ):
            self.core.emit("Subscript", Subscript(node.nid, self.flow.frame, owner, index))
        overlay = (
            self.flow.env.vars.get(("[]", id(owner), index)) if isinstance(owner, MutableContainer) else None
        )
        return self.interpreter.containers.item(owner, index, node.nid) if overlay is None else overlay

    def _container(self, node: Expr, index: Expr = OPAQUE) -> Value:
        """What an item is read from: of a variable or an attribute no more than that item is read."""
        if isinstance(node, (NameExpr, AttrExpr)) and (type(index) is ConstExpr or node is self._for_part):
            return self._part(node, STATIC_PART if node is self._for_part else index)
        return self.eval(node)

    def _part(self, node: NameExpr | AttrExpr, index: Expr) -> Value:
        """What a variable or an attribute holds, of which no more than a part is read."""
        if isinstance(node, AttrExpr) and node.name in STATIC_PARTS:
            return self.x_attr(node)
        holder = self.eval(node.value) if isinstance(node, AttrExpr) else None
        if holder is not None and not isinstance(holder, (Instance, Imported)):
            return self.interpreter.attributes.attribute(holder, node.name, node.nid)
        self.flow.item = index
        try:
            if isinstance(node, NameExpr):
                return self.x_name(node)
            assert holder is not None
            return self.interpreter.attributes.attribute(holder, node.name, node.nid)
        finally:
            self.flow.item = None


def _written(value: Value) -> Sequence[str]:
    """What a value may be in a text: a name, a number, or each of a few names; nothing if it is not known."""
    if type(value) is Const:
        return (str(value.value),) if type(value.value) in _NAMING else ()
    return sorted(texts_of(value))
