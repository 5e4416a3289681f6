"""Where else a program keeps what it donates: variables that are set to it, and collections it is put into.

In: the lowered code of a function, and the values of its variables. Out: the places that the text names, and
whether a collection holds a value itself. It refuses to know what is donated.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias, TypeGuard

from jaxlint.analysis.token_names import is_own, position_of
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.values import ANY, Array, NumPyArray, OneOf, Product, TracerPytree, Unknown, Value
from jaxlint.evaluation.attribute_names import METADATA
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    OPAQUE,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    BoolExpr,
    CallExpr,
    Clause,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DeleteStmt,
    DictExpr,
    Expr,
    ForStmt,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import builtin_called, calls_of, children, last_name, nodes_of, number_of, walk
from jaxlint.tables.layers import WITH_ARRAYS

_DEPTH = 4  # how deep values are looked into
OF_OBJECT: Final = frozenset("len isinstance type id callable hasattr".split())
"""Functions that do not look at what arrays hold."""


def place_of(node: Node) -> str:
    """A variable, or an attribute or an item of one by a literal, as text; empty for anything else."""
    if isinstance(node, NameExpr):
        return node.name
    owner = place_of(node.value) if isinstance(node, (AttrExpr, SubscriptExpr)) else ""
    if not owner:
        return ""
    if isinstance(node, AttrExpr):
        return f"{owner}.{node.name}"
    index = node.index if isinstance(node, SubscriptExpr) else None
    return f"{owner}[{index.value!r}]" if isinstance(index, ConstExpr) else ""


@lru_cache(maxsize=256)
def copies_of(code: Code) -> tuple[tuple[Expr, Expr], ...]:
    """The variables, attributes and items that a function sets to others as they are, with these; those that
    one statement sets to one value are each other's."""
    found: list[tuple[Expr, Expr]] = []
    first: dict[int, Expr] = {}  # of what one value is assigned to
    for target, value in assigned(code.body):
        if not place_of(target):
            continue
        if place_of(value):
            found.append((target, value))
        elif first.setdefault(id(value), target) is not target and value is not OPAQUE:
            found.append((target, first[id(value)]))
    return (*found, *_unpacked(code))


def _unpacked(code: Code) -> Iterator[tuple[Expr, Expr]]:
    """The variables and attributes that get the items of a place, with these, up to a star."""
    for statement in nodes_of(code.body):
        if not isinstance(statement, AssignStmt) or not place_of(statement.value):
            continue
        for whole in statement.targets:
            items = whole.items if isinstance(whole, (TupleExpr, ListExpr)) else ()
            for index, each in enumerate(items):
                if isinstance(each, StarExpr):
                    break
                if place_of(each):
                    yield each, part_of(statement.value, "[]", index)


def is_replaced(code: Code, place: str, call: int) -> bool:
    """Whether the result of a call, or a part of it, is assigned to a place."""
    return any(
        isinstance(value, CallExpr)
        and value.nid == call
        and any(place_of(each) == place for each in parts(target))
        for statement in nodes_of(code.body)
        if isinstance(statement, AssignStmt)
        for whole in statement.targets
        for target, value in _pairs(whole, statement.value)
    )


def swapped_with(code: Code, place: str, call: int) -> dict[str, Expr]:
    """What the statement of a call sets to a place as it was before, beside the result of the call:
    `old` of `old, x = x, step(x)`. By its text, the target."""
    for statement in nodes_of(code.body):
        if not isinstance(statement, AssignStmt) or not isinstance(statement.value, (TupleExpr, ListExpr)):
            continue
        if any(isinstance(each, CallExpr) and each.nid == call for each in _evaluated(statement.value)):
            pairs = [pair for whole in statement.targets for pair in _pairs(whole, statement.value)]
            return {place_of(target): target for target, value in pairs if place_of(value) == place}
    return {}


def _pairs(target: Expr, value: Expr) -> Iterator[tuple[Expr, Expr]]:
    """What is assigned to each part of a target, as far as both are written out."""
    if isinstance(target, (TupleExpr, ListExpr)) and isinstance(value, (TupleExpr, ListExpr)):
        starred = any(isinstance(each, StarExpr) for each in (*target.items, *value.items))
        if not starred and len(target.items) == len(value.items):
            for each, given in zip(target.items, value.items, strict=True):
                yield from _pairs(each, given)
            return
    yield target, value


