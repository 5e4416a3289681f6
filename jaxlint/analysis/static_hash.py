"""What the hash of a static argument depends on.

In: a class, the name of an attribute. Out: whether `hash` of its instances is another one once the attribute
has changed. From version 0.11 on, JAX keeps the hash of a static argument beside what it compiled: an object
whose hash has changed is compiled anew then, where older versions find the same object again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from jaxlint.domain.objects import Class, Function, Instance
from jaxlint.domain.questions import base_of
from jaxlint.ir.nodes import (
    AttrExpr,
    BinaryExpr,
    CallExpr,
    Expr,
    ExprStmt,
    NameExpr,
    Node,
    ReturnStmt,
    TupleExpr,
)
from jaxlint.ir.replaced_fields import STATIC_PARTS
from jaxlint.ir.walks import children, dotted, last_name, nodes_of

if TYPE_CHECKING:
    from jaxlint.ir.program import Code

_OF_KIND = frozenset(("len", "type", "isinstance"))  # what they tell of an object outlasts its changes
_OF_IDENTITY = _OF_KIND | {"id", "super"}


def hash_follows(holders: Sequence[Instance], owner: Instance, name: str) -> bool:
    """Whether a write of this attribute changes the hash of each static argument that is the object, or has
    it as an attribute, or as one of an attribute."""
    found = [path for holder in holders for path in paths_to(holder, owner)]
    return bool(found) and all(
        all(is_hashed(each.cls, part) for each, part in [*path, (owner, name)]) for path in found
    )


def paths_to(holder: Instance, owner: Instance) -> Iterator[list[tuple[Instance, str]]]:
    """The attributes by which an object has another one: none where it is that, one where it is an attribute,
    two where it is one of an attribute."""
    if holder is owner:
        yield []
        return
    for name, value in holder.attributes.items():
        if value is owner:
            yield [(holder, name)]
        elif type(value) is Instance:
            for inner, each in value.attributes.items():
                if each is owner:
                    yield [(holder, name), (value, inner)]


def is_hashed(cls: Class, name: str) -> bool:
    """Whether the hash of an instance depends on what this attribute holds."""
    for each in cls.lineage():
        method = base_of(each.attributes["__hash__"]) if "__hash__" in each.attributes else None
        if isinstance(method, Function):
            if _reads(cls, method.code, name, set()):
                return True
            if not _asks_base(method.code):
                return False
        elif method is not None:
            return False
        if "dataclass" in each.marks and each.marks.isdisjoint(("identity", "unhashable")):
            return name in each.all_fields()
    return False


def hashed_by_method(cls: Class) -> list[str]:
    """The attributes of which a class's own `__hash__` takes the hash, as they are or in a tuple, whatever
    else they are."""
    own = [each.attributes["__hash__"] for each in cls.lineage() if "__hash__" in each.attributes]
    method = base_of(own[0]) if own else None
    if not isinstance(method, Function) or not method.code.params:
        return []
    body = [each for each in method.code.body if not isinstance(each, ExprStmt)]
    if len(body) != 1 or not isinstance(body[0], ReturnStmt):
        return []
    return [*_hashed_in(body[0].value, method.code.params[0].name, False)]


def _hashed_in(node: Expr, own: str, is_hashed: bool) -> Iterator[str]:
    if isinstance(node, CallExpr) and dotted(node.func) == "hash":
        for each in node.args:
            yield from _hashed_in(each, own, True)
    elif isinstance(node, BinaryExpr) and not is_hashed:
        yield from _hashed_in(node.left, own, False)
        yield from _hashed_in(node.right, own, False)
    elif isinstance(node, TupleExpr) and is_hashed:
        for each in node.items:
            yield from _hashed_in(each, own, True)
    elif (
        isinstance(node, AttrExpr)
        and is_hashed
        and isinstance(node.value, NameExpr)
        and node.value.name == own
    ):
        yield node.name


def _reads(cls: Class, code: Code, name: str, seen: set[Code]) -> bool:
    """Whether a method reads the attribute's value, itself or by what it calls on its object."""
    if not code.params or code in seen:
        return False
    seen.add(code)
    own = code.params[0].name
    for outer, part in _with_outer(code):
        if isinstance(part, AttrExpr) and isinstance(part.value, NameExpr) and part.value.name == own:
            if part.name == name:
                if not _is_of_kind(outer, part):
                    return True
            elif part.name == "__dict__":
                return True
            else:
                method = cls.lookup(part.name)
                inner = None if method is None else base_of(method[0])
                if isinstance(inner, Function) and _reads(cls, inner.code, name, seen):
                    return True
        elif isinstance(part, NameExpr) and part.name == own and isinstance(outer, CallExpr):
            if outer.func is not part and last_name(outer.func) not in _OF_IDENTITY:
                return True  # as `vars(self)`, `astuple(self)`, `key_of(self)`
    return False


def _asks_base(code: Code) -> bool:
    """Whether it calls `super().__hash__()`."""
    return any(isinstance(part, AttrExpr) and part.name == "__hash__" for part in nodes_of(code.body))


def _is_of_kind(outer: Node, part: AttrExpr) -> bool:
    if isinstance(outer, AttrExpr):
        return outer.name in STATIC_PARTS
    return isinstance(outer, CallExpr) and outer.func is not part and last_name(outer.func) in _OF_KIND


def _with_outer(code: Code) -> Iterator[tuple[Node, Node]]:
    """The parts of a function's body, each with what it is directly in."""
    for node in nodes_of(code.body):
        for part in children(node):
            yield node, part
