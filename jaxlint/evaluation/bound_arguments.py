"""What `inspect.signature(f).bind(...)` gives: the arguments of a call by the parameters that take them.

In: a function and the dict of its bound arguments, which the program may change. Out: the positional and the
keyword arguments of a call with them. Source: `args` and `kwargs` of `inspect.BoundArguments`.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.analysis.core import Core
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.values import UNKNOWN, Value
from jaxlint.ir.program import Param


def arguments_of(params: Sequence[Param], bound: MutableContainer, which: str, core: Core, nid: int) -> Value:
    """What an attribute of bound arguments is, with the parameters of the function in their order."""
    if which == "arguments":
        return bound
    args, keywords = _args_and_keywords(params, bound)
    if which == "args":
        return Tuple(None, UNKNOWN) if args is None else Tuple(tuple(args))
    if which != "kwargs":
        return UNKNOWN
    box = core.box("dict", nid, "kwargs")
    box.entries, box.elem = keywords, bound.elem
    return box


def _args_and_keywords(
    params: Sequence[Param], bound: MutableContainer
) -> tuple[list[Value] | None, dict[str, Value]]:
    """None for the positional ones where it is not known how many there are."""
    args: list[Value] | None = None if bound.elem is not None else []
    keywords: dict[str, Value] = {}
    is_positional = True
    for param in params:
        value = bound.entries.get(param.name)
        is_positional = is_positional and value is not None and param.kind in "pn*"
        if value is None:
            continue
        if param.kind == "**":
            keywords |= value.entries if isinstance(value, MutableContainer) else {}
        elif not is_positional:
            keywords[param.name] = value
        elif param.kind != "*":
            args = None if args is None else [*args, value]
        elif args is not None:
            items = value.items if isinstance(value, Tuple) else None
            args = None if items is None else [*args, *items]
    return args, keywords
