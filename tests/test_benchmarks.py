"""The benchmarks run, on next to nothing. What they measure is not looked at."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import xml.etree.ElementTree as xml
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS = ROOT / "benchmarks"
PACKAGE = {
    "__init__.py": "",
    "model.py": "import jax\n\n\ndef draw(key):\n    return jax.random.normal(key) + jax.random.normal(key)\n",
    "train.py": '"""Text."""\n\nfrom __future__ import annotations\n\nfrom small.model import draw\n\nx = draw\n',
}


def ran(name: str, *arguments: str) -> str:
    command = [sys.executable, str(BENCHMARKS / name), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def small(tmp_path: Path) -> str:
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in PACKAGE.items():
        (folder / name).write_text(text, encoding="utf-8")
    return str(folder)


def test_growth_and_its_plot(small: str, tmp_path: Path) -> None:
    figures, plot = tmp_path / "figures.csv", tmp_path / "plot.svg"
    ran("growth.py", small, "--lines", "30", "--together", "--csv", str(figures))
    rows = list(csv.DictReader(figures.read_text(encoding="utf-8").splitlines()))
    assert {row["series"] for row in rows} == {"projects", "bare parse", "one project"}
    ran("plot.py", str(figures), str(plot))
    drawn = xml.parse(plot).getroot()
    circles = [each for each in drawn.iter() if each.tag.endswith("circle")]
    assert len(circles) == len(rows)
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    for each in circles:
        assert 0 < float(each.attrib["cx"]) < width and 0 < float(each.attrib["cy"]) < height


def test_stages(small: str) -> None:
    rows = [row.split() for row in ran("stages.py", small, "--copies", "2").splitlines() if row]
    named = {row[0]: row[1:] for row in rows}
    assert {
        "discovery",
        "division",
        "parsing",
        "analysis",
        "rendering",
        "store",
        "all",
        "cache:",
    } <= named.keys()
    assert float(named["analysis"][0]) > 0 and ["shards:", "2"] in rows


def test_shapes() -> None:
    rows = ran(
        "shapes.py", "jitted", "sum", "--doublings", "1", "--scale", "0.01", "-f", "concise"
    ).splitlines()
    assert [row.split()[:2] for row in rows[1:]] == [
        ["jitted", "5"],
        ["jitted", "10"],
        ["sum", "20"],
        ["sum", "40"],
    ]


def test_changes(small: str) -> None:
    (Path(small) / "more.py").write_text("def f(x):\n    y = x\n    return y\n", encoding="utf-8")
    rows = ran("changes.py", small, "--count", "2").splitlines()
    assert rows[0].startswith("4 files") and rows[-1].endswith("(quartiles)")


def test_link(small: str) -> None:
    rows = [line.split() for line in ran("link.py", small, "--lines", "10", "30").splitlines()]
    assert [row[-1] for row in rows[1:4]] == ["1", "3", "extrapolated"]


def test_link_of_a_made_up_project() -> None:
    linked = json.loads(ran("link.py", "--once", "8000"))
    assert linked["modules"] > 40 and linked["findings"]


def test_editor(small: str) -> None:
    assert '"findings": 1' in ran("editor.py", small, "--edits", "2")


def test_robustness(small: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = ran("robustness.py", "--files", small, "-j", "1").splitlines()
    assert rows[2:] == ["| files | 3 | 0 | 1 | 0 |"]
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import random

    import robustness
    from test_failures import broken

    from jaxlint.calling.calls import Calls

    text = PACKAGE["model.py"].encode()
    assert robustness.lint(text) == (1, 0, [])
    for mutation in robustness.MUTATIONS:
        chance = random.Random(1)
        assert all(isinstance(mutation(text, chance, [text]), bytes) for _ in range(20))
    monkeypatch.setattr(Calls, "call", broken)
    assert "ZeroDivisionError" in robustness.lint(text)[2][0]


def test_others_tell_programs_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ruff and jaxlint on pairs whose difference is known; a tool that fails is no tool that finds nothing."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import others  # type: ignore[import-not-found]

    pairs = {
        "keys": (
            "import jax\nkey = jax.random.key(0)\nx = jax.random.normal(key) + jax.random.normal(key)\n",
            "import jax\na, b = jax.random.split(jax.random.key(0))\nx = jax.random.normal(a) + jax.random.normal(b)\n",
        ),
        "unused": ("import jax\nimport os\nx = jax.numpy.ones(3)\n", "import jax\nx = jax.numpy.ones(3)\n"),
        "equal": ("import os\n", "import os\n"),
    }
    tools = {tool.title: tool for tool in others.TOOLS}
    folder = Path(sys.executable).parent
    assert others.told_apart(tools["Ruff"], str(folder / "ruff"), pairs) == (1, {"F401": 1})
    assert others.told_apart(tools["jaxlint"], str(folder / "jaxlint"), pairs) == (1, {"JAX301": 1})
    with pytest.raises(RuntimeError, match="ended with 2"):
        others.told_apart(others.Tool("Ruff", ("ruff", "--no-such-flag")), str(folder / "ruff"), pairs)
    assert len(others.hazards()) > 100 and len(others.examples()) > 40


TRACED = """import jax
import jax.numpy as jnp


