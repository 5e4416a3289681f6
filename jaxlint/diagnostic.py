"""What is reported, as frozen plain data.

In: the values a rule or the tool itself states. Out: `Diagnostic` and its parts, with an order that does
not depend on hashing and a JSON form (keys as Ruff's) that can be read back. Knows nothing of rules, of
syntax trees, or of how anything is shown or applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias, cast

Applicability: TypeAlias = Literal["safe", "unsafe", "displayonly"]
APPLICABILITIES: tuple[Applicability, ...] = ("safe", "unsafe", "displayonly")


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    @property
    def rank(self) -> int:
        """0 for info, 1 for warning, 2 for error."""
        return _RANKS[self.value]

    def at_least(self, other: Severity) -> bool:
        return self.rank >= other.rank


_RANKS = {"info": 0, "warning": 1, "error": 2}


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text: rows and columns count from 1, a column counts characters, the end is exclusive."""

    row: int
    column: int
    end_row: int
    end_column: int

    @property
    def start(self) -> tuple[int, int]:
        return self.row, self.column

    @property
    def end(self) -> tuple[int, int]:
        return self.end_row, self.end_column

    def to_json(self) -> dict[str, Any]:
        return {
            "location": {"row": self.row, "column": self.column},
            "end_location": {"row": self.end_row, "column": self.end_column},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Span:
        start = data["location"]
        end = data.get("end_location", start)
        return cls(start["row"], start["column"], end["row"], end["column"])


@dataclass(frozen=True, slots=True)
class Note:
    """A reason with a place, maybe in a notebook's cell: one link of the chain that explains a diagnostic."""

    filename: str
    span: Span
    message: str
    cell: int | None = None

    def to_json(self) -> dict[str, Any]:
        location = {"row": self.span.row, "column": self.span.column}
        row = {"filename": self.filename, "location": location, "message": self.message}
        return row if self.cell is None else {**row, "cell": self.cell}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Note:
        return cls(data["filename"], Span.from_json(data), data["message"], data.get("cell"))


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the text at `span` by `content`; an empty span inserts. `cell` is that of a notebook."""

    span: Span
    content: str
    cell: int | None = None

    def to_json(self) -> dict[str, Any]:
        row = {"content": self.content, **self.span.to_json()}
        return row if self.cell is None else {**row, "cell": self.cell}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Edit:
        return cls(Span.from_json(data), data["content"], data.get("cell"))


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that are applied all together or not at all."""

    applicability: Applicability
    message: str
    edits: tuple[Edit, ...]

    @property
    def span(self) -> Span | None:
        """From the start of the first edit to the end of the last; None without edits."""
        if not self.edits:
            return None
        start = min(edit.span.start for edit in self.edits)
        end = max(edit.span.end for edit in self.edits)
        return Span(*start, *end)

    def to_json(self) -> dict[str, Any]:
        return {
            "applicability": self.applicability,
            "message": self.message,
            "edits": [edit.to_json() for edit in self.edits],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Fix:
        applicability = data["applicability"]
        if applicability not in APPLICABILITIES:
            raise ValueError(f"unknown applicability: {applicability!r}")
        edits = tuple(Edit.from_json(edit) for edit in data["edits"])
        return cls(cast(Applicability, applicability), data["message"], edits)


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One reported finding.

    `filename` is absolute; `label` is the short text under the caret in the format `full`; `noqa_row` is the
    row where an ignore comment would go, 0 while it is not known; `cell` counts a notebook's code cells from
    1; `observed` says whether its line ran, as runs showed it, None where nothing is known; `trace` is the
    traceback of an internal error, which no format shows.
    """

    filename: str
    span: Span
    code: str
    name: str
    severity: Severity
    message: str
    help: str | None = None
    fix: Fix | None = None
    related: tuple[Note, ...] = ()
    cell: int | None = None
    noqa_row: int = 0
    url: str | None = None
    label: str | None = None
    observed: bool | None = None
    trace: str | None = field(default=None, compare=False, repr=False)

    def sort_key(self) -> tuple[str, int, int, int, str, str, int, int]:
        return (
            self.filename,
            self.cell or 0,
            self.span.row,
            self.span.column,
            self.code,
            self.message,
            self.span.end_row,
            self.span.end_column,
        )

    def to_json(self) -> dict[str, Any]:
        row = {
            "code": self.code,
            "name": self.name,
            "severity": self.severity.value,
            "message": self.message,
            "help": self.help,
            "filename": self.filename,
            "cell": self.cell,
            **self.span.to_json(),
            "fix": None if self.fix is None else self.fix.to_json(),
            "related": [note.to_json() for note in self.related],
            "noqa_row": self.noqa_row or self.span.row,
            "url": self.url,
        }
        return row if self.observed is None else {**row, "observed": self.observed}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Diagnostic:
        """Read back `to_json`; what JSON does not carry (`label`, where a note ends) is left empty."""
        fix = data.get("fix")
        return cls(
            filename=data["filename"],
            span=Span.from_json(data),
            code=data["code"],
            name=data["name"],
            severity=Severity(data["severity"]),
            message=data["message"],
            help=data.get("help"),
            fix=None if fix is None else Fix.from_json(fix),
            related=tuple(Note.from_json(note) for note in data.get("related", ())),
            cell=data.get("cell"),
            noqa_row=data.get("noqa_row") or 0,
            url=data.get("url"),
            observed=data.get("observed"),
        )