def _evaluated(node: Node) -> Iterator[Node]:
    """An expression and those in it that are certainly evaluated with it, once."""
    yield node
    if not isinstance(node, (BoolExpr, ConditionalExpr, LambdaExpr, ComprehensionExpr)):
        for each in children(node):
            yield from _evaluated(each)


def shared_parts(value: Expr, fields: Sequence[str]) -> Iterator[list[tuple[str, object]]]:
    """The parts that hold one variable, of a dict or a tuple that is written out, or of a record that is
    made: attributes as `(".", name)`, items as `("[]", index)`. `fields`: of the record, in their order."""
    items: list[tuple[tuple[str, object], Expr]] = []
    if not isinstance(value, CallExpr):
        items = [(("[]", name), each) for name, each in written_parts(value).items()]
    else:
        items = [((".", name), each) for name, each in zip(fields, value.args, strict=False)]
        items += [((".", each.name), each.value) for each in value.keywords if each.name is not None]
    if any(isinstance(each, StarExpr) for _, each in items):
        return
    for variable in {each.name for _, each in items if isinstance(each, NameExpr)}:
        yield [part for part, each in items if isinstance(each, NameExpr) and each.name == variable]


def returned(code: Code) -> Expr | None:
    """What a function gives back at its only `return`: there, or where it sets a variable to it."""
    ends = [each.value for each in nodes_of(code.body) if isinstance(each, ReturnStmt)]
    if len(ends) != 1 or not isinstance(ends[0], NameExpr):
        return ends[0] if len(ends) == 1 else None
    given = [value for target, value in assigned(code.body) if _root_of(target) == ends[0].name]
    return given[0] if len(given) == 1 else None


def _root_of(target: Expr) -> str:
    return re.split(r"[.[]", place_of(target))[0]


def carries(statement: Stmt, place: str) -> bool:
    """Whether an assignment gives a record again with other fields than the one in this place:
    `n = n._replace(online=...)`."""
    if not isinstance(statement, AssignStmt) or not isinstance(statement.value, CallExpr):
        return False
    owner = replaced_of(statement.value)
    root, dot, field = place.partition(".")
    if not owner or not dot or [place_of(each) for each in statement.targets] != [owner] or owner != root:
        return False
    names = {each.name for each in statement.value.keywords}
    return None not in names and re.split(r"[.[]", field)[0] not in names


def replaced_of(call: CallExpr) -> str:
    """The variable that a call gives with other fields, which leaves it as it is."""
    if last_name(call.func) not in ("replace", "_replace"):
        return ""
    given = call.args
    if isinstance(call.func, AttrExpr) and not given:
        given = (call.func.value,)
    return given[0].name if len(given) == 1 and isinstance(given[0], NameExpr) else ""


def item_of(box: Value | None, name: object) -> Value | None:
    """What a collection holds under a literal; None where that is not known."""
    if isinstance(box, MutableContainer) and box.kind == "dict":
        return box.entries.get(name) if box.elem is None else None
    items = box.items if isinstance(box, (MutableContainer, Tuple)) else None
    if items is None or type(name) is not int or not 0 <= name < len(items):  # from the end it may be another
        return None
    return items[name]


def item_at(box: Value | None, path: Path) -> Value | None:
    """The same of an item of an item."""
    for name in path:
        if isinstance(box, MutableContainer) and box.items is None and box.kind != "dict" and name == 0:
            box = box.elem  # the first one, where one is known alone
        else:
            box = item_of(box, name)
    return box


def has_item(box: MutableContainer | Tuple, value: Value, path: Path = ()) -> bool:
    """Whether a value itself is in a collection, as one of what was put into it, or at a place in one."""
    held = [*(box.items or ())]
    if isinstance(box, MutableContainer):
        held += [*box.entries.values(), *([] if box.elem is None else options_of(box.elem))]
    for name in path:
        held = [item for each in held if (item := item_of(each, name)) is not None]
    return any(option is value for each in held for option in options_of(each))


