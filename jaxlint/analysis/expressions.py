"""The value of an expression, from the values of its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from jaxlint.analysis.core import DOUBT, TRACER_SEEN, Arguments, Unreachable
from jaxlint.analysis.events import Binary, Boolean, Count, Discard, Format, Hashed, Loop, Subscript, Test
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.function_freshness import FunctionFreshness
from jaxlint.analysis.value_partitions import Fact, facts_of
from jaxlint.domain.consumed_keys import NOTHING
from jaxlint.domain.key_tokens import merged
from jaxlint.domain.program import Module
from jaxlint.domain.values import (
    ANY,
    BOOL,
    DIFFERENTIATED,
    FLOAT,
    INT,
    STR,
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
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Text,
    TracerPytree,
    Tuple,
    Unknown,
    Value,
    any_of,
    asks,
    constants,
    from_shape,
    given_or_default,
    has_tokens,
    is_host_data,
    join,
    join_all,
    level_of,
    may_lack,
    one_key,
    options_of,
)
from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import Held
from jaxlint.ir.lowering import Expr
from jaxlint.ir.replaced_fields import STATIC_FIELDS, STATIC_PART

_FOLD: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "/": lambda a, b: a / b, "//": lambda a, b: a // b, "%": lambda a, b: a % b,
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}  # fmt: skip
_SPECIAL = {
    "+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "**": "pow",
    "@": "matmul", "&": "and", "|": "or", "^": "xor", "<<": "lshift", ">>": "rshift",
    "<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne",
}  # fmt: skip
_NUMBERS = (int, float, complex)
# types of constants that are equal only where they are the same
_SHARED = frozenset((str, int, bool, type(None)))
_CERTAIN = frozenset((Function, Bound, Class))  # what a call certainly calls
_REFERRED = frozenset((External, Product))  # of which a call without keywords may be worth a word
_NAMING = frozenset((str, int))
_HASHING = frozenset(("dict", "set", "frozenset"))
ORDERING = frozenset(("<", "<=", ">", ">="))
_NAMED = (External, Class, Function)  # of which two are equal where they are the same


class Shown:
    """What the operands of `and` or `or` so far have shown, the whole time in the same state.

    vars: the variables as those narrow them, where nothing has changed since. is_never: the next operand is
    never evaluated.
    """

    __slots__ = ("facts", "is_never", "vars")

    def __init__(self) -> None:
        self.facts: list[Fact] = []
        self.vars: Vars | None = None
        self.is_never = False


# strings of a class that say nothing of what its objects are
_NAMES_OF_CLASSES = frozenset(("__name__", "__qualname__"))


class Expressions(FunctionFreshness):
    """Evaluates lowered expressions."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._table: dict[str, Callable[[Expr], Value]] = {
            name[2:]: getattr(self, name) for name in dir(self) if name.startswith("x_")
        }
        self._constants: dict[tuple[type, Any], Const] = {}

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
        env = self.env
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
                    self.frame.captures.setdefault((outer, name), value)
                if self.context.staged and (outer.parent is not None or _may_change(outer, name, value)):
                    self.note_read(outer, name, value, node[1])
                if outer.parent is None and type(value) is MutableContainer:
                    self.frame.reads.setdefault((outer, name), self.changes)
                if outer.parent is None and name in outer.module.rebound:
                    self.frame.reads.setdefault((outer, name), self.changes)
                    return self.module_variable(outer.module, name, value)
                return value
            outer = outer.parent
        found = self.builtin(name)
        if type(found) is Unknown:
            self.frame.reads.setdefault((self.module.env, name), self.changes)  # a function may set it later
        return found

    def module_variable(self, module: Any, name: str, value: Value) -> Value:
        """A rebound module variable as read from a function: any of its values. A flag that only
        functions switch is what the module set it to; where its own body calls, it is what it is by then."""
        if self.driving or (isinstance(value, Const) and isinstance(value.value, bool)):
            return value
        late: Value = module.env.vars.get(("late", name), value)
        return late

    def builtin(self, name: str) -> Value:
        raise NotImplementedError

    def x_attr(self, node: Expr) -> Value:
        inner = node[2]
        if inner[0] == "attr" and node[3] in STATIC_FIELDS:
            owner = self._part(inner, STATIC_PART)
        elif inner[0] == "attr" and inner[3] == "__class__" and node[3] in _NAMES_OF_CLASSES:
            self.eval(inner[2])
            return STR  # whichever class that is
        else:
            owner = self._table[inner[0]](inner)
        reader = self._attributes_of.get(type(owner))
        return UNKNOWN if reader is None else reader(owner, node[3], node[1])

    # how attributes are read, by the kind of value
    _attributes_of: Mapping[type, Callable[[Any, str, int], Value]]

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
                    found.append(self.iterate(value, _nid_of(each[1], 0)))
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
        box = self.box(node[0], node[1])
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
                self.emit("Set", Boolean(node[1], self.frame, item, "set"))
            elif isinstance(item, Array):
                self.emit("Hashed", Hashed(node[1], self.frame, item, "element"))
        return box

    def x_dict(self, node: Expr) -> Value:
        pairs = []
        for key, value in node[2]:
            pairs.append((None if key is None else self.eval(key), self.eval(value)))
        return self._dict_of(pairs, node[1])

    def _dict_of(self, pairs: Sequence[tuple[Value | None, Value]], nid: int) -> MutableContainer:
        """A new dict of names and values; a value without a name is a mapping that is unpacked into it."""
        entries: dict[Any, Value] = {}
        elem: Value | None = None
        for name, value in pairs:
            if isinstance(name, Array):
                self.emit("Hashed", Hashed(nid, self.frame, name, "key"))
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
        box = self.box("dict", nid)  # it may be one of the mappings, where a loop comes here again
        box.entries, box.elem = entries, elem
        return box

    def x_star(self, node: Expr) -> Value:
        return Tuple(None, self.iterate(self.eval(node[1]), _nid_of(node[1], 0)))

    def x_slice(self, node: Expr) -> Value:
        return Product("slice", *(self.eval(each) for each in node[2:]), node[1])

    # ---- operators

    def x_bin(self, node: Expr) -> Value:
        return self.binary(node[2], self.eval(node[3]), self.eval(node[4]), node[1])

    def binary(self, operator: str, left: Value, right: Value, nid: int, augmented: bool = False) -> Value:
        result = self._binary(operator, left, right, nid)
        if operator == "@" and "BinaryOperation" in self.hooks:
            event = Binary(nid, self.frame, operator, left, right, result, augmented)
            self.emit("BinaryOperation", event)
        elif operator == "%" and isinstance(left, Const) and isinstance(left.value, str):
            self.percent_format(left.value, right, nid)
            result = self.text_of(right.items or (right.elem,) if isinstance(right, Tuple) else (right,))
        return result

    def percent_format(self, template: str, value: Value, nid: int) -> None:
        raise NotImplementedError

    def _binary(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        kinds = (type(left), type(right))
        if kinds == (Const, Const):
            return self._fold(operator, left.value, right.value)  # type: ignore[attr-defined]
        if FeatureProbe in kinds:
            return FeatureProbe("any", asks(left) or asks(right))
        for value, reverse in ((left, False), (right, True)):
            if isinstance(value, Instance) or (isinstance(value, Tuple) and value.cls is not None):
                name = _SPECIAL[operator]
                method = self.special(value, f"__r{name}__" if reverse else f"__{name}__", nid)
                if method is not None:
                    return self.call(method, [left if reverse else right], {}, nid)
                if isinstance(value, Instance):
                    return UNKNOWN
        if isinstance(left, OneOf) or isinstance(right, OneOf):
            if (
                isinstance(left, OneOf)
                and isinstance(right, OneOf)
                and len(left.options) * len(right.options) > 9
            ):
                return UNKNOWN
            found = [
                self._binary(operator, a, b, nid)
                for a in options_of(left)
                for b in options_of(right)
                if not (_is_none(a) or _is_none(b))
            ]
            return join_all(found)
        level = level_of(left) | level_of(right)
        arrayish = isinstance(left, (Array, TracerPytree)) or isinstance(right, (Array, TracerPytree))
        if isinstance(left, (Tuple, MutableContainer)) or isinstance(right, (Tuple, MutableContainer)):
            return self._sequence_operation(operator, left, right, nid)
        if operator == "*" and arrayish and (_is_text(left) or _is_text(right)):
            self.count(nid, "str", right if _is_text(left) else left)
            return STR
        if isinstance(left, Product) or isinstance(right, Product):
            return self._product_operation(operator, left, right)
        if arrayish:
            if operator == "//":
                level &= ~DIFFERENTIATED  # it has no slope
            if self.context.staged:
                self.frame.operations += 1
                level |= 1
            return Array(
                level,
                _result_dtype(operator, left, right),
                _result_ndim(operator, left, right),
                level == 1 and from_shape((left, right)),
            )
        if isinstance(left, Key) or isinstance(right, Key):
            return Array(level | (1 if self.context.staged else 0))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return UNKNOWN
        if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
            return NumPyArray(_result_dtype(operator, left, right), _result_ndim(operator, left, right))
        return _static_result(operator, left, right)

    def _fold(self, operator: str, left: Any, right: Any) -> Value:
        function = _FOLD.get(operator)
        if function is None:
            if operator == "**" and isinstance(left, _NUMBERS) and isinstance(right, (int, float)):
                if abs(left) <= 64 and abs(right) <= 16:
                    try:
                        return Const(left**right)
                    except (ArithmeticError, ValueError, TypeError):
                        return UNKNOWN
            return ANY if isinstance(left, (*_NUMBERS, str)) else UNKNOWN
        try:
            if operator == "*" and isinstance(left, (str, bytes)) != isinstance(right, (str, bytes)):
                return STR
            return Const(function(left, right))
        except Exception:
            return UNKNOWN

    def _sequence_operation(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        count = left if isinstance(right, (Tuple, MutableContainer)) else right
        if operator == "*" and isinstance(count, (Array, TracerPytree)) and level_of(count):
            self.count(nid, "list", count)
        elif isinstance(left, (Array, TracerPytree, NumPyArray)) or isinstance(
            right, (Array, TracerPytree, NumPyArray)
        ):
            if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
                return NumPyArray()
            return self.made((left, right))
        if operator == "+":
            if isinstance(left, Tuple) and isinstance(right, Tuple):
                if left.items is not None and right.items is not None:
                    return Tuple(left.items + right.items)
                return Tuple(None, join(left.each(), right.each()))
            if isinstance(left, MutableContainer) and isinstance(right, MutableContainer):
                box = self.box("list", nid)
                a, b = self.known_items(left), self.known_items(right)
                if a is not None and b is not None:
                    box.items = [*a, *b]
                else:
                    box.items = None
                    box.elem = join(left.each(), right.each())
                return box
            return UNKNOWN
        if operator == "*":
            sequence, count = (left, right) if isinstance(left, (Tuple, MutableContainer)) else (right, left)
            items = self.known_items(sequence)
            exact = isinstance(count, Const) and isinstance(count.value, int) and count.value <= 16
            if isinstance(sequence, Tuple):
                if items is not None and exact:
                    return Tuple(items * count.value)  # type: ignore[attr-defined]
                return Tuple(None, sequence.each())
            box = self.box("list", nid)
            if items is not None and exact:
                box.items = list(items) * count.value  # type: ignore[attr-defined]
            else:
                box.items = None
                box.elem = sequence.each() if isinstance(sequence, MutableContainer) else UNKNOWN
            return box
        if operator == "|" and isinstance(left, MutableContainer) and left.kind == "dict":
            return self._dict_of(((None, left), (None, right)), nid)
        if operator in ("|", "&", "-") and isinstance(left, MutableContainer):
            return left
        return UNKNOWN

    def count(self, nid: int, function: str, value: Value | None, which: int | str = 0) -> None:
        """Python needs this number for how often a sequence is repeated, or as an argument of a function."""
        if value is not None and level_of(value):
            self.emit("Count", Count(nid, self.frame, function, value, which))

    def _product_operation(self, operator: str, left: Value, right: Value) -> Value:
        if operator == "/" and isinstance(left, Product) and left.kind == "pathlib.Path":
            return left
        return UNKNOWN

    def special(self, owner: Instance | Tuple, name: str, nid: int) -> Value | None:
        raise NotImplementedError

    def x_un(self, node: Expr) -> Value:
        operator = node[2]
        value = self.eval(node[3])
        if operator == "not":
            value = self.asked(value, node[1])
            if level_of(value):
                self.emit("UnaryOperation", Boolean(node[1], self.frame, value, "not"))
            truth = self.truth(value)
            how = asks(value) or ("name" if may_lack(value) else "")
            if truth is None and how:
                if isinstance(value, FeatureProbe) and value.floor:
                    return FeatureProbe("bool", how, floor=value.floor, sense=not value.sense)
                return FeatureProbe("bool", how)
            return BOOL if truth is None else Const(not truth)
        if isinstance(value, Const) and isinstance(value.value, (int, float)):
            try:
                if operator == "-":
                    return Const(-value.value)
                if operator == "~":
                    return Const(~value.value) if isinstance(value.value, int) else UNKNOWN
                return value
            except TypeError:
                return UNKNOWN
        if isinstance(value, (Array, TracerPytree)):
            level = value.level | (1 if self.context.staged else 0)
            dtype = value.dtype if isinstance(value, Array) else "?"
            return Array(level, dtype, value.ndim if isinstance(value, Array) else None)
        if isinstance(value, Instance):
            name = {"-": "__neg__", "+": "__pos__", "~": "__invert__"}[operator]
            method = self.special(value, name, node[1])
            return UNKNOWN if method is None else self.call(method, [], {}, node[1])
        if isinstance(value, (Static, NumPyArray)):
            return value if not isinstance(value, Number) else INT
        return UNKNOWN

    def x_bool(self, node: Expr) -> Value:
        """`and`, `or`: each operand is evaluated under what those before it showed."""
        operator = node[2]
        nodes = [node]
        while nodes[-1][3][0] == "bool" and nodes[-1][3][2] == operator:
            nodes.append(nodes[-1][3])
        value = self.eval(nodes[-1][3])
        shown = Shown()
        for each in reversed(nodes):
            operand = each[3] if each is nodes[-1] else each[3][4]
            shown.facts += facts_of(operand, operator == "and")
            value = self._and_then(each, value, shown, each is not node)
        return value

    def _and_then(self, node: Expr, left: Value, shown: Shown, more: bool) -> Value:
        """The value of `left and right` and `left or right`. more: there are further operands."""
        operator = node[2]
        truth = self.truth(self.asked(left, node[1]))
        if level_of(left):
            self.emit("BooleanOperation", Boolean(node[1], self.frame, left, operator))
        before, shown.vars = shown.vars, None
        if shown.is_never:
            return left
        if truth is not None and truth == (operator == "or"):
            return left
        saved = self.env.vars
        self.env.vars = dict(saved if before is None else before)
        if not self.assume(node[3] if before is None else node[3][4], operator == "and"):
            self.env.vars = saved
            shown.is_never = True
            return left
        narrowed: Vars = self.env.vars
        self.env.vars = dict(narrowed)
        changes = self.changes
        guard = bool(asks(left)) or may_lack(left)
        self.guards += guard
        right = self._under(node[3], operator == "and", node[4], shown.facts)
        self.guards -= guard
        refined = self.env.vars
        self.env.vars = saved
        spent = saved.get("$spent")
        self._keep_spent(refined)
        new = refined.keys() - narrowed.keys() - ({TRACER_SEEN} if truth is None else set())
        if new:
            for name, value in refined.items():
                if name in new:
                    saved[name] = value
        elif more and saved.get("$spent") is spent and changes == self.changes and is_question(node[4]):
            shown.vars = narrowed
        if truth is not None:
            return right
        if level_of(left) & 3:
            return UNKNOWN
        if isinstance(right, Array) and right.level & 3 and is_host_data(left) and not _is_predicate(node[3]):
            return right  # where the static operand does not decide, this is what is asked
        if right == Const(operator == "or"):
            return Unknown(None, operator == "or")  # whatever the first one is
        if operator == "and":
            kept = [each for each in options_of(left) if self.truth(each) is not True]
        else:
            kept = [each for each in options_of(left) if self.truth(each) is not False]
        either = any_of([*kept, right]) if len(kept) <= 3 else UNKNOWN
        return one_key(left, right, either, self.fresh) if operator == "or" else either

    def narrow(self, node: Expr, truth: bool) -> None:
        raise NotImplementedError

    def assume(self, node: Expr, truth: bool) -> bool:
        raise NotImplementedError

    def x_cmp(self, node: Expr) -> Value:
        left = self.eval(node[2])
        rest = node[3]
        result: Value = UNKNOWN
        if node[2][0] == "call" and rest[0][0] in ("is", "is not"):
            self.subjects[node[2][1]] = left
        for position, (operator, comparator) in enumerate(rest):
            right = self.eval(comparator)
            result = self.compare(operator, left, right, node[1])
            if len(rest) > 1 and position < len(rest) - 1:
                if level_of(result):
                    self.emit("Comparison", Boolean(node[1], self.frame, result, "chain"))
                if self.truth(result) is False:
                    return result
            left = right
        if len(rest) > 1 and level_of(result) & 3:
            return result
        return result

    def compare(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        if operator in ("is", "is not"):
            answer = _identity(left, right, operator == "is not")
            if answer == BOOL and (asks(left) or may_lack(left)):
                return FeatureProbe("bool", asks(left) or "name")
            return answer
        how = asks(left) or asks(right)
        if how:
            return _answer(operator, left, right) or FeatureProbe("bool", how)
        if operator in ("in", "not in"):
            return self._contains(left, right, operator, nid)
        if operator in ORDERING and _is_none(left) != _is_none(right):
            other = right if _is_none(left) else left
            if isinstance(other, (Const, Static, Array, NumPyArray)) and other != ANY:
                raise Unreachable  # TypeError: nothing follows
        if isinstance(left, Const) and isinstance(right, Const):
            return self._fold(operator, left.value, right.value)
        if isinstance(left, Instance) or isinstance(right, Instance):
            return self._compare_objects(operator, left, right, nid)
        if isinstance(left, OneOf) or isinstance(right, OneOf):
            found = [
                self.compare(operator, a, b, nid)
                for a in options_of(left)
                for b in options_of(right)
                if operator not in ORDERING or not (_is_none(a) or _is_none(b))
            ]
            return join_all(found)
        found_array = self._compare_arrays(operator, left, right)
        if found_array is not None:
            return found_array
        if isinstance(left, Product) and isinstance(right, Product) and left.kind == right.kind == "member":
            return Const((left == right) == (operator == "=="))
        if isinstance(left, Unknown) or isinstance(right, Unknown):
            return UNKNOWN
        if isinstance(left, NumPyArray) or isinstance(right, NumPyArray):
            return NumPyArray("b")
        if isinstance(left, _NAMED) and isinstance(right, _NAMED) and operator in ("==", "!="):
            return Const((left == right) == (operator == "=="))
        if (
            operator in ("==", "!=")
            and isinstance(left, (Tuple, MutableContainer))
            and type(left) is type(right)
        ):
            asked = self.differing(left, right, nid)
            if asked is not None and level_of(asked):
                self.emit("Comparison", Boolean(nid, self.frame, asked, operator))
        if isinstance(left, Tuple) and isinstance(right, Tuple):
            if any(level_of(each) for each in (left.each(), right.each())):
                return UNKNOWN
        return BOOL

    def _compare_objects(self, operator: str, left: Value, right: Value, nid: int) -> Value:
        """A comparison of which a side is an object of a class of the project."""
        if isinstance(left, Instance):
            method = self.special(left, f"__{_SPECIAL[operator]}__", nid)
            if method is not None:
                return self.call(method, [right], {}, nid)
            return BOOL if isinstance(right, Const) else UNKNOWN
        if isinstance(right, Instance):
            self.special(right, f"__{_SPECIAL[operator]}__", nid)
        return BOOL if isinstance(left, Const) else UNKNOWN

    def _compare_arrays(self, operator: str, left: Value, right: Value) -> Value | None:
        """A comparison of which a side is an array or a pytree of tracers; None where none is."""
        level = level_of(left) | level_of(right) | (1 if self.context.staged else 0)
        for value, other in ((left, right), (right, left)):
            if isinstance(value, (Array, Key)):
                if isinstance(other, Const) and (other.value is None or isinstance(other.value, str)):
                    return BOOL
                return Array(level, "b", _result_ndim(operator, left, right))
        for value, other in ((left, right), (right, left)):
            if isinstance(value, TracerPytree):
                is_numeric = (
                    isinstance(other, (Array, NumPyArray))
                    or (isinstance(other, Const) and isinstance(other.value, (int, float)))
                    or (isinstance(other, Static) and other.type in ("int", "float"))
                )
                return Array(level, "b") if operator in ORDERING or is_numeric else UNKNOWN
        return None

    def sought(self, item: Value, sequence: Tuple | MutableContainer, nid: int) -> Value | None:
        raise NotImplementedError

    def differing(self, a: Value, b: Value, nid: int) -> Value | None:
        raise NotImplementedError

    def asked(self, value: Value, nid: int, event: str = "") -> Value:
        raise NotImplementedError

    def _contains(self, item: Value, container: Value, operator: str, nid: int) -> Value:
        if isinstance(container, MutableContainer) and container.kind in _HASHING and isinstance(item, Array):
            if level_of(item):
                self.emit("Set", Boolean(nid, self.frame, item, operator))
            return BOOL
        if isinstance(container, Instance) and self.context.depth:
            method = self.special(container, "__contains__", nid)
            if method is not None:
                found = self.call(method, [item], {}, nid)
                if level_of(found):
                    self.emit("Comparison", Boolean(nid, self.frame, found, operator))
            return BOOL
        if isinstance(container, MutableContainer) and container.kind == "dict":
            if isinstance(item, Const) and container.elem is None and _hashable(item.value):
                if item.value in container.entries and container.block == self.block:
                    return Const(operator == "in")
            return BOOL
        items = self.known_items(container)
        if items is not None and not (isinstance(container, Const) and isinstance(item, Const)):
            if isinstance(item, Const) and all(isinstance(each, Const) for each in items):
                is_there = any(each == item for each in items)
                if isinstance(container, Tuple) or is_there:
                    return Const(is_there == (operator == "in"))
        if isinstance(container, (Tuple, MutableContainer)):
            asked = self.sought(item, container, nid)
            if asked is not None:
                self.emit("Comparison", Boolean(nid, self.frame, asked, operator))
            return BOOL
        if isinstance(container, Array):
            self.emit("Comparison", Boolean(nid, self.frame, container, operator))
        if isinstance(item, Const) and isinstance(container, Const):
            return self._fold(operator, item.value, container.value)
        return BOOL

    def x_ifexp(self, node: Expr) -> Value:
        value = self.asked(self.eval(node[2]), _nid_of(node[2], node[1]), "IfExp")
        if level_of(value):
            self.emit("IfExp", Test(_nid_of(node[2], node[1]), self.frame, value, "ternary"))
        truth = self.truth(value)
        if truth is not None:
            self.narrow(node[2], truth)
            return self.eval(node[3] if truth else node[4])
        saved = self.env.vars
        self.env.vars = dict(saved)
        guard = bool(asks(value)) or may_lack(value)
        self.guards += guard
        first = self._under(node[2], True, node[3]) if self.assume(node[2], True) else UNKNOWN
        one, self.env.vars = self.env.vars, dict(saved)
        second = self._under(node[2], False, node[4]) if self.assume(node[2], False) else UNKNOWN
        self.guards -= guard
        other, self.env.vars = self.env.vars, saved
        self._keep_spent(one)
        self._keep_spent(other)
        either = any_of((first, second)) if first != second else first
        if first == second:
            return either
        return given_or_default(first, one, second, other) or one_key(first, second, either, self.fresh)

    def _under(self, test: Expr, truth: bool, node: Expr, facts: Iterable[Fact] | None = None) -> Value:
        """The value of an expression that is evaluated only where a test has this answer."""
        conditions, tests = len(self.conditions), len(self.tests)
        self.conditions.extend(facts_of(test, truth) if facts is None else facts)
        self.tests.append(Held(test, truth, len(self.frame.iterations)))
        self.arms += 1
        value = self.eval(node)
        self.arms -= 1
        del self.conditions[conditions:], self.tests[tests:]
        return value

    def _keep_spent(self, state: Vars) -> None:
        """The keys that one side of an expression may have spent."""
        after, before = state.get("$spent"), self.env.vars.get("$spent")
        if isinstance(after, Product) and after is not before:
            earlier = before.parts[0] if isinstance(before, Product) else NOTHING
            self.env.vars["$spent"] = Product("spent", merged(earlier, after.parts[0]))

    def x_walrus(self, node: Expr) -> Value:
        value = self.eval(node[3])
        self.assign(node[2], value, node[1])
        return value

    def assign(self, target: Expr, value: Value, nid: int) -> None:
        raise NotImplementedError

    def x_await(self, node: Expr) -> Value:
        self.eval(node[1])
        return UNKNOWN

    def x_yield(self, node: Expr) -> Value:
        self.frame.yields += (self.eval(node[1]),)
        self.frame.yielded = len(self.frame.mutations)
        self.frame.lends = self.context.unjitted
        return UNKNOWN

    def x_yieldfrom(self, node: Expr) -> Value:
        self.frame.yields += (self.iterate(self.eval(node[1]), _nid_of(node[1], 0)),)
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
                self.emit("FormattedString", Format(nid, self.frame, value, spec))
        known = [str(each.value) for each in values if type(each) is Const and type(each.value) in _NAMING]
        if not node[3] or len(known) < len(values):
            return self.text_of(values)
        texts = [text for _, text in node[3]]
        return Const("".join(part for pair in zip(texts, (*known, ""), strict=True) for part in pair))

    def x_lambda(self, node: Expr) -> Value:
        return self.make_function(node[2])

    def make_function(self, index: int) -> Value:
        raise NotImplementedError

    # ---- comprehensions

    def x_comp(self, node: Expr) -> Value:
        kind, key, element, clauses = node[2], node[3], node[4], node[5]
        saved = self.env.vars
        block = self.block
        self.env.vars = dict(saved)
        found: list[Value] = []
        keys: list[Value] = []
        exact = self._comprehend(clauses, 0, key, element, found, keys)
        walrus = {name: value for name, value in self.env.vars.items() if name not in saved}
        spent = self.env.vars.get("$spent")
        inner = self.env.vars
        self.env.vars = saved
        targets = {name for clause in clauses for name in _target_names(clause[1])}
        saved.update({name: value for name, value in walrus.items() if name not in targets})
        if spent is not None:
            saved["$spent"] = spent
        for name, value in [each for each in inner.items() if saved.get(each[0]) is not each[1]]:
            if isinstance(name, str) and name[0] != "$" and name not in targets and name in saved:
                saved[name] = join(saved[name], value)  # what is called in there may bind it anew
            if isinstance(name, tuple) and name != DOUBT:
                saved[name] = value
        self.block = block
        if kind == "generator":
            items = tuple(found) if exact else None
            return Product("iterator", join_all(found) if found else UNKNOWN, items, self.context.depth)
        box = self.box(kind, node[1])
        if kind == "dict":
            for name, value in zip(keys, found, strict=True):
                if exact and isinstance(name, Const) and _hashable(name.value):
                    box.entries[name.value] = value
                else:
                    box.elem = value if box.elem is None else join(box.elem, value)
        elif exact:
            box.items = found
        else:
            box.items = None
            box.elem = join_all(found) if found else UNKNOWN
        return box

    def _comprehend(
        self,
        clauses: Any,
        depth: int,
        key: Expr | None,
        element: Expr,
        found: list[Value],
        keys: list[Value],
    ) -> bool:
        """Analyzes one clause; says whether the result's elements are exactly `found`."""
        if depth == len(clauses):
            if key is not None:
                keys.append(self.eval(key))
            found.append(self.eval(element))
            return True
        nid, target, iterable_node, tests = clauses[depth]
        iterable = self.eval(iterable_node)
        turns, exact = self.turns(iterable, nid)
        before = self.frame.operations
        self.frame.loop += 1
        outer, self.block = self.block, self.new_block()
        iterations, held, rounds = self.frame.iterations, len(self.tests), len(self.rounds)
        count = self.turn_count(iterable)
        loops = self.frame.turns
        self.frame.turns = (*loops, Turns(count, (), target))
        self.arms += 1
        for number, value in enumerate(turns):
            self.frame.iterations = (*iterations, (self.block, number))
            self.rounds[rounds:] = [((self.module, nid), "comprehension", number)]
            self.assign(target, value, nid)
            skip = False
            guards = self.guards
            for test_nid, test in tests:
                condition = self.asked(self.eval(test), _nid_of(test, test_nid), "CompIf")
                if level_of(condition):
                    self.emit("CompIf", Test(_nid_of(test, test_nid), self.frame, condition, "comprehension"))
                truth = self.truth(condition)
                if truth is None:
                    exact = False
                skip = skip or truth is False
                skip = not self.assume(test, True) or skip
                self.guards += bool(asks(condition))
                self.tests.append(Held(test, True, len(self.frame.iterations)))
            if not skip:
                exact = self._comprehend(clauses, depth + 1, key, element, found, keys) and exact
            self.guards = guards
            del self.tests[held:]
        self.arms -= 1
        self.block = outer
        self.frame.iterations = iterations
        del self.rounds[rounds:]
        self.frame.turns = loops
        self.frame.loop -= 1
        if "CompFor" in self.hooks:
            added = self.frame.operations - before
            place = _nid_of(iterable_node, nid)
            self.emit("CompFor", Loop(place, self.frame, iterable, count, added, bool(tests)))
        return exact

    def turn_count(self, iterable: Value) -> int | None:
        raise NotImplementedError

    def turns(self, iterable: Value, nid: int) -> tuple[list[Value], bool]:
        """The values that a loop takes in turn: all of them where they are known and few, else
        two turns with what any element is; and whether those are exactly the turns."""
        items = self.known_items(iterable)
        if isinstance(iterable, Product) and iterable.kind == "iterator" and iterable.parts[1] is not None:
            items = iterable.parts[1]
        if items is not None and len(items) <= 8:
            return list(items), True
        return [self.iterate(iterable, nid), self.iterate(iterable, nid)], False

    # ---- calls and subscripts

    def x_call(self, node: Expr) -> Value:
        named = node[2]
        if named[0] == "attr" and named[3] == "get" and node[3]:
            func = self.attribute(self._container(named[2], node[3][0]), "get", named[1])
        else:
            func = self._table[named[0]](named)
        args, keywords, exact = self.arguments(node[3], node[4])
        if node[4] or type(func) in _REFERRED:
            self.refer_call(node, func, args, keywords)
        self.calling = node
        result = self.call(func, args, keywords, node[1], exact)
        if self.unbound is not None:
            certain = self.unbound == (self.module, node[1]) and type(func) in _CERTAIN
            self.unbound = None
            if certain:
                raise Unreachable  # the arguments are not the parameters': nothing follows
        return result

    unbound: tuple[Module, int] | None = None  # the call whose arguments cannot be those of what is called
    calling: Expr = ("const", None)  # the call expression that is being evaluated

    def arguments(self, nodes: tuple[Expr, ...], keyword_nodes: Any) -> Arguments:
        args: list[Value] = []
        keywords: dict[str, Value] = {}
        exact = True
        for each in nodes:
            if each[0] == "star":
                value = self.eval(each[1])
                items = self.known_items(value)
                if items is None:
                    args.append(Product("rest", self.iterate(value, _nid_of(each[1], 0))))
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
        if "Subscript" in self.hooks and (
            isinstance(owner, (Array, TracerPytree, MutableContainer, Tuple, OneOf, Product, NumPyArray))
            or level_of(index)
        ):
            self.emit("Subscript", Subscript(node[1], self.frame, owner, index))
        overlay = self.env.vars.get(("[]", id(owner), index)) if isinstance(owner, MutableContainer) else None
        return self.subscript(owner, index, node[1]) if overlay is None else overlay

    def _container(self, node: Expr, index: Expr) -> Value:
        """What an item is read from: of a variable or an attribute no more than that item is read."""
        if index[0] != "const" or node[0] not in ("name", "attr"):
            return self.eval(node)
        return self._part(node, index)

    def _part(self, node: Expr, index: Expr) -> Value:
        """What a variable or an attribute holds, of which no more than a part is read."""
        holder = self.eval(node[2]) if node[0] == "attr" else None
        if holder is not None and not isinstance(holder, (Instance, Imported)):
            return self.attribute(holder, node[3], node[1])
        self.item = index
        try:
            return self.x_name(node) if holder is None else self.attribute(holder, node[3], node[1])
        finally:
            self.item = None

    def subscript(self, owner: Value, index: Value, nid: int) -> Value:
        raise NotImplementedError

    # ---- small questions

    def x_discard(self, node: Expr) -> None:
        """An expression statement."""
        value = self.eval(node[2])
        if "Expr" in self.hooks and node[2][0] in ("call", "sub", "bin"):
            called = self.last_called if node[2][0] == "call" else ("", None)
            func = node[2][2] if node[2][0] == "call" else node[2]
            owner: Expr = func[2] if func[0] == "attr" else ("name",)
            if owner[0] == "sub" and owner[2][0] == "attr" and owner[2][3] == "at":
                owner = owner[2][2]
            kept = owner[0] in ("name", "attr", "sub")
            self.emit("Expr", Discard(node[1], self.frame, value, *called, kept))

    last_called: tuple[str, Value | None] = ("", None)


def is_question(node: object) -> bool:
    """Whether an expression changes nothing when it is evaluated again."""
    if not isinstance(node, tuple) or not node:
        return True
    if node[0] in ("walrus", "await", "yield", "yieldfrom", "comp"):
        return False
    if node[0] == "call" and (node[2][0] != "name" or node[2][2] not in ("isinstance", "hasattr", "len")):
        return False
    return all(map(is_question, node))


def _is_predicate(node: Expr) -> bool:
    """Whether a condition is a function's answer, which may be that no tracer comes here."""
    if node[0] == "un" and node[2] == "not":
        return _is_predicate(node[3])
    return bool(node[0] == "call")


def _nid_of(node: Expr, default: int) -> int:
    """The number of an expression, where it has one."""
    while node[0] in ("star", "await", "yield", "yieldfrom"):
        node = node[1]
    if len(node) > 1 and type(node[1]) is int and node[0] not in ("const",):
        return node[1]
    return default


def _may_change(env: Environment, name: str, value: Value) -> bool:
    """Whether a module variable is bound more than once, or holds what can be written in place."""
    return name in env.module.rebound or isinstance(value, (MutableContainer, NumPyArray))


def _is_none(value: Value) -> bool:
    return isinstance(value, Const) and value.value is None


def _hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return True


def _target_names(target: Expr) -> set[str]:
    if target[0] == "name":
        return {target[2]}
    if target[0] == "star":
        return _target_names(target[1])
    if target[0] == "tuple":
        return {name for each in target[1] for name in _target_names(each)}
    return set()


def _identity(left: Value, right: Value, negated: bool) -> Value:
    def answer(a: Value, b: Value) -> bool | None:
        if isinstance(a, Unknown) or isinstance(b, Unknown):
            return None
        if isinstance(b, Const) and b.value is None:
            if isinstance(a, Const):
                return a.value is None
            if isinstance(a, Static) and a.type == "any":
                return None
            if isinstance(a, TracerPytree) or (isinstance(a, Product) and a.kind == "opaque"):
                return None
            return False
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


def _dtype(value: Value) -> str:
    if isinstance(value, (Array, NumPyArray)):
        return value.dtype
    if isinstance(value, Const):
        return {bool: "b", int: "i", float: "f", complex: "c"}.get(type(value.value), "?")
    if isinstance(value, Static):
        return {"bool": "b", "int": "i", "float": "f"}.get(value.type, "?")
    return "?"


def _result_dtype(operator: str, left: Value, right: Value) -> str:
    a, b = _dtype(left), _dtype(right)
    if operator == "/":
        return "f" if a in "bif" and b in "bif" else "?"
    if "?" in (a, b):
        return "?"
    order = "bifc"
    result = order[max(order.index(a), order.index(b))]
    if result == "b" and operator not in ("&", "|", "^"):
        return "i" if operator != "+" and operator != "*" else "b"
    return result


def _ndim(value: Value) -> int | None:
    if isinstance(value, (Array, NumPyArray)):
        return value.ndim
    if isinstance(value, Const) or (isinstance(value, Static) and value.type in ("int", "float", "bool")):
        return 0
    return None


def _result_ndim(operator: str, left: Value, right: Value) -> int | None:
    if operator == "@":
        return None
    a, b = _ndim(left), _ndim(right)
    return None if a is None or b is None else max(a, b)


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


def _static_result(operator: str, left: Value, right: Value) -> Value:
    for value in (left, right):
        if isinstance(value, Text):
            return value
    kinds = {_dtype(left), _dtype(right)}
    if "?" in kinds:
        text = [each for each in (left, right) if _is_text(each)]
        if text:
            return STR
        return ANY if is_host_data(left) and is_host_data(right) else UNKNOWN
    if operator == "/" or "f" in kinds:
        return FLOAT
    if "c" in kinds:
        return ANY
    if kinds == {"b"} and operator in "&|^":
        return BOOL
    return INT if operator != "**" else ANY


def _is_text(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, (str, bytes))
    return isinstance(value, Static) and value.type == "str"
