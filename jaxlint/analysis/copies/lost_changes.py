"""Changes of a pytree that a transform has made anew for the function that it traces, which nothing reads.

JAX takes the arguments of a traced function apart and puts them together again: a dict, a list or an object
of a registered class is a copy in the trace, and the caller keeps what it had. In: the function contexts of
a program, when the analysis is over. Out: `LostChange` events. It refuses to know who calls what is traced.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, MutableMapping, MutableSequence, Sequence
from typing import NamedTuple

from jaxlint.analysis.copies.part_names import is_key, only_names, part_names
from jaxlint.analysis.events import LostChange
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.join import MutableContainer, Tuple, options_of
from jaxlint.domain.objects import CONSTRUCTION, Bound, Instance, Partial
from jaxlint.domain.values import UNKNOWN, TracerPytree, Value
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    NONE,
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    ForStmt,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    WhileStmt,
)
from jaxlint.ir.program import Param
from jaxlint.ir.walks import children, number_of, suites

# the transforms that give what they trace copies, and hand no change back
COPYING = frozenset(
    (
        "jit pmap vmap grad value_and_grad jacobian checkpoint shard_map scan fori_loop while_loop cond "
        "switch map"
    ).split()
)
# what changes a dict or a list in place
_IN_PLACE = {*dir(MutableMapping), *dir(MutableSequence), "sort"}.difference(dir(Mapping), dir(Sequence))
_DEPTH = 4  # how far what a variable holds is followed


class _Part(NamedTuple):
    """A statement, or the head of a compound one, in the order of the text, and the loops around it."""

    order: int
    node: Node
    loops: frozenset[int]


def lost_changes(contexts: Iterable[FunctionContext], handing_back: Collection[int]) -> Iterator[LostChange]:
    """The first such change of each parameter. handing_back: the codes, by identity, whose changes a
    transform makes in what the caller has, too. What asks whether a value is a tracer may change things
    outside of traces alone."""
    for context in contexts:
        if context.func is None or not context.context.depth or context.code.is_generator:
            continue
        if id(context.code) in handing_back or context.code.name in CONSTRUCTION:
            continue
        links = [] if context.sees_tracer else context.live_links()
        if not links or any(each.transform not in COPYING for each in links):
            continue
        for param, value in zip(context.code.params, context.arguments, strict=False):
            if param.kind in ("*", "**") or not _is_copy(value, context):
                continue
            place = _lost(context, param, value)
            if place is not None:
                yield LostChange(place, context, param.name, links[0].transform)


def _is_copy(value: Value, context: FunctionContext) -> bool:
    """Whether a transform has made this for the function that it traces."""
    return all(
        each.depth >= context.context.depth
        if isinstance(each, (MutableContainer, Instance))
        else isinstance(each, TracerPytree)
        for each in options_of(value)
    )


def _lost(context: FunctionContext, param: Param, value: Value) -> int | None:
    """The number of the first change of a parameter that nothing reads."""
    code = context.code
    uses = def_use_of(code, context.module.program)
    names = part_names(code, param.name, uses)
    held = {name: context.env.vars.get(name, UNKNOWN) for name in names} | {param.name: value}
    found_at = [uses.readers(nid) for nid in (param.nid, *names.values())]
    if not found_at[0] or None in found_at:
        return None
    readers = {each for found in found_at for each in found or ()}
    changes: list[tuple[_Part, int]] = []
    reads: list[_Part] = []
    seen: set[int] = set()
    for part in _parts(code.body, frozenset()):
        found = {each.nid for each in _own(part.node) if isinstance(each, NameExpr) and each.nid in readers}
        seen |= found
        if not found or only_names(part.node, names, param.name):
            continue
        changed = {
            root.nid: place
            for name, each in held.items()
            for option in options_of(each)
            for root, place in _changes(part.node, option, context)
            if root.name == name
        }
        changes += [(part, place) for root, place in changed.items() if root in found]
        if not changed or not _only_feeds(part.node, held):
            reads.append(part)
    if not changes or not seen.issuperset(readers):
        return None
    lost = [
        place
        for change, place in changes
        if not any(read.order > change.order or not change.loops.isdisjoint(read.loops) for read in reads)
    ]
    return None if not lost or _is_shared(value, held, context) else lost[0]


def _only_feeds(node: Node, names: Collection[str]) -> bool:
    """Whether all that a statement reads goes into what it changes of a parameter."""
    if isinstance(node, AssignStmt):
        roots = [_root(part) for target in node.targets for part in parts(target)]
        return all(root is not None and root.name in names for root in roots)
    return isinstance(node, (AugmentedStmt, AnnotatedStmt, ExprStmt))


def _parts(body: Iterable[Stmt], loops: frozenset[int], start: int = 0) -> Iterator[_Part]:
    order = start
    for statement in body:
        inner = loops | {id(statement)} if isinstance(statement, (ForStmt, WhileStmt)) else loops
        order += 1
        yield _Part(order, statement, inner if isinstance(statement, WhileStmt) else loops)
        for block in suites(statement):
            for part in _parts(block, inner, order):
                order = part.order
                yield part


def _own(node: Node) -> Iterator[Node]:
    """A statement and what is in it, without the statements in it."""
    yield node
    for each in children(node):
        if not isinstance(each, Stmt):
            yield from _own(each)


def _changes(node: Node, value: Value, context: FunctionContext) -> Iterator[tuple[NameExpr, int]]:
    """What a statement changes of what a parameter holds: the variable there, and the number of the place."""
    targets: tuple[Expr, ...] = ()
    if isinstance(node, AssignStmt) and node.value != NONE:
        targets = node.targets
    elif isinstance(node, AugmentedStmt) or (isinstance(node, AnnotatedStmt) and node.value is not None):
        targets = (node.target,)
    elif isinstance(node, ExprStmt) and isinstance(node.value, CallExpr):
        func = node.value.func
        root = _root(func)
        if isinstance(func, AttrExpr) and root is not None and _mutates(func, value, context):
            yield root, node.value.nid
    for target in targets:
        for part in parts(target):
            root = _root(part)
            if root is not None and _stores(part, value, context):
                yield root, number_of(part) or root.nid


def _root(target: Expr) -> NameExpr | None:
    """The variable of which an attribute or an item is written."""
    place = target
    while isinstance(place, (AttrExpr, SubscriptExpr)):
        place = place.value
    return place if isinstance(place, NameExpr) and place is not target else None


def _stores(target: Expr, value: Value, context: FunctionContext) -> bool:
    """Whether an attribute or an item of the copy, or of a part of it that is a copy as well, is written."""
    if not isinstance(target, (AttrExpr, SubscriptExpr)):
        return False
    owner = _at(target.value, value)
    if isinstance(owner, TracerPytree):  # an array, or a reference, has items by number only
        if not isinstance(target, SubscriptExpr):
            return False
        index = target.index
        is_text = isinstance(index, ConstExpr) and isinstance(index.value, str)
        return is_text or is_key(index, target.value, context.code)
    if isinstance(target, SubscriptExpr):
        return isinstance(owner, MutableContainer) and _is_copy(owner, context)
    return isinstance(owner, Instance) and not owner.cls.has_mark("frozen") and _is_copy(owner, context)


def _mutates(method: AttrExpr, value: Value, context: FunctionContext) -> bool:
    """Whether a method that is called changes the copy, or a part of it that is a copy as well, in place."""
    owner = _at(method.value, value)
    if isinstance(owner, TracerPytree):
        return method.name == "update"
    if isinstance(owner, MutableContainer):
        return method.name in _IN_PLACE and _is_copy(owner, context)
    if not isinstance(owner, Instance) or not _is_copy(owner, context):
        return False
    called = [each for each in context.callees if each.func is not None and each.code.name == method.name]
    return any(each.written_of(owner) for each in called)


def _at(node: Expr, value: Value) -> Value | None:
    """What is there, where it is known: attributes and items under constants of what a variable holds."""
    if isinstance(node, NameExpr):
        return value
    if not isinstance(node, (AttrExpr, SubscriptExpr)):
        return None
    owner = _at(node.value, value)
    if isinstance(owner, Instance) and isinstance(node, AttrExpr):
        return owner.attributes.get(node.name)
    index = node.index if isinstance(node, SubscriptExpr) else None
    if not isinstance(owner, MutableContainer) or not isinstance(index, ConstExpr):
        return None
    if owner.kind == "dict":
        return owner.entries.get(index.value)
    items = owner.items or []
    is_there = isinstance(index.value, int) and -len(items) <= index.value < len(items)
    return items[index.value] if is_there else None


def _is_shared(value: Value, names: Collection[str], context: FunctionContext) -> bool:
    """Whether another variable of the function holds the copy or a part of it that can be changed."""
    inside = {id(each) for each in _reached(value) if isinstance(each, (MutableContainer, Instance))}
    return any(
        id(each) in inside
        for other, held in context.env.vars.items()
        if isinstance(other, str) and other not in names
        for each in _reached(held)
    )


def _reached(value: Value, depth: int = _DEPTH) -> Iterator[Value]:
    """A value and what it holds."""
    for option in options_of(value):
        yield option
        held: Iterable[Value] = ()
        if isinstance(option, Tuple):
            held = option.items or (option.elem,)
        elif isinstance(option, MutableContainer):
            held = (*(option.items or ()), *option.entries.values(), *([option.elem] if option.elem else ()))
        elif isinstance(option, Instance):
            held = option.attributes.values()
        elif isinstance(option, Bound):
            held = (option.owner,)
        elif isinstance(option, Partial):
            held = (*option.args, *(each for _, each in option.keywords))
        for each in held if depth else ():
            yield from _reached(each, depth - 1)
