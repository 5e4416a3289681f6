"""Which loops carry a place round: a variable, an attribute of one, or an item under a constant.

In: lowered expressions and statements. Out: the place that an `.at` update replaces by its own copy, and
whether a loop's body keeps that place from turn to turn. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from jaxlint.ir.program import Expr, Stmt

LONG = 16  # turns of a loop that are worth a word
_ENDS = frozenset(("break", "return", "raise"))


@dataclass(frozen=True, slots=True)
class Turns:
    """A loop that is being analyzed. count: how often it turns, None where that is not known."""

    count: int | None
    body: Sequence[Stmt]
    target: Expr | None = None


def updated_place(target: Expr, value: Expr) -> Expr | None:
    """The place that `place = place.at[...].set(...)` updates, through a chain of updates."""
    place = value
    while True:
        if place[0] != "call" or place[2][0] != "attr" or place[2][3] == "get":
            break
        indexed = place[2][2]
        if indexed[0] != "sub" or indexed[2][0] != "attr" or indexed[2][3] != "at":
            break
        place = indexed[2][2]
    return place if place is not value and same_place(target, place) else None


def same_place(a: Expr, b: Expr) -> bool:
    """Whether two expressions name the same place for certain."""
    if a[0] != b[0]:
        return False
    if a[0] == "name":
        return bool(a[2] == b[2])
    if a[0] == "attr":
        return bool(a[3] == b[3]) and same_place(a[2], b[2])
    if a[0] == "sub":
        return a[3][0] == "const" and bool(a[3] == b[3]) and same_place(a[2], b[2])
    return False


def keeps(target: Expr, value: Expr) -> bool:
    """Whether an assignment keeps what is there: `x = x or ...`, `o.x = getattr(o, "x", ...)`."""
    if value[0] == "bool" and value[2] == "or":
        return same_place(target, value[3])
    if value[0] == "call" and value[2][0] == "name" and value[2][2] == "getattr" and len(value[3]) == 3:
        owner, name, _ = value[3]
        return target[0] == "attr" and name == ("const", target[3]) and same_place(target[2], owner)
    return False


def derives(target: Expr, value: Expr) -> bool:
    """Whether what an attribute gets is made of what it holds: `o.x = f(o.x)`, `o.x = o.x.replace(a=1)`."""
    if target[0] == "tuple":
        return any(derives(each, value) for each in parts(target))
    if target[0] != "attr" or value[0] != "call":
        return False
    func = value[2]
    given = [*value[3], *(each for _, each in value[4])]
    if func[0] == "attr":
        given.append(func[2])
    return any(same_place(target, each) for each in given)


def carries(loop: Turns, place: Expr, update: Stmt) -> bool:
    """Whether the place as `update` leaves it goes into the loop's next turn."""
    if loop.target is not None and any(_replaces(each, place) for each in parts(loop.target)):
        return False
    return not _leaves(loop.body, update) and not _fresh_copies(loop.body, place)


def parts(target: Expr) -> Iterator[Expr]:
    """The parts of a target that are bound one by one."""
    if target[0] == "tuple":
        for each in target[1]:
            yield from parts(each)
    else:
        yield target[1] if target[0] == "star" else target


def _replaces(target: Expr, place: Expr) -> bool:
    """Whether an assignment to the target is one to the place, or to what holds it."""
    while not same_place(target, place):
        if place[0] not in ("attr", "sub"):
            return False
        place = place[2]
    return True


def statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    """The statements of a body and of all blocks in it, in the order of the text."""
    for statement in body:
        yield statement
        for block in bodies(statement):
            yield from statements(block)


def bodies(statement: Stmt) -> Iterator[Sequence[Stmt]]:
    """The blocks of a compound statement."""
    kind = statement[0]
    if kind in ("if", "while"):
        yield from statement[3:5]
    elif kind == "for":
        yield from statement[4:6]
    elif kind == "with":
        yield statement[3]
    elif kind == "try":
        yield from (statement[2], statement[4], statement[5])
        yield from (handler for _, _, handler in statement[3])
    elif kind == "match":
        yield from (case[3] for case in statement[3])


def _leaves(body: Sequence[Stmt], update: Stmt) -> bool:
    """Whether a block that holds the update goes on to leave the loop."""
    for position, statement in enumerate(body):
        inner = statement[0] not in ("for", "while") and any(_leaves(b, update) for b in bodies(statement))
        if inner:
            return True
        if statement is update or any(_holds(block, update) for block in bodies(statement)):
            return any(after[0] in _ENDS for after in body[position:])
    return False


def _holds(body: Sequence[Stmt], update: Stmt) -> bool:
    return any(each is update or any(_holds(block, update) for block in bodies(each)) for each in body)


def _fresh_copies(body: Sequence[Stmt], place: Expr) -> bool:
    """Whether a statement gives the place a value that does not come from the place itself."""
    for statement in body:
        kind = statement[0]
        targets: tuple[Expr, ...] = ()
        value: Expr | None = None
        if kind == "assign":
            targets, value = statement[2], statement[3]
        elif kind == "ann" and statement[4] is not None:
            targets, value = (statement[2],), statement[4]
        elif kind == "for":
            targets = (statement[2],)
        elif kind == "with":
            targets = tuple(target for _, target in statement[2] if target is not None)
        for target in targets:
            for each in parts(target):
                if _replaces(each, place) and (value is None or not _mentions(value, each)):
                    return True
        if any(_fresh_copies(block, place) for block in bodies(statement)):
            return True
    return False


def _mentions(expression: object, place: Expr) -> bool:
    if not isinstance(expression, tuple) or not expression:
        return False
    if len(expression) > 2 and same_place(expression, place):
        return True
    return any(_mentions(part, place) for part in expression if isinstance(part, tuple))


__all__ = ["LONG", "Turns", "bodies", "carries", "keeps", "parts", "same_place", "updated_place"]