Path: TypeAlias = "tuple[object, ...]"
"""Where in an item of a collection something is: in the item itself, or under an index or a key of it."""


def path_to(item: Expr, place: str) -> Path | None:
    """Where in an item, as it is written, a variable is, or an attribute or an item of one."""
    if place_of(item) == place:
        return ()
    pairs: list[tuple[object, Expr]] = []
    if isinstance(item, (ListExpr, TupleExpr)) and not any(isinstance(each, StarExpr) for each in item.items):
        pairs = [*enumerate(item.items)]
    elif isinstance(item, DictExpr):
        pairs = [(key.value, each) for key, each in item.items if isinstance(key, ConstExpr)]
    return next(((name,) for name, each in pairs if place_of(each) == place), None)


def items_of(value: Expr) -> Sequence[Expr]:
    """What is put into a list, a tuple or a dict that is written out."""
    if isinstance(value, DictExpr):
        return [each for _, each in value.items]
    return value.items if isinstance(value, (ListExpr, TupleExpr)) else ()


@lru_cache(maxsize=256)
def holders_of(code: Code, name: str) -> tuple[tuple[Expr, Path], ...]:
    """The variables and attributes that a function sets to a list, a tuple or a dict in which a place is
    written out, or to which it is appended, or given as an item; with where in the item it is."""
    given: list[tuple[Expr, Expr]] = []
    for target, value in assigned(code.body):
        given += [(target, NameExpr(each.nid, each.name)) for each in written_out(value)]
        given += [(target, each) for each in items_of(value)]
        if isinstance(target, SubscriptExpr) and not place_of(target):
            given.append((target.value, value))
    for node in nodes_of(code.body):
        if isinstance(node, AugmentedStmt) and node.operator == "+":
            given += [(node.target, each) for each in items_of(node.value)]
        elif isinstance(node, CallExpr) and (holder := _appended_to(node)) is not None and node.args:
            is_one = isinstance(node.func, AttrExpr) and node.func.name == "append"
            given += [(holder, each) for each in (node.args[:1] if is_one else items_of(node.args[0]))]
    found: dict[tuple[str, Path], Expr] = {}
    for holder, item in given:
        path = path_to(item, name)
        if path is not None and place_of(holder):
            found.setdefault((place_of(holder), path), holder)
    return tuple((holder, path) for (_, path), holder in found.items())


def _appended_to(node: CallExpr) -> Expr | None:
    """What a call appends to, which leaves what is in it where it is."""
    func = node.func
    return func.value if isinstance(func, AttrExpr) and func.name in ("append", "extend") else None


def written_out(value: Expr) -> Iterator[NameExpr]:
    """The variables that are items of a list, a tuple or a dict as it is written; a mapping of which all
    items go into a dict is one where no other item may take the place of its own."""
    items: Sequence[Expr] = value.items if isinstance(value, (ListExpr, TupleExpr)) else ()
    if isinstance(value, DictExpr):
        items = [each for key, each in value.items if key is not None or len(value.items) == 1]
    return (each for each in items if isinstance(each, NameExpr))


def written_parts(value: Expr) -> dict[object, Expr]:
    """The parts of a list, a tuple or a dict that is written out, by index or key; none where one may be
    missing."""
    if isinstance(value, (ListExpr, TupleExpr)):
        return {} if any(isinstance(each, StarExpr) for each in value.items) else dict(enumerate(value.items))
    if isinstance(value, DictExpr):
        named = {key.value: each for key, each in value.items if isinstance(key, ConstExpr)}
        return named if len(named) == len(value.items) else {}
    if isinstance(value, CallExpr) and last_name(value.func) == "dict" and not value.args:
        return {each.name: each.value for each in value.keywords if each.name is not None}
    return {}


def stored_in(code: Code) -> set[int]:
    """The numbers of what a function sets items of."""
    targets = (target for target, _ in assigned(code.body))
    return {number_of(each.value) or 0 for each in targets if isinstance(each, SubscriptExpr)}


