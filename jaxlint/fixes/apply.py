"""Fixes applied: to text, until nothing changes, and to the file.

In: text and the fixes offered for it. Out: new text that still parses, or the old one; the file written in
one step with its encoding, mark, newlines and mode kept; the difference as a unified diff. Knows nothing of
rules: what is offered, and what is allowed, the caller says.
"""

from __future__ import annotations

import ast
import difflib
import warnings
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from jaxlint.diagnostic import Diagnostic, Edit, Fix
from jaxlint.source.atomic import write_atomically
from jaxlint.source.magics import of_script
from jaxlint.source.newer_syntax import newer_tree
from jaxlint.source.regular_files import SOURCE, read_regular
from jaxlint.source.text import NEWLINE, Source, UnreadableSource, read_source

MAX_ROUNDS = 100


def apply_fixes(text: str, fixes: Iterable[Fix]) -> tuple[str, list[Fix]]:
    """Each fix all or not at all, the first by place winning. Also the fixes applied, by their places.

    A fix that overlaps or touches an earlier one is left for the next round. One whose edits are all applied
    already counts as applied: two findings may have the same cure. Whole rows inserted at the same place, as
    two fixes do that need the same import, are inserted once.
    """
    source = Source.from_text(text)
    taken = _Taken()
    applied = []
    for _, fix, edits in sorted(_placed(source, fixes), key=lambda placed: placed[0]):
        if taken.admits(edits):
            taken.add(edits)
            applied.append(fix)
    pieces: list[str] = []
    end = 0
    for edit in taken.edits:
        pieces += (text[end : edit.start], edit.content)
        end = edit.end
    return "".join([*pieces, text[end:]]), applied


@dataclass(frozen=True, slots=True, order=True)
class _Placed:
    """An edit by offsets in the text, its newlines the text's own."""

    start: int
    end: int
    content: str
    adds_rows: bool


def _placed(source: Source, fixes: Iterable[Fix]) -> list[tuple[tuple[int, int, int], Fix, list[_Placed]]]:
    placed = []
    for order, fix in enumerate(fixes):
        try:
            edits = sorted({_place(source, edit) for edit in fix.edits})
        except ValueError:
            continue
        if edits and not any(left.end > right.start for left, right in zip(edits, edits[1:], strict=False)):
            placed.append(((edits[0].start, edits[-1].end, order), fix, edits))
    return placed


def _place(source: Source, edit: Edit) -> _Placed:
    start, end = source.offsets(edit.span)
    content = NEWLINE.sub(lambda _: source.newline, edit.content)
    adds_rows = start == end and edit.span.column == 1 and content.endswith(("\n", "\r"))
    return _Placed(start, end, content, adds_rows)


class _Taken:
    """Edits that do not overlap, in the order of the text."""

    def __init__(self) -> None:
        self.edits: list[_Placed] = []

    def admits(self, edits: Sequence[_Placed]) -> bool:
        if all(self._has(edit) for edit in edits):
            return True
        return all((edit.adds_rows and self._has(edit)) or self._is_free(edit) for edit in edits)

    def add(self, edits: Iterable[_Placed]) -> None:
        for edit in edits:
            if not self._has(edit):
                self.edits.insert(bisect_left(self.edits, edit), edit)

    def _has(self, edit: _Placed) -> bool:
        index = bisect_left(self.edits, edit)
        return index < len(self.edits) and self.edits[index] == edit

    def _is_free(self, edit: _Placed) -> bool:
        index = bisect_left(self.edits, edit)
        if index and self.edits[index - 1].end >= edit.start:
            return False
        return index == len(self.edits) or edit.end < self.edits[index].start


def parses(text: str) -> bool:
    """Whether the running Python reads `text`, or LibCST where it is written for a newer one."""
    return _parses_here(text) or _is_for_newer_python(text)


def _parses_here(text: str) -> bool:
    return _is_python(text) or ((script := of_script(text)) is not None and _is_python(script))


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _is_for_newer_python(text: str) -> bool:
    try:
        return newer_tree(text) is not None
    except (RecursionError, MemoryError):
        return False


