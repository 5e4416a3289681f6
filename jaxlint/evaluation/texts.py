"""Strings that Python makes of values: the tracers that they show, and what objects say of themselves.

In: the values that an f-string, `str`, `%` or `format` shows. Out: a string, with the level of the tracers
that it certainly shows. It refuses to know how the text is put together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import Format
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.domain.join import Tuple, level_of, options_of
from jaxlint.domain.objects import Class, Instance
from jaxlint.domain.values import STR, Array, Text, TracerPytree, Value
from jaxlint.ir.nodes import AnnotatedStmt, CallExpr, ConstExpr, Expr
from jaxlint.ir.walks import last_name

SHOWS = ("__str__", "__repr__")  # the methods that Python asks for a text, the first that there is
FORMATS = ("__format__", *SHOWS)


def fields_shown(cls: Class) -> list[str]:
    """The fields that the text of a record of a class shows, as long as no method says it."""
    if cls.has_mark("equinox") or any(map(_is_silent, cls.code.decorators)):
        return []  # equinox shows the shapes of arrays
    hidden = {
        last_name(statement.target)
        for each in cls.lineage()
        for statement in each.code.body
        if isinstance(statement, AnnotatedStmt) and _is_silent(statement.value)
    }
    return [name for name in cls.all_fields() if name not in hidden]


def _is_silent(node: Expr | None) -> bool:
    """Whether a call says that a text is not to be made: `dataclass(repr=False)`, `field(repr=False)`."""
    return isinstance(node, CallExpr) and any(
        each.name == "repr" and each.value == ConstExpr(False) for each in node.keywords
    )


class Texts:
    """Makes strings of values."""

    def __init__(self, core: Core, interpreter: Interpreter) -> None:
        self.core = core
        self.flow = core.flow
        self.interpreter = interpreter

    def made_of(self, values: Iterable[Value], nid: int, methods: Sequence[str] = SHOWS) -> Value:
        """A string made of these."""
        level = 0
        for value in values:
            shown = self.shown(value, nid, methods)
            level |= shown.level if isinstance(shown, Text) else level_of(shown)
        return Text(level) if level else STR

    def takes(self, value: Value, spec: str | None, nid: int) -> bool:
        """Tells of a value that is formatted. False where that certainly raises, so that there is no text:
        a tracer takes no format spec."""
        self.core.emit("FormattedString", Format(nid, self.flow.frame, value, spec))
        return not spec or not all(
            isinstance(each, (Array, TracerPytree)) and level_of(each) for each in options_of(value)
        )

    def takes_all(
        self, template: str, args: Sequence[Value], keywords: Mapping[str, Value], nid: int
    ) -> bool:
        """Whether the values take the format specs of a template."""
        import string

        position, taken = 0, True
        try:
            parts = list(string.Formatter().parse(template))
        except ValueError:
            return True
        for _, field, spec, conversion in parts:
            if field is None:
                continue
            base = field.split(".")[0].split("[")[0]
            plain = base == field
            value: Value | None
            if base == "":
                value = args[position] if position < len(args) else None
                position += 1
            elif base.isdigit():
                value = args[int(base)] if int(base) < len(args) else None
            else:
                value = keywords.get(base)
            if value is not None and plain and conversion is None:
                taken = self.takes(value, spec or None, nid) and taken
        return taken

    def shown(self, value: Value, nid: int, methods: Sequence[str] = SHOWS) -> Value:
        """A value, or what a method of an object gives for its text: that is run where a trace is around."""
        has_text = type(value) is Instance or (isinstance(value, Tuple) and value.cls is not None)
        if isinstance(value, (Instance, Tuple)) and has_text and self.flow.context.depth:
            for name in methods:
                method = self.interpreter.attributes.special(value, name, nid)
                if method is not None:
                    args: list[Value] = [STR] if name == "__format__" else []
                    return self.interpreter.calls.call(method, args, {}, nid)
        return value