@lru_cache(maxsize=256)
def spread_in(code: Code) -> frozenset[int]:
    """The numbers of what a function spreads by stars where it calls something."""
    calls = [*calls_of(code.body)]
    spread = [each.value for call in calls for each in call.args if isinstance(each, StarExpr)]
    spread += [each.value for call in calls for each in call.keywords if each.name is None]
    return frozenset(number_of(each) or 0 for each in spread)


def part_of(owner: Expr, how: str, name: object) -> Expr:
    """An attribute or an item of a variable."""
    nid = number_of(owner) or 0
    return AttrExpr(nid, owner, str(name)) if how == "." else SubscriptExpr(nid, owner, ConstExpr(name))


def _gone_through(node: Expr) -> Expr:
    """What a loop goes through: of a dict its values, or its items."""
    if (
        isinstance(node, CallExpr)
        and isinstance(node.func, AttrExpr)
        and node.func.name in ("values", "items")
    ):
        return node.func.value
    return node


def taken_from(
    code: Code, name: str, path: Path = (), shaped: Container[int] = ()
) -> Iterator[tuple[int, object]]:
    """The reads of a variable, or of an attribute, that look at what a collection holds: at all of it, or at
    one item, with its literal index. With a path those that look at what is there in an item; `shaped`: the
    reads that want a shape only."""
    targets = {id(target) for target, _ in assigned(code.body)}
    for node in nodes_of(code.body):
        if isinstance(node, DeleteStmt):
            targets |= set(map(id, node.targets))
        if isinstance(node, SubscriptExpr):
            inner, indices = _of_items(node, len(path))
            if inner is not None and place_of(inner) == name and indices[1:] == path:
                if id(node) not in targets:
                    yield number_of(inner) or 0, indices[0]
            continue
        every: Sequence[Node] = ()
        if isinstance(node, (ForStmt, Clause)) and not path:
            every = (_gone_through(node.iterable),)
        elif isinstance(node, ForStmt) and _is_looked_at(node.target, path, node.body, shaped, code):
            every = (_gone_through(node.iterable),)
        elif isinstance(node, ComprehensionExpr) and path:
            every = [
                _gone_through(each.iterable)
                for each in node.clauses
                if _is_looked_at(each.target, path, (node.key, node.element), shaped, code)
            ]
        elif isinstance(node, CallExpr) and builtin_called(node, code) not in OF_OBJECT and not path:
            every = (*node.args, *(each.value for each in node.keywords))
        yield from ((number_of(each) or 0, None) for each in every if place_of(each) == name)


def _of_items(node: SubscriptExpr, depth: int) -> tuple[Expr | None, Path]:
    """What an item is taken from, with the literal indices: of a part of an item two of them."""
    owner: Expr = node
    indices: list[object] = []
    while len(indices) <= depth:
        if not isinstance(owner, SubscriptExpr) or not isinstance(owner.index, ConstExpr):
            return None, ()
        indices.append(owner.index.value)
        owner = owner.value
    return owner, tuple(reversed(indices))


def _is_looked_at(
    target: Expr, path: Path, body: Iterable[Node | None], shaped: Container[int], code: Code
) -> bool:
    """Whether what a loop does with its items computes with what is there in each."""
    name = ""
    if isinstance(target, (TupleExpr, ListExpr)) and type(path[0]) is int and path[0] < len(target.items):
        name = place_of(target.items[path[0]])
    for node in walk(*(each for each in body if each is not None)):
        for each in children(node):
            if isinstance(each, SubscriptExpr) and isinstance(target, NameExpr):
                inner, indices = _of_items(each, 0)
                is_it = inner is not None and place_of(inner) == target.name and indices == path
            else:
                is_it = bool(name) and place_of(each) == name and number_of(each) not in shaped
            if is_it and computes(node, code):
                return True
    return False


def computes(node: Node, code: Code) -> bool:
    """Whether an expression looks at the arrays that are parts of it."""
    if isinstance(node, AttrExpr):
        return node.name not in METADATA
    if isinstance(node, CallExpr):
        return builtin_called(node, code) not in OF_OBJECT and last_name(node.func) not in ("append", "add")
    return isinstance(node, (BinaryExpr, UnaryExpr))


