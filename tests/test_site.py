"""The documentation as a site: it builds without a warning and without the network, and a browser shows it."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint.confirm.evidence import of_rule
from jaxlint.confirm.verdict import CONFIRMED, Verdict
from jaxlint.rule.registry import own_entries

ROOT = Path(__file__).resolve().parent.parent
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
MKDOCS = importlib.util.find_spec("mkdocs") is not None and importlib.util.find_spec("material") is not None


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a link or an anchor that leads nowhere is an error."""
    if not MKDOCS:
        pytest.skip("no mkdocs-material")
    folder = tmp_path_factory.mktemp("site")
    # No proxy leads anywhere: what is fetched while building fails.
    names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
    offline = dict.fromkeys(names, "http://127.0.0.1:9")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, **offline, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    if not MKDOCS:
        pytest.skip("no mkdocs-material")
    spec = importlib.util.spec_from_file_location("docs_hook", ROOT / "docs" / "hook.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Loaded(HTMLParser):
    """What a page loads by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "img", "iframe", "source"):
            self.addresses.append(given.get("src") or "")
        if tag == "link" and given.get("rel") in ("stylesheet", "icon", "preconnect", "preload"):
            self.addresses.append(given.get("href") or "")


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        for address in Loaded(page.read_text(encoding="utf-8")).addresses:
            assert not re.match(r"(https?:)?//", address), (page, address)
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\([\"']?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet


def test_the_link_of_the_repository_asks_for_nothing(site: Path) -> None:
    for name in ("index.html", "404.html", "rules/key-reuse.html"):
        page = (site / name).read_text(encoding="utf-8")
        assert 'href="https://github.com/jaxlint/jaxlint"' in page and not re.search(
            r"data-md-component=[\"']?source\b", page
        )


def test_the_colours_follow_the_system_until_a_reader_chooses(site: Path) -> None:
    page = (site / "index.html").read_text(encoding="utf-8")
    offered = re.findall(r'data-md-color-media="([^"]*)"', page)
    assert offered[0] == "(prefers-color-scheme)" and len(set(offered)) == 3
    for picture in ("chain.svg", "growth.svg"):
        assert "@media (prefers-color-scheme: dark)" in (site / picture).read_text(encoding="utf-8")


def test_what_is_not_a_page_stays_out(site: Path) -> None:
    assert not list(site.rglob("*.py")) and not (site / "example").exists() and not (site / "parts").exists()


@pytest.mark.parametrize("entry", own_entries(), ids=lambda entry: entry.name)
def test_evidence_is_drawn(site: Path, hook: ModuleType, entry: object) -> None:
    """As many charts as verdicts with figures, and a mark for each version."""
    code, name = entry.code, entry.name  # type: ignore[attr-defined]
    page = (site / "rules" / f"{name}.html").read_text(encoding="utf-8")
    rows = list(of_rule(code))
    drawn = [chart for row in rows if (chart := hook.chart(row.verdict))]
    assert page.count('<figure class="evidence">') == len(drawn)
    for row in rows:
        if {"bad_us", "runs", "ratio"} & row.verdict.figures.keys():
            assert hook.chart(row.verdict) or not any(row.verdict.figures["runs"])
    assert ('<div class="versions">' in page) == bool(rows)


def test_folklore_is_a_card_a_statement(site: Path, hook: ModuleType) -> None:
    page = (site / "folklore.html").read_text(encoding="utf-8")
    trials = hook.statements()
    assert page.count('<div class="said ') == len(trials) > 100
    drawn = [row for trial in trials for row in trial.verdicts if hook.chart(row)]
    assert page.count('<figure class="evidence">') == len(drawn) > 10
    with pytest.raises(ValueError, match="out of date"):
        list(hook.cards(["| another statement | note 000 | true | why |"] * len(trials)))


def verdict(claim: str, **figures: object) -> Verdict:
    return Verdict("JAX601", "vmap-of-jit", claim, CONFIRMED, "cpu", "cpu", "0.12.0", "0.12.0", figures)


def test_bars_are_as_long_as_their_figures(hook: ModuleType) -> None:
    times = hook.chart(
        verdict("`f` takes more time", bad_us=400.0, good_us=100.0, ratio=4.0, low=3.0, high=5.0, samples=9)
    )
    bad, good = (float(width) for width in re.findall(r'<rect class="\w+".*? width="([\d.]+)"', times))
    assert bad == pytest.approx(4 * good, abs=0.3)
    assert ">400 µs<" in times and ">100 µs<" in times and "95% interval 3 to 5" in times
    memory = hook.chart(verdict("temporary memory of `f(x)`: 2 in the bad program", bad=1048576, good=8192))
    assert ">1 MiB<" in memory and ">8 KiB<" in memory
    fixed = hook.chart(
        verdict("the safe fix", safety="safe", values=1, lines=0, runs=[2, 1], compiles=[3, 3])
    )
    assert ">2 before<" in fixed and ">1 after the fix<" in fixed and fixed.count("<rect") == 4


def test_values_are_dots_and_what_cannot_be_drawn_is_left_out(hook: ModuleType) -> None:
    dots = hook.chart(verdict("`a`, `b` are the same", bad=["1.5", "1.5"], good=["1.5", "2.5"]))
    assert dots.count("<circle") == 3 and "all equal" in dots and "2 distinct" in dots
    for figures in (
        {"error": "TypeError", "line": 3},
        {"bad": ["[1. 2.]"], "good": ["[1. 3.]"]},
        {"same": True},
    ):
        assert hook.chart(verdict("`a` is so", **figures)) == ""
    assert hook.chart(verdict("`a`", bad=["nan", "1"], good=["1", "1"])) == ""


def test_a_page_that_says_less_than_what_is_recorded_is_refused(hook: ModuleType) -> None:
    with pytest.raises(ValueError, match="JAX601 has 1 lines of evidence"):
        hook.drawn("JAX601", ["- With JAX 0.1 on CPU nothing"])
    with pytest.raises(ValueError, match="out of date"):
        hook.drawn("JAX601", ["- With JAX 0.1 on CPU nothing"] * 9)


@dataclass
class Served:
    address: str
    answers: queue.Queue[bytes]


@pytest.fixture
def served(site: Path) -> Iterator[Served]:
    """The site on a port of this machine, which also takes what a page finds out about it."""
    answers: queue.Queue[bytes] = queue.Queue()

    class Handler(http.server.SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            answers.put(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    handler = functools.partial(Handler, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Served(f"http://127.0.0.1:{server.server_port}", answers)
        server.shutdown()
        thread.join()


LOOK = """<!doctype html><body><script>
(async () => {
  const wrong = [];
  let seen = 0;
  for (const width of [390, 1280]) for (const page of PAGES) {
    const frame = document.createElement("iframe");
    frame.style.cssText = `border:0;width:${width}px;height:900px`;
    frame.src = page;
    await new Promise(done => { frame.onload = done; document.body.append(frame); });
    const inner = frame.contentDocument, box = inner.documentElement;
    if (box.scrollWidth > width) wrong.push(`${page} is ${box.scrollWidth} wide at ${width}`);
    for (const image of inner.images) if (!image.naturalWidth) wrong.push(`${page}: ${image.src} is not shown`);
    for (const svg of inner.querySelectorAll("figure.evidence svg")) {
      const around = svg.getBoundingClientRect();
      for (const text of svg.querySelectorAll("text, rect, circle")) {
        const inside = text.getBoundingClientRect();
        if (inside.right > around.right + 1 || inside.bottom > around.bottom + 1 || inside.left < around.left - 1)
          wrong.push(`${page} at ${width}: ${text.outerHTML}`);
      }
    }
    seen += 1;
    frame.remove();
  }
  fetch("/answer", { method: "POST", body: JSON.stringify({ seen, wrong }) });
})();
</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="no Chromium")
def test_pages_fit_a_phone_and_a_desktop(site: Path, served: Served, tmp_path: Path) -> None:
    """No page is wider than its window, each picture is shown, and no part of a chart lies outside of it."""
    assert BROWSER is not None
    names = [
        path.relative_to(site).as_posix() for path in sorted(site.rglob("*.html")) if path.name != "404.html"
    ]
    (site / "look.html").write_text(
        LOOK.replace("PAGES", json.dumps([f"/{name}" for name in names])), "utf-8"
    )
    browser = subprocess.Popen(
        [
            *(BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1400,1000"),
            *("--remote-debugging-port=0", f"--user-data-dir={tmp_path}", f"{served.address}/look.html"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        result = json.loads(served.answers.get(timeout=240))
    finally:
        browser.terminate()
        browser.wait(30)
        (site / "look.html").unlink()
    assert result["wrong"] == [] and result["seen"] == 2 * len(names)
