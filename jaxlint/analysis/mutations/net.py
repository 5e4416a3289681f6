"""Which changes are still there when a trace is over.

In: what a trace changed of the things that were made outside of it, in order. Out: the changes that nothing
after them took back or replaced; whether each call would make the same change. It refuses to know who made
them.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.domain.join import MutableContainer, callees_of, join_all, level_of, options_of
from jaxlint.domain.members import is_whole_slice
from jaxlint.domain.objects import Instance
from jaxlint.domain.questions import level_of_all
from jaxlint.domain.values import UNKNOWN, Const, Unknown, Value
from jaxlint.ir.constant_attributes import changed_attributes, names_read, reads_attribute, reads_of
from jaxlint.ir.loop_carried import same_place, statements
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    ConstExpr,
    DeleteStmt,
    DictExpr,
    Expr,
    ListExpr,
    NameExpr,
    Node,
    SetExpr,
    Stmt,
    SubscriptExpr,
    TryStmt,
    TupleExpr,
    WithStmt,
    YieldExpr,
    YieldFromExpr,
)
from jaxlint.ir.walks import number_of, walk

if TYPE_CHECKING:
    from jaxlint.ir.program import Program

_WRITES = frozenset(("attribute", "global", "nonlocal", "item"))
_MANY = 200
_KEPT = 1024  # files of which is kept what they set
_WILD = "wild"
_COMPUTES = frozenset("abs float int len max min round".split())  # and do nothing else
_MAKERS = frozenset(("__init__", "__post_init__", "setup"))  # methods that set what an object begins with


def wild(nid: int, frame: FunctionContext, name: str) -> Mutation:
    """A write of an attribute of an object that is not known: it may be any."""
    return Mutation(nid, frame, _WILD, UNKNOWN, UNKNOWN, name, place=(_WILD, name), depth=-1)


def gathered(first: tuple[Mutation, ...], then: tuple[Mutation, ...]) -> tuple[Mutation, ...]:
    """One after the other; where they are many, of what is written again the first and the last time."""
    found = first + then
    if len(found) <= _MANY:
        return found
    earliest = {(event.place, event.nid, event.frame): event for event in reversed(found)}
    latest = {event.place: event for event in found}
    kept = {id(event) for event in (*earliest.values(), *latest.values())}
    return tuple(event for event in found if id(event) in kept)


def lasting(events: Sequence[Mutation], hidden: Collection[int] = ()) -> list[Mutation]:
    """The changes that are still there when all of these have happened, but for the hidden ones: what was
    pushed and popped again, what was counted up and down, and what was replaced and put back, is not."""
    writes: dict[Hashable, list[Mutation]] = {}
    pushes: dict[int, int] = {}  # of a container: where it was pushed to first
    pops: dict[int, int] = {}  # and where it was popped from last
    wilds: dict[str, int] = {}  # where the attribute of an object that is not known was written last
    for position, event in enumerate(events):
        if event.how in _WRITES:
            writes.setdefault(event.place, []).append(event)
        elif event.how == "append":
            pushes.setdefault(id(event.target), position)
        elif event.how == "delete":
            pops[id(event.target)] = position
        elif event.how == _WILD:
            wilds[event.name] = position
    undone = {place for place, own in writes.items() if not _is_whole(own[0]) and is_put_back(own)}
    reset = _reset_first(writes)
    drained = {*_drained(events), *_undone_in_containers(events)}
    refreshed = set(_refreshed(events))
    found: list[Mutation] = []
    for position, event in enumerate(events):
        container = id(event.target)
        if position in drained or event.place in reset or container in refreshed or event.replaced:
            continue
        if id(event) in hidden:
            continue
        if event.how in _WRITES:
            if event.place in undone:
                continue
            if event.how == "attribute" and wilds.get(event.name, -1) > position:
                continue
            last = writes[event.place][-1]
            if event is not last and level_of(event.new) and not level_of(last.new):
                continue
            if event.how == "item" and pops.get(container, -1) > position:
                if pushes.get(container, position) < position:
                    continue
        elif event.how == "append" and pops.get(container, -1) > position:
            continue
        elif event.how == "delete" and container in pushes and pops[container] > pushes[container]:
            continue
        elif event.how == _WILD:
            continue
        found.append(event)
    return found


def _reset_first(writes: Mapping[Hashable, Sequence[Mutation]]) -> set[Hashable]:
    """What each trace sets to a constant before it counts on from there, or to an empty collection that it
    fills with what is no tracer."""
    return {
        place
        for place, (first, *others) in writes.items()
        if _is_filled(first)
        or (isinstance(first.new, Const) and first.step is None and any(each.step for each in others))
    }


def _is_filled(first: Mutation) -> bool:
    new = first.new
    if not first.empty or not isinstance(new, MutableContainer) or new.is_empty():
        return False
    return not level_of(new.each())


def unrefreshed(events: Sequence[Mutation]) -> Sequence[Mutation]:
    """Without the changes of containers that a function empties before it fills them."""
    if not any(event.emptied for event in events):
        return events
    refreshed = set(_refreshed(events))
    return [event for event in events if id(event.target) not in refreshed]


def _refreshed(events: Sequence[Mutation]) -> Iterator[int]:
    """The containers that each trace empties, and fills then with what is no tracer: what they hold is of the
    last trace alone."""
    for container, history in _histories(events).items():
        last = max((place for place, (_, event) in enumerate(history) if event.emptied), default=None)
        if last is not None and not any(level_of_all(each.new) for _, each in history[last + 1 :]):
            yield container


def _histories(events: Iterable[Mutation]) -> dict[int, list[tuple[int, Mutation]]]:
    """The changes of each container, with their positions."""
    histories: dict[int, list[tuple[int, Mutation]]] = {}
    for position, event in enumerate(events):
        if event.how in ("append", "item", "delete"):
            histories.setdefault(id(event.target), []).append((position, event))
    return histories


def _drained(events: Sequence[Mutation]) -> Iterator[int]:
    """Where a container is filled that is then taken away, and where an empty one takes its place."""
    filled: dict[int, list[int]] = {}
    for position, event in enumerate(events):
        if event.how in ("append", "item"):
            filled.setdefault(id(event.target), []).append(position)
        elif event.empty and event.before is not None:
            for each in options_of(event.before):
                if id(each) in filled:
                    yield from filled.pop(id(each))
                    yield position


def _undone_in_containers(events: Sequence[Mutation]) -> set[int]:
    """The positions of changes of containers of which nothing is left: an item that is taken out under its
    key, what is put into a list that a dict then loses, and what was done before a container is filled again
    from a copy that was made first."""
    histories = _histories(events)
    found: set[int] = set()
    for history in histories.values():
        for place, (position, event) in enumerate(history[1:], 1):
            earlier = history[:place]
            undone = set(_taken(event, earlier) if event.how == "delete" else _refilled(event, earlier))
            if undone or _is_copy_of_own(event):
                found |= undone | {position}
        for position, event in history:
            if event.how == "delete":
                found.update(_lost(event, position, histories))
    return found


def _key(event: Mutation) -> Value | None:
    """The key, or the index, of what is written or deleted, where one is named."""
    key: Value | None = event.place[2] if isinstance(event.place, tuple) and len(event.place) == 3 else None
    return key


def _is_whole(event: Mutation) -> bool:
    """Whether a change writes items of which no key is named."""
    return event.how == "item" and _key(event) is None


def _is_copy_of_own(event: Mutation) -> bool:
    """Whether a dict is updated with a copy of itself."""
    new, box = event.new, event.target
    return _is_whole(event) and isinstance(new, MutableContainer) and new.source is box and new.kind == "dict"


def _taken(event: Mutation, earlier: Iterable[tuple[int, Mutation]]) -> Iterator[int]:
    """What a dict has of the trace, and loses here: all that may have the key that is taken out."""
    key = _key(event)
    for position, each in earlier:
        own = _key(each)
        if each.how == "item" and getattr(event.target, "kind", "") == "dict":
            if own == key or not (isinstance(own, Const) and isinstance(key, Const)):
                yield position


def _lost(
    event: Mutation, position: int, histories: Mapping[int, Sequence[tuple[int, Mutation]]]
) -> Iterator[int]:
    """What was put into a container that another one holds, and loses here. One that a dict makes where it is
    asked for it (`defaultdict`) is of the trace, too."""
    target = event.target
    made = options_of(target.elem) if isinstance(target, MutableContainer) and target.elem is not None else ()
    for each in () if event.before is None else options_of(event.before):
        filled = [where for where, _ in histories.get(id(each), ()) if where < position]
        yield from filled
        if filled and any(one is each for one in made):
            yield position


def _refilled(event: Mutation, earlier: Sequence[tuple[int, Mutation]]) -> list[int]:
    """The changes of a container after which it has here again what it had before them: it is filled from a
    copy of itself, or from what was read of it."""
    box, new, key = event.target, event.new, _key(event)
    cleared = [(position, each) for position, each in earlier if each.how == "delete" and _key(each) is None]
    if not isinstance(box, MutableContainer):
        return []
    if box.kind != "dict":
        is_all = key is not None and is_whole_slice(key)
        is_copy = isinstance(new, MutableContainer) and new.source is box and not level_of(new.each())
        return [position for position, _ in earlier] if is_copy and (is_all or cleared) else []
    if isinstance(key, Const):  # one entry of those that `clear` has taken away
        return [position for position, each in cleared if each.before and may_be_of(each.before, new)]
    is_copy = _is_copy_of_own(event)
    if not _is_whole(event) or not isinstance(new, MutableContainer) or new.kind != "dict":
        return []
    held = [each.before for _, each in earlier if each.before is not None]
    if not is_copy and not (held and may_be_of(join_all(held), new.each())):
        return []
    found: list[int] = []
    first: dict[Value, Value | None] = {}
    for position, each in earlier:
        own = _key(each)
        if isinstance(own, Const):
            before = first.setdefault(own, each.before)
            kept = new.entries.get(own.value, new.elem)
            if kept is None and not cleared:
                continue  # the copy does not have what was added
            if kept is not None and not (level_of(kept) == 0 if before is None else may_be_of(before, kept)):
                return []
        found.append(position)
    return found


def hidden_by_pushes(events: Iterable[Mutation]) -> set[int]:
    """Writes of attributes of an object in a stack, by identity, between a push of another one of its class
    and a pop: what is on top then is the later one, where the stack as it is known may give both."""
    pushes: dict[int, tuple[Mutation, list[int]]] = {}  # by stack: the push, and the writes since
    found: set[int] = set()
    for event in events:
        if event.how == "append":
            pushes[id(event.target)] = (event, [])
        elif event.how == "attribute":
            for push, writes in pushes.values():
                if _lies_below(event.target, push):
                    writes.append(id(event))
        elif event.how == "delete" and id(event.target) in pushes:
            found.update(pushes.pop(id(event.target))[1])
    return found


def _lies_below(target: Value, push: Mutation) -> bool:
    """Whether an object lies in a stack to which another one of its class is pushed."""
    stack, new = push.target, push.new
    if not (
        isinstance(target, Instance) and isinstance(new, Instance) and isinstance(stack, MutableContainer)
    ):
        return False
    is_another = new is not target and new.cls is target.cls and not stack.is_empty()
    return is_another and any(each is target for each in callees_of(stack.each()))


def may_be_of(before: Value, after: Value) -> bool:
    """Whether all that a value may be is among what there was."""
    known = options_of(before)
    return all(each in known for each in options_of(after))


def is_put_back(writes: Sequence[Mutation]) -> bool:
    """Whether after these writes of one place there is what was there before them, as far as is known."""
    if len(writes) < 2:
        return False
    steps = [event.step for event in writes if event.step is not None]
    if len(steps) == len(writes):
        return sum(steps) == 0
    before, after = writes[0].before, writes[-1].new
    return before is not None and may_be_same(before, after)


def may_undo(event: Mutation, others: Iterable[Mutation]) -> bool:
    """Whether a change that is made where a context is left may put back what was there: it adds nothing
    and keeps no tracer, or another one is made to the same thing, which takes out where this adds."""
    is_added = event.how == "append" or bool(event.step)
    if not is_added and not level_of(event.new):
        return True
    changes = [other for other in others if other.place == event.place or other.target is event.target]
    return any(not is_added or other.how == "delete" for other in changes)


def is_after_yield(body: Sequence[Stmt], nid: int) -> bool:
    """Whether a place is surely run once a generator goes on after it has yielded."""
    for position, statement in enumerate(body):
        if not any(isinstance(part, (YieldExpr, YieldFromExpr)) for part in walk(statement)):
            continue
        if isinstance(statement, TryStmt):
            behind = [*statement.orelse, *statement.final]
            return _has((*behind, *body[position + 1 :]), nid) or is_after_yield(statement.body, nid)
        inner = isinstance(statement, WithStmt) and is_after_yield(statement.body, nid)
        return inner or _has(body[position + 1 :], nid)
    return False


def made_on_leaving(managers: Iterable[Hashable]) -> Iterator[Hashable]:
    """The functions that generators have others make anew once they go on after they have yielded."""
    for manager in managers:
        func = manager.func if isinstance(manager, FunctionContext) else None
        if func is None or not isinstance(manager, FunctionContext):
            continue
        for each in manager.callees:
            if each.affected is not None and any(
                link.parent is manager and is_after_yield(func.code.body, link.nid) for link in each.links
            ):
                yield from each.affected.made


def _has(block: Sequence[Stmt], nid: int) -> bool:
    return any(number_of(each) == nid for each in walk(*block))


def may_be_same(before: Value, after: Value) -> bool:
    """Whether what is written may well be what was there: it is the same by all that is known of it."""
    if isinstance(after, Unknown):
        return True
    known = options_of(before)
    return any(each in known for each in options_of(after))


def is_unseen(change: Mutation, programs: Sequence[Program]) -> bool:
    """Whether no code can tell that a change of an attribute happens once for each trace."""
    return _is_same_again(change, programs) or _is_read_nowhere(change, programs)


def _is_same_again(change: Mutation, programs: Iterable[Program]) -> bool:
    """Whether a change sets a private attribute to what is written out there, which that function does not
    read, and nothing but constructors sets one of this name otherwise, or changes what it holds: each call
    would leave what the first one has left."""
    is_private = change.name.startswith("_") and not change.name.startswith("__")
    if change.how != "attribute" or not is_private or reads_attribute(change.frame.code, change.name):
        return False
    values: list[Expr | None] = []
    for program in programs:
        settings = _settings_in(program)
        if change.name in settings.texts:
            return False  # it may be set by its name
        values += settings.values.get(change.name, ())
    if len(values) != 1 or values[0] is None or not _is_literal(values[0]):
        return False
    if isinstance(values[0], (ConstExpr, TupleExpr)):
        return True
    return not any(change.name in changed_attributes(program) for program in programs)


def _is_read_nowhere(change: Mutation, programs: Iterable[Program]) -> bool:
    """Whether a change sets a private attribute of a name that no code reads, but to add to it."""
    is_private = change.name.startswith("_") and not change.name.startswith("__")
    if change.how != "attribute" or not is_private:
        return False
    return not any(change.name in _read_in(program) for program in programs)


@lru_cache(maxsize=_KEPT)
def _read_in(program: Program) -> frozenset[str]:
    """The names of attributes that a file reads otherwise than to count them on, and its texts, which may be
    such names."""
    found: set[str] = set()
    for code in program.codes:
        own = {id(part) for each in statements(code.body) for part in _counted_on(each)}
        for name in names_read(code):
            if any(id(each) not in own for each in reads_of(code, name)):
                found.add(name)
    return frozenset(found)


def _counted_on(statement: Stmt) -> Iterator[Node]:
    """What a statement reads only to set it anew: `self.n` of `self.n += k`, of `self.n = min(self.n, k)`."""
    if isinstance(statement, AugmentedStmt):
        yield from (statement.target, statement.read)
    elif isinstance(statement, AssignStmt) and len(statement.targets) == 1:
        target, value = statement.targets[0], [*walk(statement.value)]
        if isinstance(target, AttrExpr) and all(map(_only_computes, value)):
            yield from (each for each in value if isinstance(each, AttrExpr) and same_place(each, target))


def _only_computes(node: Node) -> bool:
    """Whether an expression does nothing with what it reads but to compute."""
    if isinstance(node, CallExpr):
        return isinstance(node.func, NameExpr) and node.func.name in _COMPUTES and not node.keywords
    return isinstance(node, (AttrExpr, BinaryExpr, ConstExpr, NameExpr, SubscriptExpr))


class _Settings(NamedTuple):
    """What a file sets attributes to, but in what makes objects, by name, and the texts there; None for what
    is no value alone."""

    values: dict[str, list[Expr | None]]
    texts: set[str]


@lru_cache(maxsize=_KEPT)
def _settings_in(program: Program) -> _Settings:
    found = _Settings({}, set())
    codes = [each for each in program.codes if not (each.in_class and each.name in _MAKERS)]
    for node in (each for code in (program.body, *codes) for each in walk(*code.body)):
        if isinstance(node, ConstExpr) and isinstance(node.value, str):
            found.texts.add(node.value)
        for target, value in _set_by(node):
            found.values.setdefault(target, []).append(value)
    return found


def _set_by(node: object) -> Iterator[tuple[str, Expr | None]]:
    """The names of attributes that a statement sets, with the values; None for what is no value alone."""
    targets: Sequence[Expr] = ()
    value: Expr | None = None
    if isinstance(node, AssignStmt):
        targets, value = node.targets, node.value
    elif isinstance(node, (AnnotatedStmt, AugmentedStmt)):
        targets, value = (node.target,), node.value if isinstance(node, AnnotatedStmt) else None
    elif isinstance(node, DeleteStmt):
        targets = node.targets
    for target in targets:
        if isinstance(target, AttrExpr):
            yield target.name, value
        else:
            yield from ((each.name, None) for each in walk(target) if isinstance(each, AttrExpr))


def _is_literal(value: Expr) -> bool:
    if isinstance(value, DictExpr):
        return all(name is not None and _is_literal(name) and _is_literal(each) for name, each in value.items)
    if isinstance(value, (ListExpr, SetExpr, TupleExpr)):
        return all(map(_is_literal, value.items))
    return isinstance(value, ConstExpr)
