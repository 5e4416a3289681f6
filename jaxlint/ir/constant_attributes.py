"""Whether an assignment gives an attribute again what the constructor gave it.

In: the bodies of a class's methods, and an assignment `self.name = expression` in one of them. Out: whether
the constructor assigns the same expression, and whether that is made of things that do not change: constants,
names of the module, and attributes that only the constructor assigns. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence

from jaxlint.ir.loop_carried import bodies, parts
from jaxlint.ir.program import Code, Expr, Stmt

_PURE = frozenset(("const", "name", "attr", "bin", "un", "tuple", "cmp", "sub"))


class Assignments:
    """What the methods of a class assign to attributes of their first parameter.

    by_init: the values that constructors give, each with the name of that parameter, by attribute. later: the
    attributes that other methods assign.
    """

    def __init__(self, methods: Iterable[Code]) -> None:
        self.by_init: dict[str, list[tuple[str, Expr]]] = {}
        self.later: set[str] = set()
        for code in methods:
            owner = code.params[0].name if code.params else ""
            for place, given in _assigned(code.body):
                if place[0] == "attr" and place[2][0] == "name" and place[2][2] == owner:
                    if code.name != "__init__":
                        self.later.add(place[3])
                    else:
                        self.by_init.setdefault(place[3], []).append((owner, given))


def gives_again(
    target: Expr, value: Expr, method: Code, assignments: Assignments, is_changing: Callable[[str], bool]
) -> bool:
    """Whether `self.name = value` in a method repeats what `__init__` says, of what does not change.

    assignments: those of the class. is_changing: of variables of the method, and of the module that functions
    bind.
    """
    if target[0] != "attr" or target[2][0] != "name" or not method.params:
        return False
    if target[2][2] != method.params[0].name or method.name == "__init__":
        return False
    own: str = target[2][2]
    given = assignments.by_init.get(target[3], [])
    if len(given) != 1 or given[0][0] != own or not is_alike(given[0][1], value):
        return False
    return _lasts(value, own, assignments.later, is_changing)


def _assigned(body: Sequence[Stmt]) -> Iterator[tuple[Expr, Expr]]:
    for statement in body:
        if statement[0] == "assign":
            for target in statement[2]:
                for each in parts(target):
                    yield each, statement[3] if each is target else ("opaque",)
        elif statement[0] in ("ann", "aug", "for"):
            given = statement[4] if statement[0] == "ann" else None
            yield statement[2], ("opaque",) if given is None else given
        for block in bodies(statement):
            yield from _assigned(block)


def is_alike(a: object, b: object) -> bool:
    """Whether two expressions are written alike: numbers of nodes apart."""
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        return type(a) is type(b) and a == b
    if len(a) != len(b):
        return False
    numbered = len(a) > 2 and isinstance(a[0], str) and isinstance(a[1], int) and isinstance(b[1], int)
    return all(is_alike(x, y) for i, (x, y) in enumerate(zip(a, b, strict=True)) if not (numbered and i == 1))


def _lasts(value: Expr, own: str, assigned: Container[str], is_changing: Callable[[str], bool]) -> bool:
    """Whether an expression has one value as long as the object is there."""
    kind = value[0]
    if kind == "const":
        return True
    if kind == "name":
        return not is_changing(value[2]) and value[2] != own
    if kind == "attr":
        if value[2][0] == "name" and value[2][2] == own:
            return value[3] not in assigned
        return _lasts(value[2], own, assigned, is_changing)
    if kind not in _PURE:
        return False
    return all(_lasts(part, own, assigned, is_changing) for part in _expressions(value[1:]))


def _expressions(node: Sequence[object]) -> Iterator[Expr]:
    for part in node:
        if isinstance(part, tuple) and part:
            if isinstance(part[0], str) and len(part) > 1:
                yield part
            else:
                yield from _expressions(part)
