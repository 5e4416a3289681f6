"""Programs as bytes, and back.

In: a `Program`, or bytes. Out: the other. The bytes are JSON behind a digest of it, so that reading them runs
nothing and damage is seen. Lists stand for tuples, of which alone a program is made; an object stands for a
constant that JSON lacks.
"""

from __future__ import annotations

import json
import sys
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from jaxlint.ir.program import ClassCode, Code, Import, Param, Program, Stmt

_SEAL = 16
_LENGTH = 4
_CODE = attrgetter(*Code.__slots__)
_CLASS = attrgetter(*ClassCode.__slots__)
_PARAM = attrgetter(*Param.__slots__)
_SETS = ("bound", "global_names", "nonlocal_names")
_SET_PLACES = tuple(Code.__slots__.index(name) for name in _SETS)
_PARAMS_PLACE = Code.__slots__.index("params")
_BODY_PLACE = Code.__slots__.index("body")
_BODY: Any = Code.__dict__["body"]
_intern = sys.intern


def sealed(value: Any) -> bytes:
    """The bytes of a value of JSON types and programs; none where a constant in it cannot be written."""
    try:
        written = json.dumps(value, default=_plain, separators=(",", ":"))
    except (ValueError, RecursionError):
        return b""
    del value  # it may be large, and nobody else's
    text = written.encode("ascii")
    del written
    return blake2b(text, digest_size=_SEAL).digest() + text


def joined(head: bytes, body: bytes) -> bytes:
    """Two records as one; none where either is none."""
    return len(head).to_bytes(_LENGTH, "big") + head + body if head and body else b""


def parted(record: bytes) -> tuple[bytes, bytes]:
    """The two records of one. Of a damaged record at least one is damaged."""
    end = _LENGTH + int.from_bytes(record[:_LENGTH], "big")
    return record[_LENGTH:end], record[end:]


def opened(record: bytes) -> Any:
    """The value of a record; None where it is damaged."""
    text = record[_SEAL:]
    if blake2b(text, digest_size=_SEAL).digest() != record[:_SEAL]:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def imports(rows: list[Any]) -> dict[Import, None]:
    return {(module, level, None if names is None else tuple(names)): None for module, level, names in rows}


def program(row: list[Any], imported: dict[Import, None]) -> Program:
    """The program of a row that `sealed` wrote and `opened` read, but for its imports."""
    codes, classes, tops, methods, targets, size = row
    return Program(
        [_code(each) for each in codes],
        [ClassCode(*_tuple(each)) for each in classes],
        [(number, kind, last) for number, kind, last in tops],
        [(first, behind, row, last) for first, behind, row, last in methods],
        {_intern(name) for name in targets},
        size,
        imported,
    )


def _plain(value: Any) -> Any:
    """What `json` cannot write, in what it can."""
    if isinstance(value, Param):
        return _PARAM(value)
    if isinstance(value, Code):
        return _CODE(value)
    if isinstance(value, ClassCode):
        return _CLASS(value)
    if isinstance(value, Program):
        return value.codes, value.classes, value.tops, value.methods, value.targets, value.size
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    if value is ...:
        return {"...": None}
    raise ValueError(type(value))


class _Kept(Code):
    """A function from a record, whose body is read when it is asked for: most are not after a change."""

    __slots__ = ("_row",)

    _row: list[Any] | None

    @property
    def body(self) -> tuple[Stmt, ...]:
        if self._row is not None:
            _BODY.__set__(self, _tuple(self._row))
            self._row = None
        found: tuple[Stmt, ...] = _BODY.__get__(self)
        return found

    @body.setter
    def body(self, row: Any) -> None:
        self._row = row


def _code(row: list[Any]) -> Code:
    body, row[_BODY_PLACE] = row[_BODY_PLACE], []
    values = list(_tuple(row))
    values[_PARAMS_PLACE] = tuple([Param(*each) for each in values[_PARAMS_PLACE]])
    for place in _SET_PLACES:
        values[place] = frozenset(values[place])
    values[_BODY_PLACE] = body
    return _Kept(*values)


def _tuple(row: list[Any]) -> tuple[Any, ...]:
    return tuple(
        [
            _tuple(each)
            if type(each) is list
            else _intern(each)
            if type(each) is str
            else _constant(each)
            if type(each) is dict
            else each
            for each in row
        ]
    )


def _constant(tagged: dict[str, Any]) -> Any:
    ((kind, value),) = tagged.items()
    if kind == "complex":
        return complex(*value)
    return value.encode("latin-1") if kind == "bytes" else ...
