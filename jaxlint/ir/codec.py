"""Programs as bytes, and back.

In: an `Outcome` of parsing. Out: a record: MessagePack behind a digest of it, so that reading it runs nothing
and damage is seen. What a file imports is a part of its own, which is read without the rest.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from types import EllipsisType
from typing import Any

from msgspec import MsgspecError, Struct, ValidationError
from msgspec.msgpack import Decoder, Encoder, Ext
from msgspec.structs import astuple

from jaxlint.ir.program import Lead, Outcome, Program, Refusal

_SEAL = 16  # bytes of a digest
_LENGTH = 4  # bytes that say how long the first part is
_COMPLEX, _ELLIPSIS, _LARGE, _TEXT = 1, 2, 3, 4  # what MessagePack lacks
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1  # whole numbers that it has


def lead_to(outcome: Outcome) -> Lead:
    """What is known of an outcome before it is looked into."""
    return Lead(False, outcome.imports) if isinstance(outcome, Program) else Lead(True, ())


def record_of(outcome: Outcome) -> bytes:
    """What is kept of an outcome; no bytes where jaxlint itself failed, for it may succeed next time."""
    if isinstance(outcome, Refusal) and outcome.trace:
        return b""
    try:
        head, body = _sealed(lead_to(outcome)), _sealed(outcome)
    except (MsgspecError, RecursionError, ValueError):
        return b""
    return len(head).to_bytes(_LENGTH, "big") + head + body


def lead_of(record: bytes | None) -> Lead | None:
    """What a record says of the file's imports; None where it is damaged."""
    return None if record is None else _opened(_parted(record)[0], _leads())


def outcome_of(record: bytes | None) -> Outcome | None:
    """What a record says; None where it is damaged."""
    return None if record is None else _opened(_parted(record)[1], _outcomes())


def _parted(record: bytes) -> tuple[bytes, bytes]:
    """The parts of a record. Of a damaged one at least one is damaged."""
    end = _LENGTH + int.from_bytes(record[:_LENGTH], "big")
    return record[_LENGTH:end], record[end:]


def _sealed(value: Lead | Outcome) -> bytes:
    try:
        data = _ENCODER.encode(value)
    except (OverflowError, UnicodeError):  # a number or a text that MessagePack lacks
        data = _ENCODER.encode(_portable(value))
    return blake2b(data, digest_size=_SEAL).digest() + data


def _opened(part: bytes, decoder: Decoder[Any]) -> Any:
    data = memoryview(part)[_SEAL:]
    if blake2b(data, digest_size=_SEAL).digest() != part[:_SEAL]:
        return None
    try:
        return decoder.decode(data)
    except (MsgspecError, ValueError, RecursionError):  # written by something else
        return None


def _portable(value: object) -> object:
    """A value as `_ENCODER` writes it, with extensions for the numbers and texts that MessagePack lacks."""
    if isinstance(value, Struct):
        tag = value.__struct_config__.tag
        fields = [_portable(each) for each in astuple(value)]
        return fields if tag is None else [tag, *fields]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_portable(each) for each in value]
    if type(value) is int and not _SMALLEST <= value <= _LARGEST:
        return Ext(_LARGE, hex(value).encode("ascii"))
    if type(value) is str and not _is_unicode(value):
        return Ext(_TEXT, value.encode("utf-8", "surrogatepass"))
    return value


def _is_unicode(text: str) -> bool:
    """Whether a text has no halves of characters."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _extended(value: object) -> Ext:
    if isinstance(value, complex):
        return Ext(_COMPLEX, f"{value.real!r} {value.imag!r}".encode("ascii"))
    if isinstance(value, EllipsisType):
        return Ext(_ELLIPSIS, b"")
    raise ValidationError(str(type(value)))


def _constant(kind: int, data: memoryview) -> complex | int | str | EllipsisType:
    if kind == _LARGE:
        return int(bytes(data), 16)
    if kind == _TEXT:
        return str(data, "utf-8", "surrogatepass")
    if kind == _COMPLEX:
        real, imaginary = bytes(data).split()
        return complex(float(real), float(imaginary))
    return ...


_ENCODER = Encoder(enc_hook=_extended, order="deterministic")


@cache  # a run without a cache needs none, and the types of nodes take a while to be looked through
def _leads() -> Decoder[Lead]:
    return Decoder(Lead)


@cache
def _outcomes() -> Decoder[Outcome]:
    return Decoder(Program | Refusal, ext_hook=_constant)
