"""Known findings of a project: they are listed in a file, and what is in it is not reported.

In: diagnostics with the texts of their files, and the list. Out: the diagnostics that the list does not have,
and the entries that nothing matches any more; or a list of the diagnostics. An entry names a finding by its
file, rule, enclosing function or class and line of code, never by the number of the line: it stays where code
is moved, or edited elsewhere in the function, and where the file gets another name.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from jaxlint.diagnostic import Diagnostic
from jaxlint.project.option import SettingsError
from jaxlint.source.comments import read_layout
from jaxlint.source.regular_files import SETTINGS, read_regular
from jaxlint.source.text import NEWLINE

VERSION = 1
_HEADER = "jaxlint-baseline"
_NAMED = re.compile(r"\s*(?:async\s+)?(?:def|class)\s+(\w+)")
_MARKERS = ("<<<<<<<", "=======", ">>>>>>>", "|||||||")


class Entry(NamedTuple):
    """What a finding is known by.

    path: from the folder of the list, with slashes. scope: the qualified name of the innermost function or
    class around the finding; empty in the module's body. line: the code of its first row, with single spaces.
    """

    path: str
    rule: str
    scope: str
    line: str


Judged: TypeAlias = Callable[[Entry, str], bool]
"""Whether a run would have found what an entry names, by the absolute path of its file."""


@dataclass
class Baseline:
    """The known findings of one file.

    path: absolute, of the list. counts: how often there is a finding with all that an entry names.
    """

    path: str
    counts: Counter[Entry] = field(default_factory=Counter)

    @property
    def folder(self) -> str:
        return os.path.realpath(os.path.dirname(self.path))

    # ---- reading and writing

    @classmethod
    def read(cls, path: str) -> Baseline:
        """
        Raises:
            SettingsError: the file cannot be read, is no list of known findings, or a newer jaxlint wrote it.
        """
        shown = f"baseline `{os.path.relpath(path)}`"
        try:
            text = read_regular(path, SETTINGS).decode("utf-8-sig")
        except FileNotFoundError:
            raise SettingsError(f"{shown}: no such file; --write-baseline makes it") from None
        except OSError as error:
            raise SettingsError(f"{shown}: {error.strerror or error}") from None
        except ValueError as error:  # a name with a NUL
            if not isinstance(error, UnicodeDecodeError):
                raise SettingsError(f"{shown}: {error}") from None
            raise SettingsError(f"{shown}: not UTF-8") from None
        found = cls(os.path.abspath(path))
        rows = [(number, row) for number, row in enumerate(text.split("\n"), 1) if row.strip()]
        for number, row in rows:
            if row.startswith(_MARKERS):
                raise SettingsError(f"{shown}, line {number}: a merge conflict is left in it")
        version = _version(rows[0][1]) if rows else None
        if version is None:
            raise SettingsError(f"{shown}: not a baseline of jaxlint")
        if version > VERSION:
            raise SettingsError(f"{shown}: a newer jaxlint wrote it (format {version})")
        for number, row in rows[1:]:
            entry, count = _read(row)
            if entry is None:
                raise SettingsError(f"{shown}, line {number}: not an entry")
            found.counts[entry] += count
        return found

    def text(self) -> str:
        """One entry a line, in their order: changes of different findings merge."""
        rows = [json.dumps({_HEADER: VERSION})]
        for entry, count in sorted(self.counts.items()):
            row: dict[str, Any] = entry._asdict()
            rows.append(json.dumps({**row, "count": count} if count > 1 else row, ensure_ascii=False))
        return "\n".join(rows) + "\n"

    # ---- matching

    def entries(self, diagnostics: Iterable[Diagnostic], page_of: Callable[[str], Page]) -> list[Entry]:
        """The entry of each diagnostic. `page_of`: what is in a file, by its path."""
        pages: dict[str, Page] = {}
        found = []
        for each in diagnostics:
            page = pages.get(each.filename)
            if page is None:
                page = pages[each.filename] = page_of(each.filename)
            row = each.span.row
            found.append(Entry(self._name_of(each.filename), each.code, page.scope(row), page.line(row)))
        return found

    def match(
        self,
        diagnostics: Sequence[Diagnostic],
        page_of: Callable[[str], Page],
        judged: Judged,
    ) -> tuple[tuple[Diagnostic, ...], int, tuple[Entry, ...]]:
        """The diagnostics that the list does not have, how many it has, and the entries that are stale.

        Args:
            diagnostics: Of one project, in order: of several with one entry the first ones are known.
            judged: Where the run would have found it and has not, an entry is stale.
        """
        left = Counter(self.counts)
        entries = self.entries(diagnostics, page_of)
        is_known = [_take(left, entry) for entry in entries]
        moved: dict[tuple[str, str, str], list[Entry]] = {}
        for entry in sorted(+left):
            if not os.path.lexists(self.place_of(entry)):
                moved.setdefault(entry[1:], []).append(entry)
        for number, entry in enumerate(entries):
            if not is_known[number]:
                is_known[number] = any(_take(left, each) for each in moved.get(entry[1:], ()))
        new = tuple(each for each, known in zip(diagnostics, is_known, strict=True) if not known)
        stale = tuple(entry for entry in sorted(+left) if judged(entry, self.place_of(entry)))
        return new, sum(is_known), stale

    def put(self, entries: Iterable[Entry], judged: Judged) -> None:
        """These are the known findings as far as the run could find them; what it could not stays."""
        kept = {
            entry: count for entry, count in self.counts.items() if not judged(entry, self.place_of(entry))
        }
        self.counts = Counter(kept) | Counter(entries)

    def _name_of(self, path: str) -> str:
        try:
            name = os.path.relpath(path, self.folder)
        except ValueError:  # on another drive
            name = path
        return name.replace(os.sep, "/")

    def place_of(self, entry: Entry) -> str:
        """The absolute path of an entry's file."""
        return os.path.normpath(os.path.join(self.folder, *entry.path.split("/")))