def staged(x, factor):
    return x * factor


def leaves(tree):
    return jax.tree.map(lambda leaf: leaf + 1.0, tree)


def plain(x):
    return x + 1


def by_name(name, x):
    return jax.jit(globals()[name])(x)


def hidden(x):
    return x


TRANSFORMED = jax.jit(staged, static_argnames="factor")
"""
CALLS = """import jax
import jax.numpy as jnp
from traced import model


def test_all():
    model.TRANSFORMED(jnp.ones(2), factor=2)
    jax.jit(model.leaves)({"a": 1.0})
    model.plain(1)
    model.by_name("".join(["hid", "den"]), jnp.ones(2))
"""


def traced_library(folder: Path, calls: str) -> tuple[Path, Path]:
    """Writes a library and its tests."""
    library, tests = folder / "traced", folder / "tests"
    library.mkdir()
    tests.mkdir()
    (library / "__init__.py").touch()
    (library / "model.py").write_text(TRACED, encoding="utf-8")
    (tests / "test_model.py").write_text(calls, encoding="utf-8")
    return library, tests


def test_tracedness(tmp_path: Path) -> None:
    library, tests = traced_library(tmp_path, CALLS)
    folder = tmp_path / "kept"
    arguments = (str(library), str(tests), "--folder", str(folder), "--missed", "--false")
    rows = ran("tracedness.py", *arguments).splitlines()
    shown = rows[[row.startswith("with tests") for row in rows].index(True) :]
    assert "with tests     arrays 1 of 2 (50 %), pytrees 1 of 1 (100 %), false 0 of 2 (0 %)" in rows
    assert "library alone  arrays 1 of 2 (50 %), pytrees 0 of 1 (0 %), false 0 of 1 (0 %)" in rows
    assert "    1  traced/model.py:18" in rows
    assert any(row.startswith("  traced/model.py:21 hidden(x)") for row in rows)
    assert ran("tracedness.py", *arguments).splitlines() == shown
    rows = ran("tracedness.py", *arguments, "--facts").splitlines()
    assert "with facts     arrays 2 of 2 (100 %), pytrees 1 of 1 (100 %), false 0 of 3 (0 %)" in rows
    assert "alone, facts   arrays 2 of 2 (100 %), pytrees 1 of 1 (100 %), false 0 of 3 (0 %)" in rows


NOT_TRACED = """import jax
import jax.numpy as jnp
from traced import model


def test_off():
    getattr(jax.config, "".join(["up", "date"]))("jax_disable_jit", True)
    model.TRANSFORMED(jnp.ones(2), factor=2)


def test_plain():
    model.leaves({"a": 1.0})


def compiled():
    return jax.jit(model.leaves)({"a": 1.0})


def test_fails():
    assert False
    compiled()
"""


def test_tracedness_of_what_was_never_traced(tmp_path: Path) -> None:
    """A belief is false where the calls ran that lead to it, and open where they did not."""
    library, tests = traced_library(tmp_path, NOT_TRACED)
    rows = ran("tracedness.py", str(library), str(tests), "--false").splitlines()
    wrong = rows.index("never a tracer:")
    unrun = rows.index("nor these, by calls that did not run:")
    assert "false 1 of 2 (50 %), and 1 by calls that did not run" in next(
        row for row in rows if row.startswith("with")
    )
    assert rows[wrong + 1].startswith("  traced/model.py:5 staged(x)")
    assert rows[unrun + 1].startswith("  traced/model.py:9 leaves(tree)")
