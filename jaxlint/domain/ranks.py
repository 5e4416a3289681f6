"""The order of values among the options of another one: by kind and text, never by arrival.

In: values. Out: their ranks. Values without a text have the rank of their kind.
"""

from __future__ import annotations

from jaxlint.domain.objects import Bound, Class, Function, Imported, Instance, Partial, Transformed
from jaxlint.domain.values import Const, External, Product, Value


def rank_of(value: Value) -> tuple[str | int, ...]:
    """The place of a value among the options of another one."""
    kind = type(value).__name__
    if isinstance(value, Const):
        return kind, type(value.value).__name__, repr(value.value)
    if isinstance(value, (Function, Class)):
        return kind, value.module.path, value.code.nid
    if isinstance(value, Bound):
        return (kind, *rank_of(value.func), *rank_of(value.owner))
    if isinstance(value, Partial):
        return (kind, *rank_of(value.func), *(part for each in value.args for part in rank_of(each)))
    if isinstance(value, Imported):
        return kind, value.module.path
    if isinstance(value, Transformed):
        options = [part for name, each in value.options for part in (name, *rank_of(each))]
        return (kind, value.place[0].path, value.place[1], value.kind, *rank_of(value.func), *options)
    if isinstance(value, External):
        return kind, value.name, value.spelled
    if isinstance(value, Instance):
        return kind, value.cls.module.path, value.cls.code.nid
    if isinstance(value, Product):
        return kind, value.kind, *(part for each in value.parts for part in _of_part(each))
    return (kind,)


def _of_part(part: object) -> tuple[str | int, ...]:
    if isinstance(part, tuple):
        return tuple([rank for each in part for rank in _of_part(each)])
    return rank_of(part) if isinstance(part, Value) else ()
