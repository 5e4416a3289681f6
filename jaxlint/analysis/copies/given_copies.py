"""What a function gives back that is called in many ways, where it gives back a copy of a record that it is
given.

In: the call's arguments, and what is known of the result in general. Out: the result, with an object of the
record's class, of which nothing else is known, in the place of what is not known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from jaxlint.analysis.copies.record_copies import METHODS, copied_by
from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.domain.join import Tuple
from jaxlint.domain.objects import Class, Function, Instance
from jaxlint.domain.values import UNKNOWN, TracerPytree, Unknown, Value


def with_copies(flow: FlowState, core: Core, func: Function, given: Vars, result: Value, nid: int) -> Value:
    """The result of a call, by its number."""
    if not any(isinstance(each, (Instance, Tuple)) for each in given.values()):
        return result
    copied = copied_by(func.code)
    record = None if copied is None else _copy_of(flow, core, given[copied.param], nid)
    if copied is None or record is None:
        return result
    if type(result) is Unknown:
        return UNKNOWN if copied.places else record
    if isinstance(result, Tuple) and result.items is not None and result.cls is None:
        items = [
            record if at in copied.places and type(each) is Unknown else each
            for at, each in enumerate(result.items)
        ]
        return Tuple(tuple(items))
    return result


def _copy_of(flow: FlowState, core: Core, given: Value, nid: int) -> Value | None:
    """An object of the class of a record; None of what is no record."""
    if isinstance(given, Tuple):
        return (
            None
            if given.cls is None
            else Tuple(tuple([UNKNOWN for _ in given.cls.all_fields()]), cls=given.cls)
        )
    if not isinstance(given, Instance) or not given.cls.has_mark("dataclass"):
        return None
    if any(given.cls.lookup(name) is not None for name in METHODS):
        return None  # methods of the project, which may do something else
    return _any_of_class(flow, core, given.cls, nid)


def arguments_in(
    flow: FlowState, core: Core, options: Sequence[Value], stands: Mapping[Instance, Value], nid: int
) -> list[Value]:
    """What a call, by its number, may give back, with its own arguments in the place of what stands for them
    in the callee. Of an argument of which nothing is known the class is, where the callee may give back
    another object of it instead."""
    found = []
    for each in options:
        value = stands.get(each, each) if isinstance(each, Instance) else each
        is_vague = type(value) is Unknown or (isinstance(value, TracerPytree) and not value.level)
        if isinstance(each, Instance) and is_vague:
            others = [other for other in options if isinstance(other, Instance) and other is not each]
            if any(other.cls is each.cls for other in others):
                value = _any_of_class(flow, core, each.cls, nid)
        found.append(value)
    return found


def _any_of_class(flow: FlowState, core: Core, cls: Class, nid: int) -> Instance:
    key = ("given back", nid, id(cls))
    found = flow.frame.heap.get(key)
    copy = found if isinstance(found, Instance) else Instance(cls, flow.context.depth, True)
    copy.many = True
    return core.keep(key, copy)
