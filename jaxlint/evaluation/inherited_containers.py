"""What objects hold of whose class one of Python's containers is a base.

In: an object, and the name of a method that its class does not define. Out: the method of the container. It
refuses to know what the methods give.
"""

from __future__ import annotations

from typing import Final

from jaxlint.analysis.core import Core
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.container_methods import CHANGING, CLASSES, METHODS
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Class, Instance
from jaxlint.domain.questions import CONTENTS, contents_of
from jaxlint.domain.values import UNKNOWN, Const, External, Product, Value
from jaxlint.evaluation.comprehensions import hashable

_KINDS: Final = {
    "builtins.list": "list", "builtins.dict": "dict", "builtins.set": "set", "builtins.tuple": "tuple",
    "collections.deque": "deque", "collections.OrderedDict": "dict", "collections.defaultdict": "dict",
    "collections.UserList": "list", "collections.UserDict": "dict",
}  # fmt: skip
_MAPPINGS: Final = frozenset(
    f"{module}.{name}" for module in ("collections.abc", "typing") for name in ("Mapping", "MutableMapping")
)
_OF_MAPPINGS: Final = frozenset(("get", "items", "keys", "values"))


class InheritedContainers:
    """One container an object."""

    def __init__(self, core: Core, interpreter: Interpreter) -> None:
        self.core = core
        self.interpreter = interpreter
        self._made: dict[Instance, MutableContainer] = {}

    def fill(self, owner: Instance, base: External, made: Value | None, nid: int) -> None:
        """Gives a new object what it holds: a copy of what its base makes, or nothing as yet."""
        kind = _KINDS[base.name]
        if kind == "tuple":
            held = made if isinstance(made, Tuple) else Tuple(None)
            self.core.set_attribute(owner, CONTENTS, held)
            return
        box = self.core.box(kind, nid, ("contents", id(owner.cls)))
        if made is not None:
            refill(box, made)
        self.core.set_attribute(owner, CONTENTS, box)
        if base.name.startswith("collections.User"):
            self.core.set_attribute(owner, "data", box)

    def method(self, owner: Value, name: str, nid: int) -> Value | None:
        """What a method of this name is where the class defines none; None where no container has it, or what
        the object holds is not known, unless the method changes that."""
        held = contents_of(owner) or self._changed_by(owner, name)
        if held is None and isinstance(owner, Instance) and name in _OF_MAPPINGS:
            held = self._gone_through(owner, nid)
        if held is None:
            return None
        kind = held.kind if isinstance(held, MutableContainer) else "tuple"
        return Product("method", name, held) if name in METHODS[kind] else None

    def _gone_through(self, owner: Instance, nid: int) -> MutableContainer | None:
        """What the methods go through that a mapping has of its abstract base: what its own ones give."""
        if owner.is_open or not _MAPPINGS & owner.cls.externals() or owner.cls.lookup("__getitem__") is None:
            return None
        containers = self.interpreter.containers
        names = self.interpreter.expressions.known_items(containers.iterator_of(owner, nid))
        box = self.core.box("dict", nid, ("mapping", id(owner)))
        for name in names or ():
            if isinstance(name, Const) and hashable(name.value):
                box.entries[name.value] = containers.subscript(owner, name, nid)
        if names is None or len(box.entries) < len(names):
            box.widen(containers.subscript(owner, containers.iterate(owner, nid), nid))
        return box

    def _changed_by(self, owner: Value, name: str) -> MutableContainer | None:
        """The container that a method of this name changes; None where the object is none, or may be one that
        is made anew."""
        if not isinstance(owner, Instance) or owner.generic or owner.many:
            return None
        base = container_base(owner.cls)
        kind = "" if base is None else _KINDS[base.name]
        if name not in CHANGING.get(kind, ()):
            return None
        whole = owner.origin or owner
        box = self._made.get(whole)
        if box is None:
            box = self._made[whole] = MutableContainer(kind, whole.depth, 0)
            box.items, box.elem = None, UNKNOWN
        return box


def container_base(cls: Class) -> External | None:
    """The container that is a base of a class, where there is one."""
    found = [each for each in cls.externals() if each in _KINDS]
    return External(found[0]) if len(found) == 1 else None


def made_by(base: External) -> External:
    """The class of Python that fills what a container of a base holds as that does."""
    return base if base.name == "collections.defaultdict" else class_of_kind(_KINDS[base.name])


def class_of_kind(kind: str) -> External:
    """The class of containers of a kind."""
    return External(f"{CLASSES[kind].__module__}.{kind}")


def put_by_attribute(owner: Instance, name: str, value: Value, block: int) -> None:
    """An attribute of an object that is a dict is set, where its class takes attributes for items."""
    held = contents_of(owner) if owner.cls.lookup("__setattr__") is not None else None
    if isinstance(held, MutableContainer) and held.kind == "dict":
        held.set(name, value, block)


def may_lack(owner: Instance, index: Value) -> bool:
    """Whether there may be no such item in the dict that is a base of the class of an object."""
    held = contents_of(owner, "__getitem__")
    if not isinstance(held, MutableContainer) or held.kind != "dict":
        return False
    return not isinstance(index, Const) or not hashable(index.value) or index.value not in held.entries


def refill(box: MutableContainer, made: Value) -> None:
    """Puts what another container holds into one, and nothing else."""
    if isinstance(made, MutableContainer) and (made.kind == "dict") == (box.kind == "dict"):
        box.fill_as(made)
    else:
        box.items, box.elem, box.is_open = None, UNKNOWN, True
