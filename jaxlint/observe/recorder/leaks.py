"""Tracers that outlived their trace and are kept somewhere, by what refers to them.

In: weak references to traces that are over, at the end; or the tracers that JAX's own check has found. Out:
places at which the leaked tracers were made. What only a frame or JAX itself refers to is no leak at the end.
"""

from __future__ import annotations

import gc
import sys
import time
from types import FrameType, ModuleType
from typing import Any

from .project import PROJECT, Files

MOST = 20
SECONDS = 2.0
"""Of the processor, for the search at the end, which goes through all objects for each tracer."""


def leaks(
    open_traces: list[tuple[Any, str, int]], files: Files, tracer_type: type, seconds: float = SECONDS
) -> tuple[list[tuple[str, int, str]], bool]:
    """File, row and what keeps it, of each tracer that is kept; whether all were looked at."""
    found: list[tuple[str, int, str]] = []
    if all(reference() is None for reference, _, _ in open_traces):
        return found, True
    gc.collect()
    end = time.process_time() + seconds
    for reference, path, row in open_traces:
        target = reference()
        if target is None:
            continue
        if time.process_time() >= end:
            return found, False
        for tracer in _tracers(target, tracer_type)[:MOST]:
            if time.process_time() >= end:
                return found, False
            keeper = _keeper(tracer)
            if keeper:
                place = _made_at(tracer, files) or (path, row)
                found.append((place[0], place[1], keeper))
        if len(found) >= MOST:
            return found, False
    return found, True


def checked(tracers: list[Any], files: Files) -> list[tuple[tuple[str, int] | None, str]]:
    """Where the tracers that JAX's check has found were made, and what keeps them: those that something of
    the program keeps, which keep the others. Where there are none, one of them, and nothing."""
    found = [(_made_at(each, files), _keeper(each, tracers)) for each in tracers[:MOST]]
    return [each for each in found if each[1]] or found[:1]


def _tracers(target: Any, tracer_type: type) -> list[Any]:
    """The tracers of a trace. JAX before 0.4.36 has an object between."""
    found = []
    for each in gc.get_referrers(target):
        if isinstance(each, tracer_type):
            found.append(each)
        elif type(each).__name__ == "DynamicJaxprTrace":
            found += [inner for inner in gc.get_referrers(each) if isinstance(inner, tracer_type)]
    return found


def _keeper(tracer: Any, besides: object = None) -> str:
    """What refers to a tracer: a global, an attribute, a container. Empty where nothing of the program
    does. besides: a container that does not count."""
    for each in gc.get_referrers(tracer):
        if each is besides:
            continue
        if isinstance(each, dict):
            name = next((key for key, value in list(each.items()) if value is tracer), None)
            if name is None or not isinstance(name, str):
                return "a dict"
            if "__name__" in each and each is getattr(sys.modules.get(each["__name__"]), "__dict__", None):
                return f"global `{name}`"
            owner = _owner(each)
            if owner is None:
                continue
            return f"attribute `{name}` of `{owner}`" if owner else "a dict"
        if isinstance(each, (FrameType, ModuleType)):
            continue
        kind = type(each)
        if kind.__module__.split(".")[0] in ("jax", "jaxlib"):
            continue
        if isinstance(each, (list, set)) and _is_kept(each):
            return f"a {kind.__name__}"
        attributes = getattr(each, "__dict__", None)
        if isinstance(attributes, dict) and not isinstance(each, type(len)):
            name = next((key for key, value in attributes.items() if value is tracer), None)
            if name is not None:
                return f"attribute `{name}` of `{kind.__qualname__}`"
    return ""


def _owner(attributes: dict[str, Any]) -> str | None:
    """The type whose instance has these attributes; empty for a plain dictionary, None for one of a frame or
    of JAX."""
    for each in gc.get_referrers(attributes):
        if isinstance(each, FrameType):
            continue
        if getattr(each, "__dict__", None) is attributes:
            return (
                None if type(each).__module__.split(".")[0] in ("jax", "jaxlib") else type(each).__qualname__
            )
    return "" if _is_kept(attributes) else None


def _is_kept(container: Any) -> bool:
    """Whether a container is referred to by an object of the program, and not by frames and this module
    alone."""
    for each in gc.get_referrers(container):
        if isinstance(each, dict) or type(each).__module__ not in ("builtins", __name__):
            top = type(each).__module__.split(".")[0]
            if top not in ("jax", "jaxlib", "_pytest"):
                return True
    return False


def _made_at(tracer: Any, files: Files) -> tuple[str, int] | None:
    info = getattr(tracer, "_line_info", None) or getattr(tracer, "_source_info", None)
    traceback = getattr(info, "traceback", None)
    for frame in getattr(traceback, "frames", None) or ():
        if files[frame.file_name] == PROJECT:
            return frame.file_name, frame.line_num
    return None