def _take(left: Counter[Entry], entry: Entry) -> bool:
    if left[entry] <= 0:
        return False
    left[entry] -= 1
    return True


def _version(row: str) -> int | None:
    try:
        header = json.loads(row)
    except (ValueError, RecursionError):
        return None
    version = header.get(_HEADER) if isinstance(header, dict) else None
    return version if type(version) is int and version > 0 else None


def _read(row: str) -> tuple[Entry | None, int]:
    try:
        data = json.loads(row)
    except (ValueError, RecursionError):
        return None, 0
    if not isinstance(data, Mapping):
        return None, 0
    parts = [part for name in Entry._fields if isinstance(part := data.get(name), str)]
    count = data.get("count", 1)
    if len(parts) < len(Entry._fields) or type(count) is not int or count < 1:
        return None, 0
    return Entry(*parts), count


class Page:
    """The text of a file: what stands in a row, and the function or class around it.

    Args:
        text: What rows are of.
        python: The Python in it, with the same rows; the text itself without it.
    """

    def __init__(self, text: str, python: str | None = None) -> None:
        self._rows = NEWLINE.split(text)
        self._scopes = list(_scopes(text if python is None else python))

    def line(self, row: int) -> str:
        return " ".join(self._rows[row - 1].split()) if 0 < row <= len(self._rows) else ""

    def scope(self, row: int) -> str:
        """The qualified name of the innermost function or class around a row."""
        around = [each for each in self._scopes if each.first <= row <= each.last]
        return max(around, key=lambda each: each.indent).name if around else ""


@dataclass(slots=True)
class _Scope:
    """A function or class, its decorators included."""

    name: str
    indent: int
    first: int
    last: int


def _scopes(python: str) -> Iterator[_Scope]:
    """The functions and classes of a text, by its logical lines and how far they are indented: this needs no
    parser, which the text may be too new for."""
    layout = read_layout(python)
    rows = NEWLINE.split(python)
    headers = {last: first for first, last in layout.statements}
    around: list[_Scope] = []
    for first, last in layout.groups:
        header = rows[headers.get(last, first) - 1].expandtabs()
        indent = len(header) - len(header.lstrip())
        while around and around[-1].indent >= indent:
            yield around.pop()
        for each in around:
            each.last = last
        if named := _NAMED.match(header):
            name = f"{around[-1].name}.{named[1]}" if around else named[1]
            around.append(_Scope(name, indent, first, last))
    yield from around
