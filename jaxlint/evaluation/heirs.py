"""Objects of a class or of any below it: what reads of their attributes may find.

In: the classes of the project. Out: for an object that annotations say to be of a class, an attribute as the
class or one below it has it. What a method gives that only says that it is to be there is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.join import join_all
from jaxlint.domain.objects import Class, Function, Instance, Key, Transformed
from jaxlint.domain.values import OneOf, Product, Unknown, Value
from jaxlint.ir.limits import OPTIONS, REACHED
from jaxlint.ir.nodes import CallExpr, ConstExpr, ExprStmt, NameExpr, RaiseStmt, Stmt

Bind = Callable[[Value, Instance, int], Value]


class Heirs:
    """Knows which classes are below one, and makes the objects that stand for all of their objects."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self.classes: dict[Class, None] = {}
        self._below: dict[Class, tuple[Class, ...]] = {}
        self._seen = 0  # for how many classes that was found
        self._open: dict[Class, bool] = {}
        self._made: dict[tuple[Class, tuple[Hashable, ...]], Instance] = {}

    def note_class(self, cls: Class) -> None:
        if _is_of_module(cls):
            self.classes[cls] = None

    def below(self, cls: Class) -> tuple[Class, ...]:
        """The classes of modules that inherit from one, in an order that rests on their names."""
        if self._seen != len(self.classes):
            self._seen, self._below = len(self.classes), {}
        found = self._below.get(cls)
        if found is None:
            heirs = [each for each in self.classes if each is not cls and cls in each.lineage()]
            found = self._below[cls] = tuple(sorted(heirs, key=_rank))
        return found

    def stand_in(self, generic: Instance, place: tuple[Hashable, ...]) -> Instance:
        """The object that stands for those of a class or of one below it, and is no other one of another
        place. `generic`: that of which only the class is known. Without a place it stands for several."""
        cls = generic.cls
        found = self._made.get((cls, place))
        if found is None:
            found = self._made[cls, place] = Instance(cls, 0, generic=True)
            found.attributes, found.origin, found.place = generic.attributes, generic, place
            found.many = not place
        found.is_open = self._is_open(cls)
        return found

    def read(
        self, owner: Instance, name: str, nid: int, generic: Callable[[Class], Instance], bind: Bind
    ) -> Value | None:
        """An attribute of an object of a class or of one below it; None where no class says what it is."""
        held = [*self._held(owner, name)]
        if held:
            return join_all(held)
        found: dict[Value, Class] = {}
        stubs = 0
        own = owner.cls.lookup(name)
        values = [] if own is None else [(own[0], owner.cls)]
        values += [(each.attributes[name], each) for each in self.below(owner.cls) if name in each.attributes]
        for value, cls in values:
            if _is_stub(value):
                stubs += 1
            else:
                found.setdefault(value, cls)
        if not found:
            return _unknown(owner, name) if stubs else None
        if len(found) > OPTIONS.most:
            REACHED["options"] += 1
            return _unknown(owner, name)
        bound = []
        for value, cls in found.items():
            if not isinstance(value, (Function, Transformed, Product, OneOf)):
                return None if len(found) == 1 else _unknown(owner, name)
            holder = owner if cls is owner.cls else self.stand_in(generic(cls), owner.place)
            bound.append(bind(value, holder, nid))
        return join_all(bound)

    def _is_open(self, cls: Class) -> bool:
        """Whether a class leaves to others what its objects do."""
        if self.below(cls):
            return True
        found = self._open.get(cls)
        if found is None:
            methods = {name: value for each in cls.lineage()[::-1] for name, value in each.attributes.items()}
            stubs = [name for name, value in methods.items() if _is_stub(value)]
            found = self._open[cls] = not all(name.startswith("__") for name in stubs)
        return found

    def _held(self, owner: Instance, name: str) -> Iterator[Value]:
        """What constructors and other methods of these classes have set."""
        for cls in (owner.cls, *self.below(owner.cls)):
            if cls.generic is not None:
                self.flow.frame.reads.setdefault((cls.generic, name), self.core.changes)
                if name in cls.generic.attributes:
                    yield own_of(owner, name, cls.generic.attributes[name])


def _unknown(owner: Instance, name: str) -> Unknown:
    return Unknown(None if owner.many else (id(owner), ".", name))


def own_of(owner: Instance, name: str, value: Value) -> Value:
    """What an attribute holds of another object of the class: a key has the identity of its place."""
    if isinstance(value, Key) and not owner.many:
        return Key((id(owner), ".", name), value.level, value.many, value.count)
    if type(value) is Unknown or isinstance(value, Key):
        return _unknown(owner, name)
    return value


def _rank(cls: Class) -> tuple[str, str, str]:
    return cls.module.name, cls.module.path, cls.code.qualname


def _is_of_module(cls: Class) -> bool:
    """Whether a class is there as soon as its module is: no function makes it."""
    env = cls.env
    while env.code is None and env.parent is not None:
        env = env.parent
    return env.parent is None


def _is_stub(value: Value) -> bool:
    """Whether a method does nothing but to be there."""
    while isinstance(value, (Product, Transformed)):
        inner = value.func if isinstance(value, Transformed) else next(iter(value.parts), None)
        if not isinstance(inner, Value):
            return False
        value = inner
    return isinstance(value, Function) and not value.code.is_lambda and all(map(_says_nothing, value.code.body))


def _says_nothing(statement: Stmt) -> bool:
    if isinstance(statement, ExprStmt):
        return isinstance(statement.value, ConstExpr)
    if isinstance(statement, RaiseStmt):
        raised = statement.value.func if isinstance(statement.value, CallExpr) else statement.value
        return isinstance(raised, NameExpr) and raised.name == "NotImplementedError"
    return False