def is_deleted(value: Value, depth: int = _DEPTH) -> bool:
    """Whether donating a value deletes it: it is an array of JAX, or a pytree of nothing else; or an argument
    of which nothing is known. What is NumPy's, as batches of data may be, is copied, and so are numbers."""
    if isinstance(value, OneOf):
        return all(is_deleted(each, depth) for each in value.options)
    if isinstance(value, Instance):
        is_tree = value.cls.has_mark("pytree") and not value.cls.has_mark("nnx")
        return is_tree and not any(_is_on_host(each, depth) for each in value.attributes.values())
    if isinstance(value, Product):
        return is_layer_of_equinox(value)
    if isinstance(value, Unknown):
        return position_of(value.token) is not None or is_own(value.token)
    if isinstance(value, (Tuple, MutableContainer)):
        return depth > 0 and all(is_deleted(each, depth - 1) for each in options_of(value.each()))
    return isinstance(value, (Array, Key, TracerPytree))


def is_layer_of_equinox(value: Value) -> TypeGuard[Product]:
    """Whether this is a layer of equinox as it is made: a pytree with arrays of JAX."""
    if not isinstance(value, Product) or value.kind != "layer":
        return False
    return value.parts[0] in WITH_ARRAYS and value.parts[-1] != ANY


def _is_on_host(value: Value, depth: int) -> bool:
    """Whether a part of a record is, or has, an array of NumPy, or a layer that may have them."""
    if isinstance(value, OneOf):
        return any(_is_on_host(each, depth) for each in value.options)
    if isinstance(value, Instance) and depth:
        return any(_is_on_host(each, depth - 1) for each in value.attributes.values())
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        return any(_is_on_host(each, depth - 1) for each in options_of(value.each()))
    if isinstance(value, Product):
        return value.kind == "layer" and value.parts[0] in WITH_ARRAYS and value.parts[-1] == ANY
    return isinstance(value, NumPyArray)


def may_hold(result: Value, value: Value, depth: int = _DEPTH) -> bool:
    """Whether a result has something that is like what was donated, as far as is known: else its buffer is
    not used, and stays."""
    if isinstance(value, OneOf):
        return all(may_hold(result, each, depth) for each in value.options)
    if isinstance(value, Tuple) and value.items is not None and depth:
        return all(may_hold(result, each, depth - 1) for each in value.items)
    if isinstance(result, Tuple) and depth:
        parts = (result.elem,) if result.items is None else result.items
        return any(may_hold(each, value, depth - 1) for each in parts)
    if isinstance(result, MutableContainer) and depth:
        return not result.is_empty() and may_hold(result.each(), value, depth - 1)
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        return any(may_hold(result, each, depth - 1) for each in options_of(value.each()))
    if isinstance(value, Product) and not isinstance(result, TracerPytree):
        held = result.attributes.values() if isinstance(result, Instance) and depth else ()
        is_alike = isinstance(result, Product) and result.parts[:1] == value.parts[:1]
        return is_alike or any(may_hold(each, value, depth - 1) for each in held)
    if isinstance(result, Array):
        if not isinstance(value, Array):
            return result.ndim != 0
        return result.ndim == value.ndim and (
            "?" in (result.dtype, value.dtype) or result.dtype == value.dtype
        )
    if isinstance(value, Array):
        held = result.attributes.values() if isinstance(result, Instance) and depth else ()
        return any(may_hold(each, value, depth - 1) for each in held)
    if isinstance(result, Instance):
        return result.cls.has_mark("pytree")
    if isinstance(result, Key):
        return isinstance(value, (Key, Unknown))
    return isinstance(result, TracerPytree)


def is_vague(result: Value, depth: int = _DEPTH) -> bool:
    """Whether a result has arrays of which the shape is not known."""
    if isinstance(result, (Tuple, MutableContainer)) and depth:
        return any(is_vague(each, depth - 1) for each in options_of(result.each()))
    return isinstance(result, TracerPytree) or (isinstance(result, Array) and result.ndim is None)
