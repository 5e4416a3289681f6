"""Facts files for tests: what a run would have shown of the functions of a folder.

In: a folder, and for functions by their keys the ways in which they were entered. Out: a facts file, with the
fingerprints of the functions as they are now.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from jaxlint.observe.facts import Entry, Event, Facts, Function, Parameter, encoded, split_key
from jaxlint.observe.fingerprint import fingerprint, functions_of

X = Parameter("tracer", aval="float32[3]")
FLOAT = Parameter("static", type="builtins.float")
ARRAY = Parameter("array", aval="float32[3]")


def entry(*transforms: str, caller: str = "", count: int = 1, **parameters: Parameter) -> Entry:
    """One way to enter a function; staged where there is a transform but those that only map or differentiate."""
    staged = any(name not in ("jax.vmap", "jax.grad") for name in transforms)
    return Entry(transforms, count, staged, caller, dict(parameters))


def facts_of(
    root: Path,
    entries: Mapping[str, Sequence[Entry]],
    lines: Mapping[str, Sequence[int]] | None = None,
    events: Sequence[Event] = (),
) -> Facts:
    """Facts of functions. lines: the rows that ran, from that of `def`."""
    known: dict[str, Function] = {}
    for key, ways in entries.items():
        path, name = split_key(key)
        tree = ast.parse((root / path).read_text(encoding="utf-8"))
        node = next(each.node for each in functions_of(tree) if each.name == name)
        calls = sum(each.count for each in ways)
        ran = [*(lines or {}).get(key, ())]
        known[key] = Function(fingerprint(node), calls, ran, [*ways])
    return Facts(functions=known, events=[*events])


def write(root: Path, entries: Mapping[str, Sequence[Entry]], name: str = "facts.json", **rest: Any) -> str:
    """Writes facts of functions below a folder; gives the name of the file."""
    (root / name).write_bytes(encoded(facts_of(root, entries, **rest)))
    return name


def changed(facts: Facts, **fields: Any) -> Facts:
    return msgspec.structs.replace(facts, **fields)
