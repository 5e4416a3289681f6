"""What Python's containers can do, as their own classes tell: by the kind of the container."""

from __future__ import annotations

from collections import deque
from types import MappingProxyType
from typing import Final

CLASSES: Final[dict[str, type]] = {each.__name__: each for each in (list, dict, set, tuple, deque)}
METHODS: Final = {
    kind: frozenset(dir(each)) - frozenset(dir(object)) | {"__init__"} for kind, each in CLASSES.items()
}
"""The methods of a container, those of every object left out."""

CHANGING: Final = {
    "list": METHODS["list"] - {*dir(tuple), "copy", "__reversed__"},
    "dict": METHODS["dict"] - {*dir(MappingProxyType), "fromkeys"},
    "set": METHODS["set"] - {*dir(frozenset)},
    "deque": METHODS["deque"] - {*dir(tuple), "copy", "maxlen", "__copy__", "__reversed__"},
}
"""Those that a container has and its kind that cannot be changed has not."""

UNBOUND: Final = tuple(
    f"{CLASSES[kind].__module__}.{kind}.{name}"
    for kind, names in METHODS.items()
    for name in sorted(names - {"fromkeys"})
)
"""The methods of containers as their classes have them."""
