"""One of many values, of which dictionaries with the same keys are records; containers that stay empty.

In: the values that a container holds. Out: what is known of one of them. It is not part of the join, since it
makes a container, which has an identity.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import Core
from jaxlint.domain.join import MutableContainer, join_all
from jaxlint.domain.questions import are_records
from jaxlint.domain.values import UNKNOWN, Unknown, Value
from jaxlint.ir.limits import OPTIONS


def any_record(core: Core, values: Sequence[Value], nid: int) -> Value:
    """One of some values. Of more records than are told apart it is known what each of their keys holds; what
    is stored in one of them is not.

    Args:
        nid: The number of the expression that takes one.
    """
    joined = join_all(values)
    if type(joined) is not Unknown or len(values) <= OPTIONS.most:
        return core.fresh_copy(joined)
    if not are_records(values):
        return UNKNOWN
    found = core.box("dict", nid, "any of")
    found.entries = {name: join_all([each.entries[name] for each in values]) for name in values[0].entries}
    return found


def stays_empty(core: Core, value: Value) -> bool:
    """Whether nothing is ever put into a container, which an attribute holds until it holds another."""
    if not isinstance(value, MutableContainer) or value.home is None or not value.is_empty():
        return False
    return core.is_only_replaced(value.home[1])


def kept_in(box: MutableContainer, value: Value) -> Value:
    """What a container keeps lives as long as it does."""
    if isinstance(value, MutableContainer):
        value.depth = min(value.depth, box.depth)
    return value


def told_apart(core: Core, value: Value) -> Value:
    """What an item is that is read once: where nothing is known of it, tests show something of this one."""
    return Unknown(core.fresh()) if value == UNKNOWN else value
