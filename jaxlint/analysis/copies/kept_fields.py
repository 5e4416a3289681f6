"""What a record that is put in the place of another one keeps of it.

In: what was there and what is there. Out: whether a read in a trace would find nothing else, as where the
fields that are read hold the same, or a container has the same places. It refuses to know who reads them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jaxlint.analysis.copies.module_changes import is_module
from jaxlint.analysis.writes import Write, is_same
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Function, Instance, Partial, Transformed
from jaxlint.domain.values import Array, Const, NumPyArray, Static, Unknown, Value
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import NONE, CallExpr, CompareExpr, Expr, IfStmt, UnaryExpr
from jaxlint.ir.replaced_fields import fields_read
from jaxlint.ir.walks import last_name, nodes_of, number_of

if TYPE_CHECKING:
    from jaxlint.analysis.function_context import TraceRead
    from jaxlint.ir.program import Code, Program

_CALLED = (Function, Bound, Partial, Transformed)
_NOT_CALLED = (Array, NumPyArray)


def is_unseen(write: Write, read: TraceRead) -> bool:
    """Whether a read in a trace would find nothing else after a write, or nothing that it could do with."""
    frame = read.frame
    return (
        _keeps_fields(write, read)
        or (write.before is None and is_module(write.after) and _reads_constants(write.after, read))
        or (isinstance(write.before, _CALLED) and isinstance(write.after, _NOT_CALLED))
        or sets_up(frame.code, read.nid, write.module.program, write.nid)
    )


def sets_up(code: Code, read: int, program: Program, write: int) -> bool:
    """Whether a write is made where the test that reads it has shown that it was not made yet, as `ready` of
    `if not self.ready: self.table = ...; self.ready = True`, there or by a function that is called there."""
    for statement in statements(code.body):
        if not isinstance(statement, IfStmt) or not _is_absent(statement.test, read):
            continue
        inside = nodes_of(statement.body)
        if any(number_of(each) == write for each in inside):
            return True
        called = {last_name(each.func) for each in inside if isinstance(each, CallExpr)}
        run = (each for each in program.codes if each.name in called)
        if any(number_of(node) == write for each in run for node in nodes_of(each.body)):
            return True
    return False


def _is_absent(test: Expr, read: int) -> bool:
    """Whether a test asks by a read whether something is false, or None."""
    if isinstance(test, UnaryExpr) and test.operator == "not":
        return number_of(test.operand) == read
    is_none = isinstance(test, CompareExpr) and test.rest == (("is", NONE),)
    return is_none and isinstance(test, CompareExpr) and number_of(test.left) == read


def _reads_constants(held: Value | None, read: TraceRead) -> bool:
    """Whether what is read of a module is no part of its state, as sizes are. Which attributes of
    a layer of flax are parameters is not known: all that are not called are taken for such."""
    found = fields_read(read.frame.code, read.frame.module.program, read.nid)
    fields, called = found or (frozenset(), frozenset())
    known = held.attributes if isinstance(held, Instance) else None
    is_constant = known is None or all(type(known.get(name)) in (Const, Static) for name in fields)
    return bool(fields) and not called and is_constant


def _keeps_fields(write: Write, read: TraceRead) -> bool:
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
