"""Why a function was traced once more: what is different from the nearest signature before.

In: descriptions of parameters by name. Out: rows of argument, what differs, before, after.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

Row = tuple[str, str, str, str]
"""Argument, what differs, before, after."""
MOST_ROWS = 8

FIRST = ("", "first", "", "")
NEW_FUNCTION = ("", "new function object", "", "")
NOT_KEPT = ("", "not kept", "", "")


class Signature(NamedTuple):
    """How a function was traced.

    parameters: their descriptions by name. objects: identities of parameters that are objects. function:
    which function object was handed to `jit`. transforms: what enclosed it.
    """

    parameters: dict[str, Any]
    objects: dict[str, int]
    function: int
    transforms: tuple[str, ...]


def reason(now: Signature, before: Sequence[Signature]) -> list[Row]:
    """The rows of the nearest one before: that with the fewest differences, the latest of these."""
    best: list[Row] | None = None
    for other in reversed(before):
        rows = _differences(other, now)
        if best is None or len(rows) < len(best):
            best = rows
            if not rows:
                break
    if best is None:
        return [FIRST]
    if best:
        return best[:MOST_ROWS]
    same = [other for other in before if not _differences(other, now)]
    if all(other.function != now.function for other in same):
        return [NEW_FUNCTION]
    nearest = [other for other in same if other.function == now.function]
    for other in reversed(nearest):
        changed = [name for name, which in now.objects.items() if other.objects.get(name, which) != which]
        if changed:
            return [_replaced(name, now.parameters.get(name, {"kind": "object"})) for name in changed]
    if all(other.transforms != now.transforms for other in nearest):
        return [("", "other transforms", " of ".join(nearest[-1].transforms), " of ".join(now.transforms))]
    return [NOT_KEPT]


def _replaced(name: str, described: Any) -> Row:
    what = "new function object" if described["kind"] == "function" else "static value"
    return (name, what, shown(described), "another one")


def _differences(old: Signature, new: Signature) -> list[Row]:
    rows: list[Row] = []
    for name in {**old.parameters, **new.parameters}:
        one, other = old.parameters.get(name), new.parameters.get(name)
        if one != other:
            rows += _of_argument(name, one, other)
    return rows


def _of_argument(name: str, old: Any, new: Any) -> list[Row]:
    if old is None or new is None:
        return [(name, "argument", shown(old), shown(new))]
    if old.get("leaves") is not None and new.get("leaves") is not None:
        if old.get("tree") != new.get("tree") or old.get("type") != new.get("type"):
            return [(name, "other tree", shown(old), shown(new))]
        rows: list[Row] = []
        for path, leaf in new["leaves"].items():
            other = old["leaves"].get(path)
            if other != leaf and other is not None:
                rows += _of_argument(name + path, other, leaf)
        return rows
    if old["kind"] != new["kind"] and {old["kind"], new["kind"]} <= {"static", "object", "function"}:
        return [(name, "static value", shown(old), shown(new))]
    if old["kind"] != new["kind"]:
        return [(name, "kind", shown(old), shown(new))]
    if "aval" in old and "aval" in new:
        return [(name, what, shown(old), shown(new)) for what in _of_avals(old, new)]
    if old["kind"] == "static":
        what = "static value" if old.get("type") == new.get("type") else "static type"
        return [(name, what, shown(old), shown(new))]
    if old["kind"] == "function":
        return [(name, "new function object", shown(old), shown(new))]
    return [(name, old["kind"], shown(old), shown(new))]


def _of_avals(old: Any, new: Any) -> list[str]:
    (dtype, _, shape), (dtype_now, _, shape_now) = old["aval"].partition("["), new["aval"].partition("[")
    found = []
    if shape != shape_now:
        found.append("shape")
    if dtype != dtype_now:
        found.append("dtype")
    if old.get("weak") != new.get("weak"):
        found.append("weak type")
    return found


def shown(described: Any) -> str:
    """A description as one text: `float32[3]`, `builtins.float#1f2e3d4c`."""
    if described is None:
        return ""
    if "leaves" in described:
        return f"{described.get('type', '')}#{described.get('tree', '')}"
    if described["kind"] == "function":
        return str(described.get("name", ""))
    if "aval" in described:
        return str(described["aval"]) + (" weak" if described.get("weak") else "")
    if described["kind"] == "static":
        return str(described.get("value") or f"{described.get('type')}#{described.get('hash')}")
    return str(described.get("type", described["kind"]))
