"""What a record that is put in the place of another one keeps of it.

In: what was there and what is there. Out: whether the fields that are read hold the same, or a container has
the same places. It refuses to know who reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.writes import Write, is_same
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Instance
from jaxlint.domain.values import Unknown, Value
from jaxlint.ir.replaced_fields import fields_read

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import TraceRead


def keeps_fields(write: Write, read: TraceRead) -> bool:
    """Whether the fields that are read are the same in the record that is put in the place of another one."""
    before, after = write.before, write.after
    if not isinstance(before, (Instance, Tuple)) or not isinstance(after, (Instance, Tuple)):
        return False
    found = fields_read(read.frame.code, read.frame.module.program, read.nid)
    fields, _ = found or (frozenset(), None)
    return bool(fields) and all(_is_kept(before, after, name) for name in fields)


def _is_kept(before: Instance | Tuple, after: Instance | Tuple, name: str) -> bool:
    """Whether two records hold the same in a field. Static fields of a pytree do where nothing is known of
    them: a function that gives the next state would be compiled anew each time."""
    one, other = _field(before, name), _field(after, name)
    if isinstance(one, Unknown) and isinstance(other, Unknown) and isinstance(after, Instance):
        _, is_static = after.cls.all_fields().get(name, (None, False))
        return is_static and after.cls.has_mark("pytree")
    return other is not None and is_same(one, other)


def _field(record: Instance | Tuple, name: str) -> Value | None:
    """What a field of a record holds; None where that is not known."""
    if isinstance(record, Instance):
        return record.attributes.get(name)
    if record.cls is None or record.items is None:
        return None
    names = [*record.cls.all_fields()]
    return record.items[names.index(name)] if name in names and len(names) == len(record.items) else None


def has_structure_of(before: Value, after: Value) -> bool:
    """Whether two tuples, or two containers of one kind, have the same places."""
    if isinstance(before, Tuple) and isinstance(after, Tuple):
        return before.items is not None and after.items is not None and len(before.items) == len(after.items)
    if not (isinstance(before, MutableContainer) and isinstance(after, MutableContainer)):
        return False
    if before.kind != after.kind or before.elem is not None or after.elem is not None:
        return False
    return before.entries.keys() == after.entries.keys() and len(before.items or ()) == len(after.items or ())
