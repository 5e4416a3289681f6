"""Deep recursion has room, and returns from it what it gives or raises."""

from __future__ import annotations

import pytest

from jaxlint.source.deep_stack import RECURSION, with_room

_CALLS = 200


def _nested(depth: int) -> int:
    return 0 if depth == 0 else 1 + _nested(depth - 1)


def _called(first: object = None, second: object = None, third: object = None) -> list[object]:
    return [first, second, third]


def _mapped_at(depth: int) -> int:
    """The pages that the system maps while a function is called again and again below so many frames."""
    resource = pytest.importorskip("resource", reason="Windows does not count pages")
    if depth:
        return _mapped_at(depth - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(_CALLS):
        _called()
    mapped: int = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    return mapped


def test_recursion_goes_deep() -> None:
    depth = RECURSION - 1_000
    assert with_room(lambda: _nested(depth)) == depth


def test_error_is_raised_where_the_work_was_asked_for() -> None:
    with pytest.raises(ZeroDivisionError):
        with_room(lambda: 1 // 0)


def test_no_depth_of_calls_maps_memory_at_each_of_them() -> None:
    assert with_room(lambda: max(map(_mapped_at, range(400)))) < _CALLS
