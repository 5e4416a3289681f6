"""The format `html`: what is in the page, and what a browser makes of it with and without scripts."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from test_confirm_page import Elements
from test_formats import ALL, BRANCH, SPAN, context

from jaxlint.cli.formats import render
from jaxlint.diagnostic import Edit, Fix, Note, Span

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(BROWSER is None, reason="no Chromium")

BAD = "`<b onclick=alert(1)>` \"'><img src=x onerror=document.body.dataset.bad=1></script><script>alert(1)</script>"


def shown(page: str, folder: Path, *flags: str) -> str:
    """The page's elements after its scripts ran."""
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    assert BROWSER is not None
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1000,900", "--dump-dom"]
    fixed.append("--virtual-time-budget=5000")
    done = subprocess.run(
        [BROWSER, *fixed, *flags, file.as_uri()], capture_output=True, text=True, timeout=120
    )
    assert "</html>" in done.stdout, done.stderr[-2000:]
    return done.stdout


def said(page: str, folder: Path, script: str, *flags: str) -> str:
    """What a script of the test says of the page. The page's policy would not let it in."""
    page, count = re.subn(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    assert count == 1
    body = f"<script>onload = async () => {{ {script} }};</script></body>"
    found = re.search(r'data-said="([^"]*)"', shown(page.replace("</body>", body), folder, *flags))
    assert found is not None
    return found[1].replace("&gt;", ">")


def test_it_needs_nothing_else_and_is_well_formed() -> None:
    page = render("html", ALL, context())
    elements = Elements(re.sub(r"<input[^>]*>", "", page))
    assert elements.open == [] and "src" not in elements.attributes and "url(" not in page
    assert {link for link in elements.attributes["href"] if not link.startswith("#")} == {BRANCH.url}
    ids = elements.attributes["id"]
    assert len(ids) == len(set(ids)) and {link[1:] for link in elements.attributes["href"] if link[0] == "#"} <= {*ids}
    assert "1 error, 1 warning, 1 info in 2 files" in page and elements.names.count("article") == 3
    assert '<td><a href="#finding-3">JAX703</a> python-loop</td><td class="number">1</td><td class="number">1' in (
        render("html", [*ALL, replace(BRANCH, filename="/p/a.py")], context()).replace("\n", "")
    )
    assert re.search(r'<a href="#file-\d">train.py</a></td><td class="number">2</td>', page)


def test_fixes_are_diffs() -> None:
    page = render("html", ALL, context())
    assert "<del>-         return &quot;日本&quot;, loss  # é</del>" in page
    assert "<ins>+         return (&quot;日本&quot;), loss  # é</ins>" in page
    assert "<p>help: drop it (<code>--fix</code> does this)</p>" in page
    assert "unsafe: <code>--fix --unsafe-fixes</code>" in page


def test_nothing_found() -> None:
    page = render("html", [], context())
    assert "nothing found" in page and "<form" not in page and Elements(page).open == []


ODD = replace(
    BRANCH,
    filename=f"/p/{BAD}.py",
    name=BAD,
    message=BAD,
    help=BAD,
    label=BAD,
    url="javascript:alert(1)",
    related=(Note(f"/p/{BAD}", Span(1, 1, 1, 2), BAD),),
    fix=Fix("unsafe", BAD, (Edit(Span(1, 1, 1, 2), BAD),)),
    span=Span(1, 1, 1, 3),
)


def test_everything_is_escaped() -> None:
    page = render("html", [ODD], context(text_of=lambda *_: BAD + "\n</pre>\n"))
    assert "javascript:" not in page and "<img" not in page and "<b onclick" not in page
    assert page.count("<script>") == 1 == page.count("</script>")
    assert "<code>&lt;b onclick=alert(1)&gt;</code>" in page
    assert Elements(re.sub(r"<input[^>]*>", "", page)).open == []


@browser
def test_its_own_policy_lets_its_script_in_and_no_other(tmp_path: Path) -> None:
    page = render("html", [ODD], context())
    assert re.search(r"<form[^>]* hidden", page)
    done = shown(page.replace("</body>", "<script>document.title = 'in'</script></body>"), tmp_path)
    assert re.search(r"<form>", done) and "1 shown" in done  # the script ran
    assert "<title>jaxlint</title>" in done and "data-bad" not in done.partition("<body")[2][:100]


WITHOUT = """<!DOCTYPE html><body><iframe sandbox="allow-same-origin" width="900" height="900"></iframe><script>
  const frame = document.querySelector("iframe");
  frame.srcdoc = PAGE;
  frame.onload = () => {
    const page = frame.contentDocument, height = (name) => page.querySelector(name).offsetHeight;
    const articles = [...page.querySelectorAll("article")].filter((each) => each.offsetHeight > 40);
    document.body.dataset.said = [articles.length, height("form"), height("#theme"), height("#rules") > 40].join();
  };
</script></body></html>"""


@browser
def test_without_scripts(tmp_path: Path) -> None:
    page = json.dumps(render("html", ALL, context())).replace("</", "<\\/")
    assert 'data-said="3,0,0,true"' in shown(WITHOUT.replace("PAGE", page), tmp_path)


FILTER = """
  const form = document.forms[0], say = [];
  const now = (text, rule, severity) => {
    form.elements.text.value = text; form.elements.rule.value = rule; form.elements.severity.value = severity;
    form.dispatchEvent(new Event("input"));
    const seen = [...document.querySelectorAll("article")].filter((each) => each.offsetHeight > 0);
    const files = [...document.querySelectorAll("section")].filter((each) => each.offsetHeight > 0);
    say.push(seen.map((each) => each.dataset.rule).join("+") + "/" + files.length + "/"
      + document.getElementById("count").textContent);
  };
  now("", "", ""); now("TUPLE", "", ""); now("", "JAX301", ""); now("", "", "error"); now("train loss", "", "");
  now("nowhere", "", ""); now("", "JAX301", "error");
  form.reset(); await new Promise((go) => setTimeout(go, 20));
  say.push(document.getElementById("count").textContent);
  now("", "JAX301", "");
  location.hash = "#finding-1"; await new Promise((go) => setTimeout(go, 50));
  say.push(document.getElementById("finding-1").offsetHeight > 0);
  document.body.dataset.said = say.join("; ");
"""


@browser
def test_the_filter(tmp_path: Path) -> None:
    assert said(render("html", ALL, context()), tmp_path, FILTER).split("; ") == [
        "JAX101+JAX703+JAX301/2/3 shown",
        "JAX703/1/1 of 3 shown",
        "JAX301/1/1 of 3 shown",
        "JAX101/1/1 of 3 shown",
        "JAX101+JAX703/1/2 of 3 shown",
        "/0/0 of 3 shown",
        "/0/0 of 3 shown",
        "3 shown",
        "JAX301/1/1 of 3 shown",
        "true",
    ]


THEME = """
  const say = [], button = document.getElementById("theme");
  const now = () => say.push(getComputedStyle(document.body).backgroundColor + " " + button.textContent);
  now(); button.click(); now(); button.click(); now();
  if (document.documentElement.scrollWidth > innerWidth) say.push("wider than the window");
  document.body.dataset.said = say.join("; ");
"""


@browser
@pytest.mark.parametrize(("scheme", "first"), [(0, "dark"), (1, "light")])
def test_light_and_dark(tmp_path: Path, scheme: int, first: str) -> None:
    looks = {"dark": "rgb(22, 24, 28) Light", "light": "rgb(255, 255, 255) Dark"}
    second = "light" if first == "dark" else "dark"
    long = replace(SPAN, filename="/p/" + "a" * 300 + ".py", message="w" * 400)
    page = render("html", [*ALL, long], context(text_of=lambda *_: "x" * 900))
    seen = said(page, tmp_path, THEME, f"--blink-settings=preferredColorScheme={scheme}", "--window-size=500,900")
    assert seen.split("; ") == [looks[first], looks[second], looks[first]]
