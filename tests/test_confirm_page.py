"""The page of verdicts: what is in it, and what a browser makes of it."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jaxlint.confirm import evidence
from jaxlint.confirm.page import html, picture
from jaxlint.confirm.verdict import CONFIRMED, REFUTED, Verdict

COUNTS = Verdict(
    "JAX403", "jit-in-loop", "runs of `f`", CONFIRMED, "cpu", "cpu", "0.10.2", "0.10.2", {"bad": 3, "good": 1}
)
TIMES = replace(COUNTS, code="JAX601", figures={"ratio": 35.0, "low": 31.0, "high": 37.5, "bad_us": 228.0})
GROWTH = replace(COUNTS, code="JAX703", figures={"n": [8, 16, 32], "bad": [8, 16, 32], "good": [1, 1, 1]})
TEXT = replace(COUNTS, code=None, verdict=REFUTED, figures={"error": "TypeError"}, detail="<b>no</b>")
ROWS = [COUNTS, TIMES, GROWTH, TEXT]
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Elements(HTMLParser):
    """The names of the elements, checked for nesting, and their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.attributes: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        for name, value in attrs:
            self.attributes.setdefault(name, []).append(value or "")
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_needs_nothing_else_and_is_well_formed() -> None:
    page = html(ROWS)
    elements = Elements(page)
    assert elements.open == []
    assert not {"src", "href"} & elements.attributes.keys() and "url(" not in page
    assert elements.names.count("tr") == 1 + len(ROWS) and elements.names.count("svg") == 3
    assert "&lt;b&gt;no&lt;/b&gt;" in page and "<code>f</code>" in page
    assert html(ROWS, quiet=True).count("<tr") == 2


def test_pictures_show_the_figures() -> None:
    assert 'aria-label="ratio 35, between 31 and 37.5"' in picture(TIMES.figures)
    bad, good = re.findall(
        r'<rect class="(?:bad|good)" x="40" y="\d+" width="([\d.]+)"', picture(COUNTS.figures)
    )
    assert float(bad) == pytest.approx(3 * float(good), abs=0.2)
    assert picture(GROWTH.figures).count("<polyline") == 2
    assert picture({"error": "TypeError", "line": 3}) == picture({}) == picture({"bad": 0, "good": 0}) == ""


def test_the_interval_lies_right_of_one_where_it_is_greater() -> None:
    drawn = picture({"ratio": 2.0, "low": 1.5, "high": 3.0})
    mark = float(re.findall(r'class="mark" x1="([\d.]+)"', drawn)[0])
    low, high = map(float, re.findall(r'class="bad" x1="([\d.]+)" x2="([\d.]+)"', drawn)[0])
    assert mark < low < high
    drawn = picture({"ratio": 0.5, "low": 0.4, "high": 0.6})
    assert float(re.findall(r'class="bad" x1="[\d.]+" x2="([\d.]+)"', drawn)[0]) < float(
        re.findall(r'class="mark" x1="([\d.]+)"', drawn)[0]
    )


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_a_browser_shows_it(tmp_path: Path) -> None:
    """The recorded evidence as a page: each picture has its size and lies inside of its row."""
    rows = [
        each.verdict for path in sorted(evidence.FOLDER.glob("cpu-0.1*.json")) for each in evidence.read(path)
    ]
    script = """<script>onload = () => {
      const say = [], inside = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1
        && a.bottom <= b.bottom + 1;
      for (const svg of document.querySelectorAll("svg")) {
        const box = svg.getBoundingClientRect(), row = svg.closest("tr").getBoundingClientRect();
        if (!inside(box, row) || box.width < 100) say.push("svg outside of its row");
        for (const part of svg.querySelectorAll("text, rect, circle, line, polyline"))
          if (!inside(part.getBoundingClientRect(), box)) say.push(part.outerHTML);
      }
      if (document.documentElement.scrollWidth > innerWidth) say.push("wider than the window");
      document.body.dataset.seen = document.querySelectorAll("svg").length;
      document.body.dataset.wrong = say.join("; ");
    }</script></body>"""
    file = tmp_path / "page.html"
    file.write_text(html([*ROWS, *rows]).replace("</body>", script), encoding="utf-8")
    assert BROWSER is not None
    done = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1280,900",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    wrong = re.search(r'data-wrong="([^"]*)"', done.stdout)
    seen = re.search(r'data-seen="(\d+)"', done.stdout)
    assert wrong is not None and seen is not None, done.stderr[-2000:]
    assert wrong[1] == ""
    assert int(seen[1]) > 10
