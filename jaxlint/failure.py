"""What went wrong in jaxlint itself, and where: it is reported there, and everything else goes on.

In: an exception, with what was being worked on. Out: `Failure`, plain data with a line for the report and the
traceback for `-v`. It refuses to know who reports it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from jaxlint.diagnostic import Diagnostic, Severity, Span

CODE = "JAX003"
START = Span(1, 1, 1, 1)

MOST = 100
"""Failures in one analysis, beyond which a statement's failure ends its task."""

MESSAGE = 90
"""Characters that a message may have."""


@dataclass(frozen=True, slots=True)
class Failure:
    """path: of the file. number: of the node, where it is known. rule: the code of the rule that failed,
    empty where the analysis itself did."""

    path: str
    number: int | None
    rule: str
    what: str
    trace: str = field(default="", compare=False)

    @classmethod
    def of(cls, error: BaseException, path: str, number: int | None = None, rule: str = "") -> Failure:
        return cls(path, number, rule, in_a_line(error), trace_of(error))

    def diagnostic(self, span: Span = START, message: str | None = None) -> Diagnostic:
        said = self.message if message is None else cut(message)
        return Diagnostic(
            self.path, span, CODE, "internal-error", Severity.ERROR, said, trace=self.trace or None
        )

    @property
    def message(self) -> str:
        place = "on this file" if self.number is None else "here"
        who = f"rule {self.rule}" if self.rule else "jaxlint"
        return cut(f"{who} failed {place}: {self.what}")


def in_a_line(error: BaseException) -> str:
    """`ValueError: what it says`, of which the first line."""
    try:
        said = str(error).strip().splitlines()
    except Exception:
        said = []
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__


def trace_of(error: BaseException) -> str:
    import traceback

    return "".join(traceback.format_exception(error))


def cut(text: str) -> str:
    """A message of a length that fits."""
    text = re.sub(r"\s+", " ", text)
    return text if len(text) <= MESSAGE else f"{text[: MESSAGE - 3]}..."
