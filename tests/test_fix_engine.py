"""`jaxlint.source.text` and `jaxlint.fixes.apply`: text, places, edits, and what is written."""

from __future__ import annotations

import ast
import codecs
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxlint.diagnostic import Diagnostic, Edit, Fix, Severity, Span
from jaxlint.fixes.apply import (
    Unwritable,
    apply_fixes,
    fix_project,
    fix_until_stable,
    parses,
    unified_diff,
    write_fixed,
)
from jaxlint.source.atomic import write_atomically
from jaxlint.source.text import NEWLINE, Source, UnreadableSource, read_source

texts = st.text(st.sampled_from("ab é𝑥\t\n\r\x0c\x1c\u2028"), max_size=30)


def fix(*edits: tuple[int, int, int, int, str]) -> Fix:
    return Fix("safe", "m", tuple(Edit(Span(*place), content) for *place, content in edits))


def diagnostic(cure: Fix | None, code: str = "JAX101", filename: str = "/a.py") -> Diagnostic:
    return Diagnostic(filename, Span(1, 1, 1, 2), code, "n", Severity.ERROR, "m", fix=cure)


class TestSource:
    @given(texts)
    def test_places_and_offsets_are_inverse(self, text: str) -> None:
        source = Source.from_text(text)
        for offset in range(len(text) + 1):
            row, column = source.position(offset)
            inside_newline = text[offset - 1 : offset + 1] == "\r\n"
            if not inside_newline:
                assert source.offset(row, column) == offset
        assert source.row_count == len(NEWLINE.split(text))
        assert [source.line(row) for row in range(1, source.row_count + 1)] == NEWLINE.split(text)

    @pytest.mark.parametrize("place", [(0, 1), (1, 0), (1, 5), (3, 1), (2, 2), (-1, 1)])
    def test_no_such_place(self, place: tuple[int, int]) -> None:
        with pytest.raises(ValueError, match="no row"):
            Source.from_text("abc\n").offset(*place)
        assert Source.from_text("abc\n").line(7) == ""

    @given(
        texts, st.sampled_from(("", "# coding: utf-8\n", "#!x\r# -*- coding: latin-1 -*-\r")), st.booleans()
    )
    def test_bytes_round_trip(self, text: str, cookie: str, bom: bool) -> None:
        encoding = "latin-1" if "latin" in cookie else "utf-8"
        data = (cookie + text).encode(encoding, "replace")
        if bom and encoding == "utf-8":
            data = codecs.BOM_UTF8 + data
        source = read_source(data)
        assert source.encode() == data
        assert source.bom == data.startswith(codecs.BOM_UTF8)
        assert source.text.encode(encoding) == data.removeprefix(codecs.BOM_UTF8)

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"x = 1\n\xe9", "row 2 is not valid utf-8"),
            (b"x = 1\r\r\ny = '\0'", "NUL byte in row 3"),
            (b"# coding: klingon\n", "`klingon`"),
            (b"\n# coding: rot13\n", "`rot13`"),
            (b"# coding: hex\n", "`hex`"),
            (codecs.BOM_UTF8 + b"# coding: latin-1\n", "UTF-8 mark"),
            ("x = 1".encode("utf-16"), "UTF-16"),
            (b"# coding: ascii\nx = '\xff'\n", "row 2 is not valid ascii"),
        ],
    )
    def test_unreadable(self, data: bytes, reason: str) -> None:
        with pytest.raises(UnreadableSource) as raised:
            read_source(data)
        assert reason in raised.value.reason and "\n" not in raised.value.reason

    @given(st.binary(max_size=40))
    def test_any_bytes_are_read_or_refused(self, data: bytes) -> None:
        try:
            read_source(data)
        except UnreadableSource as error:
            assert error.reason

    def test_newline(self) -> None:
        for text, newline in [("", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb\rc\n", "\r"), ("a\nb\r\nc\n", "\n")]:
            assert Source.from_text(text).newline == newline


class TestApply:
    def test_edits_of_one_fix(self) -> None:
        text, applied = apply_fixes("f(g(x))\n", [fix((1, 3, 1, 4, "h"), (1, 1, 1, 2, "ff"))])
        assert (text, len(applied)) == ("ff(h(x))\n", 1)

    def test_the_first_by_place_wins_and_each_is_all_or_nothing(self) -> None:
        later, first = fix((1, 3, 1, 5, "X"), (2, 1, 2, 2, "Y")), fix((1, 1, 1, 4, "Z"))
        assert apply_fixes("abcdef\ng\n", [later, first]) == ("Zdef\ng\n", [first])

    def test_touching_edits_wait_but_may_be_in_one_fix(self) -> None:
        assert apply_fixes("abcd", [fix((1, 1, 1, 2, "X")), fix((1, 2, 1, 3, "Y"))])[0] == "Xbcd"
        assert apply_fixes("abcd", [fix((1, 1, 1, 2, "X"), (1, 2, 1, 3, "Y"))])[0] == "XYcd"
        assert apply_fixes("abcd", [fix((1, 2, 1, 2, "X")), fix((1, 2, 1, 2, "Y"))])[0] == "aXbcd"

    def test_the_same_cure_twice(self) -> None:
        cures = [fix((1, 1, 1, 2, "X")), fix((1, 1, 1, 2, "X"))]
        assert apply_fixes("ab", cures) == ("Xb", cures)

    def test_an_import_that_two_fixes_need_is_added_once(self) -> None:
        cures = [fix((1, 1, 1, 1, "import a\n"), (row, 1, row, 2, "a")) for row in (2, 3)]
        assert apply_fixes("\nx\nx\n", cures) == ("import a\n\na\na\n", cures)
        # Not so a bracket: each fix needs its own.
        brackets = [fix((1, 1, 1, 1, "("), (1, 5, 1, 5, ")")), fix((1, 3, 1, 3, "("), (1, 5, 1, 5, ")"))]
        assert apply_fixes("abcd", brackets)[0] == "(abcd)"

    @pytest.mark.parametrize(
        "edit", [(1, 9, 1, 9, "x"), (1, 2, 1, 1, "x"), (0, 1, 1, 1, "x"), (9, 1, 9, 1, "x")]
    )
    def test_a_place_that_is_not_there(self, edit: tuple[int, int, int, int, str]) -> None:
        assert apply_fixes("abc\n", [fix((1, 1, 1, 2, "X"), edit)]) == ("abc\n", [])

    def test_a_fix_that_contradicts_itself(self) -> None:
        assert apply_fixes("abc", [fix((1, 1, 1, 3, "x"), (1, 2, 1, 3, "y"))]) == ("abc", [])
        assert apply_fixes("abc", [Fix("safe", "m", ())]) == ("abc", [])

    @pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
    def test_newlines_are_the_text_s_own(self, newline: str) -> None:
        before = newline.join(("a", "b\x0c\x1c", "c"))
        after, _ = apply_fixes(before, [fix((2, 1, 2, 2, "x\ny\r\nz"))])
        assert after == newline.join(("a", "x", "y", "z\x0c\x1c", "c"))

    @given(texts, st.lists(st.tuples(st.integers(0, 30), st.integers(0, 5), texts), max_size=6))
    def test_what_no_edit_names_stays(self, text: str, edits: list[tuple[int, int, str]]) -> None:
        source = Source.from_text(text)
        cures = []
        for start, length, content in edits:
            start, end = min(start, len(text)), min(start + length, len(text))
            cures.append(Fix("safe", "m", (Edit(source.span(start, end), content),)))
        after, applied = apply_fixes(text, cures)
        # Two that are one once they have the file's newlines are applied once.
        written = {
            (edit.span, NEWLINE.sub(source.newline, edit.content)) for cure in applied for edit in cure.edits
        }
        named = sum(len(source.slice(span)) for span, _ in written)
        added = sum(len(content) for _, content in written)
        if all(source.span(*source.offsets(cure.edits[0].span)) == cure.edits[0].span for cure in applied):
            assert len(after) == len(text) - named + added
        assert apply_fixes(text, cures[::-1])[0] == after or len(applied) < len(cures)
        assert bool(applied) == any(is_place(source, cure.edits[0].span) for cure in cures)


def is_place(source: Source, span: Span) -> bool:
    """Whether a span names a part of the text: one that begins or ends inside of a newline does not."""
    try:
        source.offsets(span)
    except ValueError:
        return False
    return True


def cures_of(text: str) -> list[Diagnostic]:
    """Each `a` becomes `b`, each `b` becomes `c`."""
    found = []
    for row, line in enumerate(text.split("\n"), 1):
        for column, character in enumerate(line, 1):
            if character in "ab":
                new = chr(ord(character) + 1)
                found.append(diagnostic(fix((row, column, row, column + 1, new))))
    return found


class TestUntilStable:
    def test_until_nothing_changes(self) -> None:
        fixed = fix_until_stable("a = b\naa = a\n", cures_of, lambda _: True)
        assert fixed.text == "c = c\ncc = c\n" and fixed.is_stable and not fixed.left
        assert len(fixed.applied) == 9

    def test_only_what_is_allowed(self) -> None:
        fixed = fix_until_stable("a = 1\n", cures_of, lambda found: found.code != "JAX101")
        assert fixed.text == "a = 1\n" and not fixed.applied and len(fixed.left) == 1

    def test_what_is_known_is_not_asked_again(self) -> None:
        def never(_: str) -> Sequence[Diagnostic]:
            raise AssertionError("not needed")

        assert fix_until_stable("x", never, lambda _: True, first=[diagnostic(None)]).left == (
            diagnostic(None),
        )

    def test_a_fix_that_breaks_the_text_is_left_out(self) -> None:
        def relint(text: str) -> list[Diagnostic]:
            good = [diagnostic(fix((1, 1, 1, 2, "y")))] if text.startswith("x") else []
            return good or [diagnostic(fix((1, 1, 1, 2, "(")), "JAX301")]

        fixed = fix_until_stable("x = 1\n", relint, lambda _: True)
        assert fixed.text == "y = 1\n" and fixed.broken == {"JAX301"}
        assert [found.code for found in fixed.applied] == ["JAX101"]
        assert [found.code for found in fixed.left] == ["JAX301"]

    def test_of_fixes_that_break_the_text_together_some_are_applied(self) -> None:
        def relint(text: str) -> list[Diagnostic]:
            places = [at for at, each in enumerate(text, 1) if each == "x"]
            return [diagnostic(fix((1, at, 1, at + 1, "y" if at > 1 else "("))) for at in places]

        fixed = fix_until_stable("x = x + x\n", relint, lambda _: True)
        assert fixed.text == "x = y + y\n" and fixed.broken and fixed.is_stable and len(fixed.applied) == 2

    def test_a_text_that_did_not_parse_is_left(self) -> None:
        fixed = fix_until_stable("x = (\n", lambda _: [diagnostic(fix((1, 1, 1, 2, "y")))], lambda _: True)
        assert fixed.text == "x = (\n" and fixed.broken

    def test_rounds_end(self) -> None:
        def swap(text: str) -> list[Diagnostic]:
            return [diagnostic(fix((1, 1, 1, 2, "y" if text[0] == "x" else "x")))]

        def grow(text: str) -> list[Diagnostic]:
            return [diagnostic(fix((1, 1, 1, 1, "x")))]

        assert not fix_until_stable("x = 1\n", swap, lambda _: True).is_stable
        grown = fix_until_stable("x = 1\n", grow, lambda _: True)
        assert grown.text == "x" * 101 + " = 1\n" and not grown.is_stable

    def test_many_files_at_once(self) -> None:
        rounds = []

        def relint(texts: Mapping[str, str]) -> dict[str, list[Diagnostic]]:
            rounds.append(dict(texts))
            return {key: cures_of(text) for key, text in texts.items()}

        fixed = fix_project({"p": "a", "q": "b", "r": "x"}, relint, lambda _: True)
        assert {key: value.text for key, value in fixed.items()} == {"p": "c", "q": "c", "r": "x"}
        assert len(rounds) == 3

    def test_newer_syntax_is_read_by_libcst(self) -> None:
        assert parses("type A[T = int] = list[T]\n") and not parses("x = (\n")


class TestWrite:
    @pytest.mark.parametrize(
        "data",
        [
            b"x = 'a'\r\n\ty = 1\r\n",
            codecs.BOM_UTF8 + "x = 'é'\r\x0cy = 1".encode(),
            b"# coding: latin-1\nx = '\xe9'",
            b"",
        ],
    )
    def test_bytes_outside_the_edit_stay(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(data)
        path.chmod(0o751)
        source = read_source(data)
        cure = fix((source.row_count, 1, source.row_count, 1, "é = 1; "))
        after, _ = apply_fixes(source.text, [cure])
        write_fixed(str(path), source.text, after)
        start = len(data) - len(source.line(source.row_count).encode(source.encoding))
        assert path.read_bytes() == data[:start] + "é = 1; ".encode(source.encoding) + data[start:]
        assert stat.S_IMODE(path.stat().st_mode) == 0o751
        assert os.listdir(tmp_path) == ["a.py"]

    def test_a_link_stays_a_link(self, tmp_path: Path) -> None:
        (tmp_path / "d").mkdir()
        real = tmp_path / "d" / "real.py"
        real.write_text("x = 1\n")
        link = tmp_path / "link.py"
        link.symlink_to(real)
        write_fixed(str(link), "x = 1\n", "y = 1\n")
        assert link.is_symlink() and real.read_text() == "y = 1\n"
        assert os.listdir(tmp_path / "d") == ["real.py"]

    @pytest.mark.parametrize(
        ("data", "before", "after", "reason"),
        [
            (b"x = 2\n", "x = 1\n", "y = 1\n", "changed"),
            (b"# coding: ascii\n", "# coding: ascii\n", "# coding: ascii\n'\xe9'", "has no"),
            (b"# coding: utf-7\n'+AOk-'", "# coding: utf-7\n'é'", "# coding: utf-7\n'e'", "another way"),
            (b"# coding: latin-1\n'\xe9'", "# coding: latin-1\n'é'", "# coding: utf-8\n'é'", "not the same"),
        ],
    )
    def test_left_as_it_was(self, tmp_path: Path, data: bytes, before: str, after: str, reason: str) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(data)
        with pytest.raises(Unwritable, match=reason):
            write_fixed(str(path), before, after)
        assert path.read_bytes() == data and os.listdir(tmp_path) == ["a.py"]

    def test_a_missing_folder_or_file(self, tmp_path: Path) -> None:
        with pytest.raises(Unwritable):
            write_fixed(str(tmp_path / "none" / "a.py"), "", "x")
        write_atomically(str(tmp_path / "new.py"), b"x")
        assert (tmp_path / "new.py").read_bytes() == b"x"

    def test_a_failed_write_leaves_nothing(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        path = tmp_path / "a.py"
        path.write_bytes(b"x = 1\n")

        def refuse(*_: object) -> None:
            raise OSError("disk on fire")

        monkeypatch.setattr(os, "replace", refuse)
        with pytest.raises(Unwritable, match="disk on fire"):
            write_fixed(str(path), "x = 1\n", "y = 1\n")
        assert path.read_bytes() == b"x = 1\n" and os.listdir(tmp_path) == ["a.py"]


class TestDiff:
    def test_as_diff_u_prints_it(self) -> None:
        before = "import os\r\nx = 1\ny = 2"
        assert unified_diff(before, "x = 1\ny = 2", "a.py") == (
            "--- a.py\n+++ a.py\n@@ -1,3 +1,2 @@\n"
            "-import os\r\n x = 1\n y = 2\n\\ No newline at end of file\n"
        )
        assert unified_diff(before, before, "a.py") == ""
        assert unified_diff("a\rb\r", "a\rc\r", "a.py").endswith(" a\n-b\n+c\n")

    def test_form_feeds_and_separators_end_no_row(self) -> None:
        assert unified_diff("a\x0cb\u2028c\n", "x\n", "p").count("\n-") == 1


@given(st.sampled_from(("x = 1\n", "def f():\r\n    return 1", "a = b\n")), st.text("ab =()\n'", max_size=4))
def test_a_fixed_text_parses(text: str, content: str) -> None:
    fixed = fix_until_stable(
        text, lambda now: [diagnostic(fix((1, 1, 1, 2, content)))] if now == text else [], lambda _: True
    )
    ast.parse(fixed.text)
    assert fixed.text == text or fixed.applied
