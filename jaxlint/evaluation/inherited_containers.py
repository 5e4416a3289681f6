"""What objects hold whose class is made of a list, a dict, a set or a deque: a container of which nothing is
known but when it was made.

In: an object, and the name of an attribute that its class does not define. Out: the container where that is
one of its methods. It refuses to know what is in it.
"""

from __future__ import annotations

from typing import Final

from jaxlint.domain.join import MutableContainer
from jaxlint.domain.objects import Instance
from jaxlint.domain.values import UNKNOWN

_KINDS: Final = {
    "builtins.list": "list", "builtins.dict": "dict", "builtins.set": "set", "collections.deque": "deque",
    "collections.OrderedDict": "dict", "collections.defaultdict": "dict", "collections.UserList": "list",
    "collections.UserDict": "dict",
}  # fmt: skip
_CHANGING: Final = frozenset(
    "append add appendleft extend extendleft insert update setdefault pop popleft popitem remove discard "
    "clear __setitem__".split()
)


class InheritedContainers:
    """One container an object."""

    def __init__(self) -> None:
        self._made: dict[Instance, MutableContainer] = {}

    def changed_by(self, owner: Instance, name: str) -> MutableContainer | None:
        """The container that a method of this name changes; None where the object is none, or may be one that
        is made anew."""
        if name not in _CHANGING or owner.generic or owner.many:
            return None
        kinds = [_KINDS[each] for each in sorted(owner.cls.externals()) if each in _KINDS]
        if len(kinds) != 1:
            return None
        whole = owner.origin or owner
        box = self._made.get(whole)
        if box is None:
            box = self._made[whole] = MutableContainer(kinds[0], whole.depth, 0)
            box.items, box.elem = None, UNKNOWN
        return box
