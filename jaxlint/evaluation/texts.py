"""Strings that Python makes of values: the tracers that they show, and what objects say of themselves.

In: the values that an f-string, `str`, `%` or `format` shows. Out: a string, with the level of the tracers
that it certainly shows. It refuses to know how the text is put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.join import level_of
from jaxlint.domain.objects import Instance
from jaxlint.domain.values import STR, Text, Value

SHOWS = ("__str__", "__repr__")  # the methods that Python asks for a text, the first that there is
FORMATS = ("__format__", *SHOWS)


class Texts:
    """Makes strings of values."""

    def __init__(self, flow: FlowState, interpreter: Interpreter) -> None:
        self.flow = flow
        self.interpreter = interpreter

    def made_of(self, values: Iterable[Value], nid: int, methods: Sequence[str] = SHOWS) -> Value:
        """A string made of these."""
        level = 0
        for value in values:
            shown = self.shown(value, nid, methods)
            level |= shown.level if isinstance(shown, Text) else level_of(shown)
        return Text(level) if level else STR

    def shown(self, value: Value, nid: int, methods: Sequence[str] = SHOWS) -> Value:
        """A value, or what a method of an object gives for its text: that is run where a trace is around."""
        if type(value) is Instance and self.flow.context.depth:
            for name in methods:
                method = self.interpreter.attributes.special(value, name, nid)
                if method is not None:
                    args: list[Value] = [STR] if name == "__format__" else []
                    return self.interpreter.calls.call(method, args, {}, nid)
        return value
