"""What methods of texts give that are known, as Python itself says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from jaxlint.domain.join import Tuple
from jaxlint.domain.values import Const, Value
from jaxlint.ir.limits import REACHED, TEXTS

_ANSWERED = frozenset(
    "capitalize casefold endswith isidentifier lower lstrip partition removeprefix removesuffix replace "
    "rpartition rsplit rstrip split startswith strip title upper".split()
)

LISTING: Final = frozenset(("rsplit", "split", "splitlines"))
"""The methods of texts that give a new list."""


def answered(text: Value, name: str, args: Sequence[Value]) -> Value | None:
    """What a method of a text gives, with these arguments; None where one of them is not known."""
    if name not in _ANSWERED or not isinstance(text, Const) or not isinstance(text.value, str):
        return None
    given = [plain for each in args for plain in _plain(each)]
    if len(given) < len(args):
        return None
    if max(len(str(each)) for each in (text.value, *given)) > TEXTS.most:
        REACHED["texts"] += 1
        return None
    try:
        result = getattr(text.value, name)(*given)
    except (TypeError, ValueError):
        return None
    return Const(result) if isinstance(result, (bool, str)) else Tuple(tuple(map(Const, result)))


def _plain(value: Value) -> Iterator[object]:
    """The constant, or the tuple of constants, that an argument is; nothing where it is not known."""
    if isinstance(value, Const):
        yield value.value
    elif isinstance(value, Tuple) and value.items is not None:
        held = [each.value for each in value.items if isinstance(each, Const)]
        if len(held) == len(value.items):
            yield tuple(held)
