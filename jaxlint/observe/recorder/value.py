"""What a parameter is as its function is entered: a tracer, an array, a static value, a pytree of these.

In: a value of the user's program. Out: a description without the value: types, shapes, dtypes, hashes. No
code of the user's is run: containers are read as what they are, never flattened by functions that the user
registered.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from .stack import code_of

Description = dict[str, Any]
NODES = 2000
"""Parts of a pytree that are looked at."""
SHOWN = 16
"""Leaves of a parameter that a way of entering tells."""

_SCALARS = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis), range, slice)
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial)


class Describer:
    """Describes values.

    jax: the module. named: the number of a function of the project's by its code object, None for others.
    values: whether static values are shown.
    """

    def __init__(self, jax: Any, named: Callable[[types.CodeType], int | None], values: bool) -> None:
        self.tracer = jax.core.Tracer
        self.array = jax.Array
        self.named = named
        self.values = values
        tree = sys.modules.get("jax._src.tree_util")
        self.registries = [
            registry
            for name in ("_registry", "_registry_with_keypaths")
            if isinstance(registry := getattr(tree, name, None), dict)
        ]
        numpy = sys.modules.get("numpy")
        self.numpy = (getattr(numpy, "ndarray", ()), getattr(numpy, "generic", ()))

    def described(self, value: Any, kind: str = "") -> Description:
        """What a value is. kind: "tuple" or "dict" for what `*args` and `**kwargs` gather."""
        leaf = self._leaf(value)
        if leaf is not None:
            return leaf
        if not self.is_tree(value):
            return {"kind": "object", "type": type_name(type(value))}
        leaves: dict[str, Description] = {}
        structure = hashlib.blake2b(digest_size=4)
        more = 0
        arrays = bool(kind)
        for path, each, is_leaf in self._nodes(value):
            structure.update(path.encode("utf-8", "surrogatepass") + b"\0")
            if not is_leaf:
                structure.update(type_name(type(each)).encode("utf-8", "surrogatepass") + b"\1")
                continue
            described = self._leaf(each) or {"kind": "object", "type": type_name(type(each))}
            arrays = arrays or described["kind"] not in ("static", "function")
            if len(leaves) < NODES:
                leaves[path] = described
            else:
                more += 1
        if not arrays:
            return self._static(value)
        found: Description = {"kind": kind or "pytree", "type": type_name(type(value)), "leaves": leaves}
        found["tree"] = structure.hexdigest()
        if more:
            found["more"] = more
        return found

    def is_tree(self, value: Any) -> bool:
        kind = type(value)
        return isinstance(value, (tuple, list, dict)) or any(kind in each for each in self.registries)

    def _leaf(self, value: Any) -> Description | None:
        if isinstance(value, self.tracer):
            return self._aval("tracer", value.aval)
        if isinstance(value, _SCALARS) or isinstance(value, (type, enum.Enum)):
            return self._static(value)
        if isinstance(value, self.numpy):
            return {"kind": "numpy", "aval": _shaped(value.dtype, value.shape)}
        if isinstance(value, self.array):
            return self._aval("array", getattr(value, "aval", value))
        if isinstance(value, _FUNCTIONS) or type(value).__name__ == "PjitFunction":
            return self._function(value)
        if type(value).__name__ in ("ShapeDtypeStruct", "ShapedArray"):
            return {
                "kind": "object",
                "type": type_name(type(value)),
                "aval": _shaped(value.dtype, value.shape),
            }
        return None

    def _aval(self, kind: str, aval: Any) -> Description:
        dtype, shape = getattr(aval, "dtype", None), getattr(aval, "shape", None)
        if dtype is None or shape is None:
            return {"kind": kind, "aval": type_name(type(aval))}
        text = _shaped(dtype, shape)
        raw = str(dtype) == "uint32" and tuple(shape) == (2,)
        if text.startswith("key<") or raw:
            return {"kind": "key", "aval": text, **({"traced": True} if kind == "tracer" else {})}
        weak = {"weak": True} if getattr(aval, "weak_type", False) else {}
        return {"kind": kind, "aval": text, **weak}

    def _static(self, value: Any) -> Description:
        found = {"kind": "static", "type": type_name(type(value)), "hash": static_hash(value)}
        if self.values and isinstance(value, (bool, int, float, complex, str, bytes)):
            found["value"] = repr(value)[:80] if not isinstance(value, int) else format(value, "d")[:80]
        return found

    def _function(self, value: Any) -> Description:
        code = code_of(value)
        number = None if code is None else self.named(code)
        if number is not None:
            return {"kind": "function", "n": number, "name": code.co_name}  # type: ignore[union-attr]
        inner = getattr(value, "func", value)
        module = getattr(inner, "__module__", None) or ""
        name = getattr(inner, "__qualname__", None) or type(inner).__name__
        return {"kind": "function", "name": f"{module}.{name}".strip(".")[:200]}

    def leaves(self, value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
        """Leaves with their paths as `jax.tree_util.keystr` has them, in their order."""
        return ((where, each) for where, each, is_leaf in self._nodes(value, path) if is_leaf)

    def _nodes(self, value: Any, path: str = "") -> Iterator[tuple[str, Any, bool]]:
        """The nodes of a tree with their paths, and whether they are leaves; at most `NODES` of them."""
        left = [(path, value)]
        for _ in range(NODES):
            if not left:
                return
            path, value = left.pop()
            children = self._children(value)
            yield path, value, children is None
            if children is not None:
                left += [(path + step, child) for step, child in reversed(children)]

    def _children(self, value: Any) -> list[tuple[str, Any]] | None:
        if value is None:
            return []
        if isinstance(value, tuple):
            names = getattr(type(value), "_fields", None)
            steps = [f".{name}" for name in names] if names else [f"[{place}]" for place in range(len(value))]
            return list(zip(steps, tuple.__iter__(value)))
        if isinstance(value, list):
            return [(f"[{place}]", each) for place, each in enumerate(list.__iter__(value))]
        if isinstance(value, dict):
            return sorted(
                ((f"[{_key(key)}]", each) for key, each in dict.items(value)), key=lambda item: item[0]
            )
        if any(type(value) in each for each in self.registries):
            return [(f".{name}", each) for name, each in _attributes(value)]
        return None


def shortened(described: Description) -> Description:
    """A description for a way of entering: with few leaves, without what only comparisons need."""
    leaves = described.get("leaves")
    if leaves is None:
        return described
    found = {key: value for key, value in described.items() if key not in ("leaves", "tree")}
    found["leaves"] = dict(list(leaves.items())[:SHOWN])
    if len(leaves) > SHOWN:
        found["more"] = described.get("more", 0) + len(leaves) - SHOWN
    return found


def _attributes(value: Any) -> list[tuple[str, Any]]:
    try:
        return list(object.__getattribute__(value, "__dict__").items())
    except AttributeError:
        slots = [name for kind in type(value).__mro__ for name in vars(kind).get("__slots__", ())]
        found = []
        for name in slots:
            try:
                found.append((name, object.__getattribute__(value, name)))
            except AttributeError:
                continue
        return found


def _key(key: Any) -> str:
    """A key of a dictionary: names and numbers are shown, and nothing else is."""
    if isinstance(key, str):
        return repr(str(key)) if key.isidentifier() and len(key) < 60 else f"'#{static_hash(key)}'"
    return str(key) if type(key) is int and abs(key) < 10**9 else f"#{static_hash(key)}"


def _shaped(dtype: Any, shape: Any) -> str:
    return f"{getattr(dtype, 'name', dtype)}[{','.join(map(str, shape))}]"


def type_name(kind: type) -> str:
    """The dotted name of a type."""
    return f"{kind.__module__}.{kind.__qualname__}"[:200]


def static_hash(value: Any) -> str:
    """Eight hex digits of a value of Python's own types; of others the type counts alone."""
    digest = hashlib.blake2b(digest_size=4)
    _feed(digest, value, 0)
    return digest.hexdigest()


def _feed(digest: Any, value: Any, depth: int) -> None:
    kind = type(value)
    digest.update(type_name(kind).encode("utf-8", "surrogatepass") + b":")
    if depth > 20:
        return
    if isinstance(value, enum.Enum):
        digest.update(str(value._name_).encode("utf-8", "surrogatepass"))
    elif kind in (str, bytes):
        digest.update(value.encode("utf-8", "surrogatepass") if kind is str else value)
    elif kind is int:
        digest.update(hex(value).encode())
    elif kind in _SCALARS:
        digest.update(repr(value).encode() if kind is not slice else b"slice")
    elif isinstance(value, type):
        digest.update(type_name(value).encode("utf-8", "surrogatepass"))
    elif kind in (tuple, list):
        for each in value:
            _feed(digest, each, depth + 1)
    elif kind is dict:
        for key, each in value.items():
            _feed(digest, key, depth + 1)
            _feed(digest, each, depth + 1)
    digest.update(b"\0")