def still_parses(before: str, after: str) -> bool:
    """Judged by the parser that read the text before: LibCST's is the more lenient one."""
    return _parses_here(after) if _parses_here(before) else parses(after)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of one text.

    `applied` holds each diagnostic whose fix was applied, `left` what a last look at `text` reports. `broken`
    names the codes of fixes that were left out, because they make text that does not parse. `error` is what
    went wrong in making it: then `text` is the old one and `applied` is empty. `is_stable` is False where the
    rounds ran out or came back to a text they had before.
    """

    text: str
    applied: tuple[Diagnostic, ...] = ()
    left: tuple[Diagnostic, ...] = ()
    broken: frozenset[str] = frozenset()
    is_stable: bool = True
    error: Exception | None = None


def fix_until_stable(
    text: str,
    relint: Callable[[str], Sequence[Diagnostic]],
    allowed: Callable[[Diagnostic], bool],
    first: Sequence[Diagnostic] | None = None,
) -> Fixed:
    """Apply the fixes of the diagnostics that `allowed` admits, and of those that then appear.

    Args:
        relint: the diagnostics of a text.
        first: the diagnostics of `text`, where they are known already.
    """

    def relint_all(texts: Mapping[str, str]) -> Mapping[str, Sequence[Diagnostic]]:
        return {key: relint(changed) for key, changed in texts.items()}

    given = None if first is None else {"": first}
    return fix_project({"": text}, relint_all, allowed, given)[""]


def fix_project(
    texts: Mapping[str, str],
    relint: Callable[[Mapping[str, str]], Mapping[str, Sequence[Diagnostic]]],
    allowed: Callable[[Diagnostic], bool],
    first: Mapping[str, Sequence[Diagnostic]] | None = None,
    admits: Mapping[str, Callable[[str], bool]] | None = None,
) -> dict[str, Fixed]:
    """`fix_until_stable` for many texts at once, which are looked at together once a round.

    Args:
        texts: by any key, such as a path.
        relint: given the texts as they now stand, the diagnostics of each by the same keys.
        admits: by the key of a text that is not Python alone, whether another text may stand for it.
    """
    now = dict(texts)
    seen = {key: {text} for key, text in texts.items()}
    applied: dict[str, list[Diagnostic]] = {key: [] for key in texts}
    broken: dict[str, frozenset[str]] = {}
    unstable: set[str] = set()
    errors: dict[str, Exception] = {}
    found = relint(dict(now)) if first is None else first

    def may_analyze(key: str, after: str) -> bool:
        own = (admits or {}).get(key)
        return still_parses(texts[key], after) if own is None else own(after)

    for _ in range(MAX_ROUNDS):
        changed = False
        for key, text in texts.items():
            if key in unstable or key in errors:
                continue
            try:
                after, cured, refused = _admitted(
                    now[key], found.get(key, ()), allowed, partial(may_analyze, key)
                )
            except Exception as error:
                errors[key] = error
                changed = changed or now[key] != text
                now[key], applied[key] = text, []
                continue
            broken[key] = refused
            if after == now[key]:
                continue
            changed = True
            now[key] = after
            applied[key] += cured
            if after in seen[key]:
                unstable.add(key)
            seen[key].add(after)
        if not changed:
            break
        found = relint(dict(now))
    else:
        unstable |= {
            key
            for key in texts.keys() - errors.keys()
            if not broken.get(key) and _one_round(now[key], found.get(key, ()), allowed)[0] != now[key]
        }
    return {
        key: Fixed(
            text=now[key],
            applied=tuple(applied[key]),
            left=tuple(found.get(key, ())),
            broken=broken.get(key, frozenset()),
            is_stable=key not in unstable,
            error=errors.get(key),
        )
        for key in texts
    }


def _admitted(
    text: str,
    found: Iterable[Diagnostic],
    allowed: Callable[[Diagnostic], bool],
    admits: Callable[[str], bool],
) -> tuple[str, list[Diagnostic], frozenset[str]]:
    """One round of fixes: the text after it, what they cure, and the codes of those that make no Python. If
    there are any, each of the others is applied that still gives Python with those before it."""
    after, cured = _one_round(text, found, allowed)
    if after == text or admits(after):
        return after, cured, frozenset()
    kept: list[Diagnostic] = []
    refused = set()
    for each in cured:
        if admits(_one_round(text, [*kept, each], allowed)[0]):
            kept.append(each)
        else:
            refused.add(each.code)
    after, cured = _one_round(text, kept, allowed)
    return after, cured, frozenset(refused)


def _one_round(
    text: str, found: Iterable[Diagnostic], allowed: Callable[[Diagnostic], bool]
) -> tuple[str, list[Diagnostic]]:
    offered = [(diagnostic, diagnostic.fix) for diagnostic in found if diagnostic.fix and allowed(diagnostic)]
    after, fixes = apply_fixes(text, [fix for _, fix in offered])
    chosen = {id(fix) for fix in fixes}
    return after, [diagnostic for diagnostic, fix in offered if id(fix) in chosen]


class Unwritable(Exception):
    """The file was left as it was; `reason` says why in one line."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def write_fixed(path: str, before: str, after: str, read: Callable[[bytes], Source] = read_source) -> None:
    """Replace the file's text `before` by `after`, every byte outside the change as it was.

    Args:
        read: Gives the text of the file's bytes.

    Raises:
        Unwritable: the file no longer holds `before`, its encoding lacks a character of `after` or does not
            give the same bytes again, or the system refuses.
    """
    try:
        data = read_regular(path, SOURCE)
        source = read(data)
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error
    except UnreadableSource as error:
        raise Unwritable(error.reason) from error
    if source.text == after:  # under another name, that of a link
        return
    if source.text != before:
        raise Unwritable("the file changed while it was being fixed")
    if source.encode() != data:
        raise Unwritable(f"its encoding {source.encoding} writes the same text in another way")
    new = encoded(source, after)
    if not _reads_as(new, source.with_text(after).text, read):  # A fix can reach the coding cookie.
        raise Unwritable(f"the fixed text is not the same in its encoding {source.encoding}")
    try:
        write_atomically(path, new)
    except OSError as error:
        raise Unwritable(error.strerror or str(error)) from error


def encoded(source: Source, after: str) -> bytes:
    """The bytes of a file with another text.

    Raises:
        Unwritable: its encoding lacks a character of the text.
    """
    try:
        return source.with_text(after).encode()
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        raise Unwritable(f"its encoding {source.encoding} has no {character!a}") from error
    except UnreadableSource as error:
        raise Unwritable(error.reason) from error


def _reads_as(data: bytes, text: str, read: Callable[[bytes], Source]) -> bool:
    try:
        return read(data).text == text
    except UnreadableSource:
        return False


def unified_diff(before: str, after: str, path: str) -> str:
    """As `diff -u`, with `path` for both sides; empty where nothing changed."""
    lines = []
    for line in difflib.unified_diff(_rows(before), _rows(after), path, path):
        body = line.rstrip("\r\n")
        ending = line[len(body) :]
        if ending == "\r":
            ending = "\n"  # A lone \r would send the terminal back to the start of the row.
        lines.append(body + (ending or "\n\\ No newline at end of file\n"))
    return "".join(lines)


def _rows(text: str) -> list[str]:
    ends = [match.end() for match in NEWLINE.finditer(text)]
    rows = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    rest = text[ends[-1] if ends else 0 :]
    return [*rows, rest] if rest else rows
