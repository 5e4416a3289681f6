"""The page and the sentences of `jaxlint observe`, from facts that may be hostile."""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import Tree
from observed import FLOAT, X, entry, facts_of
from test_observe import JAX, observe
from test_observe import write as write_files

from jaxlint.observe import beliefs, picture, ranking, sentence, table
from jaxlint.observe.beliefs import Beliefs, Found, Frontier
from jaxlint.observe.facts import Compilation, Entry, Event, Facts, Function, Totals
from jaxlint.observe.page import EVENTS, FINDINGS, FRONTIERS, FUNCTIONS, NAMES, Rule, html
from jaxlint.observe.ranking import Rows
from jaxlint.rule.registry import registry
from jaxlint.session.observed_findings import compared

HOSTILE = "a.py::<script>alert(1)</script>\"'&\u202e\x1b[31m`"
RULES = {"JAX301": Rule("key-reuse", "https://example.org/key-reuse"), "JAX404": Rule("<b>", 'x" onclick="y')}


def function(compiled: int, *reasons: tuple[str, str, int], seconds: float = 1.0) -> Function:
    compilations = [
        Compilation(0.1, 0.1, seconds, {"x": "float32[3]"}, [("x", "shape", "a", "b")], "a.py::g", float(at))
        for at in range(compiled)
    ]
    return Function(
        "f" * 16,
        compiled,
        compilations=compilations,
        compiled=compiled,
        traced=compiled,
        seconds=Totals(compile=seconds * compiled),
        reasons=[*reasons],
        entries=[Entry(("jax.jit",), compiled, True, "a.py::g")],
    )


FACTS = Facts(
    versions={"jax": ["0.10.2"], "python": ["3.12.1<"]},
    functions={
        "a.py::step": function(
            41, ("lr", "static value", 40), ("", "new function object", 1), ("", "first", 1)
        ),
        "a.py::g": Function("f" * 16, 1, entries=[Entry((), 1)]),
        HOSTILE: function(2, (HOSTILE, "shape", 1), (HOSTILE, HOSTILE, 1), seconds=0.1),
    },
    events=[
        Event("transfer", "a.py::g", 3, 2, what="__float__"),
        Event("transfer", "a.py::g", 5, 1, what="item", loop=True),
        Event("key reused", "a.py::g", 4, 1, (HOSTILE, 2)),
        Event("raised", HOSTILE, 4, 1, error="jax.errors.<i>"),
        Event(HOSTILE, HOSTILE, 4, 1, what=HOSTILE),
    ],
)


class Checked(HTMLParser):
    """Collects the elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


class Balanced(HTMLParser):
    """Finds elements that are not closed, or closed in another order."""

    VOID = ("meta",)

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.rows = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element of a picture without content."""

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.wrong.append(tag)


class TestPage:
    def test_hostile_names_are_text(self) -> None:
        checked = Checked()
        text = html(FACTS, Rows({"a.py::g": 10}), RULES)
        checked.feed(text)
        assert not checked.tags & {"script", "i", "img", "b>"}
        assert not [name for name in checked.attributes if name.startswith("on")]
        assert "&lt;script&gt;" in text
        assert checked.links and set(checked.links) <= {rule.url for rule in RULES.values()}

    def test_nothing_is_loaded(self) -> None:
        text = html(FACTS, Rows(), {})
        assert "default-src 'none'" in text
        assert not re.search(r"(src|href)=|url\(|@import", text)

    def test_functions_are_by_seconds_with_their_reasons(self) -> None:
        text = html(FACTS, Rows({"a.py::step": 7}), RULES).partition("<h2>Functions by seconds")[2]
        assert text.index("<code>step</code>") < text.index("&lt;/script&gt;")
        assert "<code>lr</code> is static and changed 40 times</p>" in text
        assert "a new function object was jitted once; <a href=" in text
        assert '<p class="faint">a.py:7</p>' in text

    def test_rules_beside_what_was_seen_are_there(self) -> None:
        there = {entry.code for entry in registry(()).entries}
        assert {code for codes in sentence.RULES.values() for code in codes} <= there

    def test_an_error_has_the_rules_that_claim_it(self) -> None:
        mask = "jax.errors.NonConcreteBooleanIndexError"
        rules = {"JAX111": Rule("mask", "m", mask), "JAX101": Rule("branch", "b", "jax.errors.Other")}
        facts = Facts(functions={}, events=[Event("raised", "a.py::g", 1, 1, error=mask)])
        text = html(facts, Rows(), rules)
        assert '<a href="m">JAX111 mask</a>' in text and "JAX101" not in text

    def test_pictures_are_svg(self) -> None:
        for text in (picture.timeline(FACTS), picture.graph(FACTS)):
            root = ElementTree.fromstring(text.replace("\x1b", ""))
            assert root.tag == "svg" and root.attrib["role"] == "img"
        bars = picture.timeline(FACTS).split("<g>")[1:]
        assert len(bars) == 41 + 2

    def test_no_facts_no_pictures(self) -> None:
        assert "<svg" not in html(Facts(), Rows(), {})

    def test_a_run_in_which_nothing_was_traced_says_so(self) -> None:
        said = "No function of the project was traced by <code>jit</code>."
        text = html(Facts(functions={"a.py::g": Function("f" * 16, 1)}), Rows(), {})
        assert said in text and "<table" not in text
        assert said not in html(FACTS, Rows(), {})

    def test_three_thousand_functions_make_a_page_of_bounded_size(self) -> None:
        functions = {f"src/part_{number % 40}.py::f{number}": function(32) for number in range(3000)}
        for number, each in enumerate(functions.values()):
            each.entries = [Entry(("jax.jit",), 1, True, f"src/part_{number // 2 % 40}.py::f{number // 2}")]
        keys = [*functions]
        kinds = ("leak", "key reused", "nan", "raised", "transfer")
        events = [Event(kinds[number % 5], keys[number], 1) for number in range(1000)]
        facts = Facts(functions=functions, events=events)
        findings = tuple(Found(f"a.py:{row}", "JAX101", "a message", True) for row in range(3000))
        linted = Beliefs(findings, tuple(Frontier(key, tuple(keys)) for key in keys))
        text = html(facts, Rows(dict.fromkeys(keys, 10)), RULES, linted)
        assert len(text) < 1_000_000
        for most, count in ((FUNCTIONS, 3000), (EVENTS, 1000), (FINDINGS, 3000), (FRONTIERS, 3000)):
            assert f"<p>{count - most} more" in text
        balanced = Balanced()
        balanced.feed(text)
        assert balanced.open == [] and balanced.wrong == []
        assert balanced.rows == FUNCTIONS + EVENTS + FINDINGS + FRONTIERS + 3  # and three heads

    def test_circles_have_a_place_in_the_graph(self) -> None:
        functions = {
            "a.py::f": Function("f", 1, entries=[Entry(("jax.vmap",), 1, caller="a.py::g")]),
            "a.py::g": Function("f", 1, entries=[Entry(("jax.vmap",), 1, caller="a.py::f")]),
            "a.py::h": Function("f", 1, entries=[Entry(("jax.vmap",), 1, caller="a.py::h")]),
        }
        text = picture.graph(Facts(functions=functions))
        assert text.count("<rect") == 2 and text.count("<path") == 2


class TestSentences:
    @pytest.mark.parametrize(
        ("reason", "text"),
        [
            (("lr", "static value", 40), "`lr` is static and changed 40 times"),
            (("x", "shape", 1), "`x` came in another shape once"),
            (("x", "weak type", 2), "`x` was weakly typed or not, which changed twice"),
            (("", "new function object", 3), "a new function object was jitted 3 times"),
            (("f", "new function object", 3), "`f` was a new function object 3 times"),
            (("{times}", "shape", 1), "`{times}` came in another shape once"),
            (("x", "{arg}", 1), "`x` differed ((arg)) once"),
        ],
    )
    def test_reasons(self, reason: tuple[str, str, int], text: str) -> None:
        assert [each.text for each in sentence.reasons(function(1, reason))] == [text]

    def test_the_first_trace_needs_no_reason(self) -> None:
        assert list(sentence.reasons(function(1, ("", "first", 1)))) == []

    def test_the_gravest_events_come_first(self) -> None:
        assert [(each.kind, each.line) for each in ranking.events(FACTS)][:4] == [
            ("key reused", 4), ("raised", 4), ("transfer", 5), ("transfer", 3),
        ]  # fmt: skip

    def test_the_table(self) -> None:
        lines = list(table.lines(FACTS, Rows({"a.py::step": 7, "a.py::g": 10}), "."))
        assert lines[0] == "a.py:7: `step` compiled 41 times, 41.00 s"
        assert lines[1] == "    `lr` is static and changed 40 times"
        assert "a.py:15: an array is read on the host by `item` in a loop, once" in lines

    def test_paths_of_the_table_are_seen_from_the_working_folder(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "run").mkdir()
        monkeypatch.chdir(tmp_path / "run")
        rows = Rows({"a.py::step": 7})
        assert next(table.lines(FACTS, rows, str(tmp_path))).startswith("../a.py:7: ")
        monkeypatch.chdir(tmp_path)
        assert next(table.lines(FACTS, rows, str(tmp_path))).startswith("a.py:7: ")


def section(text: str, title: str) -> str:
    """What stands below a title of the page, up to the next one; the title has to be there."""
    assert text.count(f"<h2>{title}</h2>") == 1
    return text.partition(f"<h2>{title}</h2>")[2].partition("<h2>")[0]


CONFIRMED = "Findings confirmed by the run"
UNTOLD = "What was traced that <code>check</code> did not know"


class TestBesideFindings:
    FINDINGS = (
        Found("a.py:1", "JAX101", "`x` is traced", True),
        Found("a.py:2", "JAX301", "key `k`", True, is_raised=True),
        Found("a.py:3", "JAX301", "not run", False),
        Found("a.py:4", "JAX301", "of nothing known", None),
        Found("a.py:5", "PLUG1", HOSTILE, True, contradiction="`lr` was never traced in 4 observed calls"),
        Found("a.py:6", "JAX101", "raised where rows were not looked at", None, is_raised=True),
    )

    def test_counts(self) -> None:
        assert beliefs.summary(self.FINDINGS) == (
            "6 findings of `check`: 4 on lines that ran (2 confirmed: raised), 1 did not run, "
            "of 1 it is not known, 1 contradicted"
        )
        assert beliefs.summary(self.FINDINGS[2:3]) == (
            "1 finding of `check`: 0 on lines that ran, 1 did not run, 0 contradicted"
        )
        assert beliefs.summary([]) == "no findings of `check`"

    def test_those_that_ran_are_listed_raised_ones_first(self) -> None:
        text = section(html(FACTS, Rows(), RULES, Beliefs(self.FINDINGS)), CONFIRMED)
        assert re.findall(r"<td>(a\.py:\d)</td>", text) == ["a.py:2", "a.py:6", "a.py:1", "a.py:5"]
        assert text.count("<td>confirmed: raised</td>") == 2
        assert "contradicted: <code>lr</code> was never traced in 4 observed calls" in text
        assert '<a href="https://example.org/key-reuse">JAX301 key-reuse</a>' in text

    def test_hostile_findings_and_names_are_text(self) -> None:
        found = Found(HOSTILE, HOSTILE, HOSTILE, True, contradiction=HOSTILE)
        linted = Beliefs(
            (found,), (Frontier(HOSTILE, (HOSTILE, HOSTILE)), Frontier("", (HOSTILE,))), (HOSTILE,)
        )
        checked = Checked()
        text = html(Facts(), Rows(), {}, linted)
        checked.feed(text)
        assert "script" not in checked.tags and not checked.links
        assert text.count("&lt;script&gt;") >= 9

    def test_what_is_too_much_is_counted(self) -> None:
        found = tuple(Found(f"a.py:{row}", "JAX101", "m", True) for row in range(FINDINGS + 3))
        names = tuple(f"a.py::f{number}" for number in range(NAMES + 2))
        frontiers = tuple(Frontier(f"a.py::g{number}", names) for number in range(FRONTIERS + 4))
        text = html(Facts(), Rows(), {}, Beliefs(found, frontiers))
        assert section(text, CONFIRMED).count("<tr><td>") == FINDINGS and "3 more: " in text
        assert section(text, UNTOLD).count(", 2 more</td>") == FRONTIERS
        assert "4 more places are in the facts." in text

    def test_without_linting_nothing_is_said(self) -> None:
        assert CONFIRMED not in html(FACTS, Rows(), RULES) and UNTOLD not in html(FACTS, Rows(), RULES)
        text = html(FACTS, Rows(), RULES, Beliefs(frontiers=()))
        assert "no findings of <code>check</code>" in section(text, CONFIRMED) and UNTOLD not in text


def traced(*callers: str) -> Function:
    return Function("f" * 16, 1, entries=[Entry(("jax.jit",), 1, True, caller) for caller in callers])


class TestBorders:
    """The place where knowledge ends: the nearest caller that is not itself unknown."""

    def test_functions_are_by_the_nearest_caller_that_is_known(self) -> None:
        functions = {
            "a.py::main": Function("f" * 16, 1, entries=[Entry((), 1)]),
            "a.py::known": traced("a.py::main"),
            "a.py::one": traced("a.py::main"),
            "a.py::two": traced("a.py::one"),
            "a.py::three": traced("a.py::three", "a.py::two"),
            "a.py::other": traced("a.py::known"),
            "a.py::library": traced(""),
            "b.py::excluded": traced("a.py::main"),
            "a.py::<module>": traced(""),
            "a.py::plain": Function("f" * 16, 1, entries=[Entry((), 1, caller="a.py::main")]),
        }
        analyzed = {key for key in functions if key.startswith("a.py")}
        assert beliefs.frontiers(Facts(functions=functions), {"a.py::known"}, analyzed) == (
            Frontier("a.py::main", ("a.py::one", "a.py::three", "a.py::two")),
            Frontier("", ("a.py::library",)),
            Frontier("a.py::known", ("a.py::other",)),
        )

    def test_circles_end(self) -> None:
        functions = {"a.py::f": traced("a.py::g"), "a.py::g": traced("a.py::f")}
        assert beliefs.frontiers(Facts(functions=functions), (), functions) == (
            Frontier("", ("a.py::f", "a.py::g")),
        )

    def test_all_is_known(self) -> None:
        functions = {"a.py::f": traced("a.py::g")}
        assert beliefs.frontiers(Facts(functions=functions), functions, functions) == ()


STEP = """\
import jax


@jax.jit
def step(x, lr):
    if x > 0:
        return x
    if lr > 0:
        return -x
    return x
"""


class TestCompared:
    """What linting says beside facts."""

    def test_raised_by_class_and_row(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        bool_error = "jax.errors.TracerBoolConversionError"

        def shown(*events: Event) -> list[tuple[str, bool | None, bool]]:
            ways = {"a.py::step": [entry("jax.jit", x=X, lr=X)]}
            facts = facts_of(root, ways, {"a.py::step": [1]}, events)
            found = compared([str(root)], str(root), facts, Rows({"a.py::step": 5}), with_frontiers=False)
            assert found.frontiers is None and found.problems == ()
            return [(each.place, each.has_run, each.is_raised) for each in found.findings]

        assert shown() == [("a.py:6", True, False), ("a.py:8", False, False)]
        raised = Event("raised", "a.py::step", 1, error=bool_error)
        assert shown(raised) == [("a.py:6", True, True), ("a.py:8", False, False)]
        other_class = Event("raised", "a.py::step", 1, error="jax.errors.TracerArrayConversionError")
        other_row, other_kind = (
            Event("raised", "a.py::step", 2, error=bool_error),
            Event("nan", "a.py::step", 1),
        )
        gone = Event("raised", "a.py::gone", 1, error=bool_error)
        assert shown(other_class, other_row, other_kind, gone) == shown()

    def test_contradictions(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "", "a.py": STEP})
        ways = {"a.py::step": [entry("jax.jit", count=41, x=X, lr=FLOAT)]}
        found = compared([str(root)], str(root), facts_of(root, ways), Rows({"a.py::step": 5}))
        assert [each.contradiction for each in found.findings] == [
            "", "`lr` was never traced in 41 observed calls",
        ]  # fmt: skip
        assert found.frontiers == ()

    def test_names_in_functions_and_classes_are_matched(self, tree: Tree) -> None:
        text = "import jax\n\nclass A:\n    @jax.jit\n    def m(x):\n        return jax.vmap(lambda y: y)(x)\n\ndef free(x):\n    return x\n"
        root = tree({"jaxlint.toml": "", "a.py": text})
        keys = {"a.py::A.m": 5, "a.py::A.m.<locals>.<lambda>": 6, "a.py::free": 8}
        facts = facts_of(root, {key: [entry("jax.jit")] for key in keys})
        assert compared([str(root)], str(root), facts, Rows(keys)).frontiers == (
            Frontier("", ("a.py::free",)),
        )

    def test_a_file_that_cannot_be_linted_is_a_line(self, tree: Tree) -> None:
        root = tree({"jaxlint.toml": "", "a.py": "def f(:\n"})
        found = compared([str(root)], str(root), Facts(), Rows())
        assert found == Beliefs((), (), ("a.py: not linted: `jaxlint check` says why",))


PROGRAM = """
    import jax, jax.numpy as jnp

    def inner(x):
        return x * 2

    def hidden(x):
        return inner(x)

    @jax.jit
    def bad(x):
        if x > 0:
            return x
        return -x

    @jax.jit
    def later(x):
        if x > 1:
            return x
        return -x

    def main(name):
        jax.jit(globals()[name])(jnp.ones(3))
        try:
            bad(1.0)
        except Exception:
            print("raised")

    main("".join(["hid", "den"] if jax.__version__ else []))
"""


class TestRun:
    """One run of a program with the JAX that is installed."""

    def test_the_page_shows_what_linting_says(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"main.py": PROGRAM})
        done = observe(tmp_path, "--page", "p.html", "--", sys.executable, "main.py")
        assert (done.returncode, done.stdout) == (0, "raised\n"), done.stderr
        counts = (
            "2 findings of `check`: 1 on lines that ran (1 confirmed: raised), 1 did not run, 0 contradicted"
        )
        assert f"jaxlint: {counts}\n" in done.stderr
        text = (tmp_path / "p.html").read_text(encoding="utf-8")
        assert re.findall(r"<td>(main\.py:\d+)</td>", section(text, CONFIRMED)) == ["main.py:12"]
        untold = section(text, UNTOLD)
        assert "<code>main</code>" in untold and "<td><code>hidden</code>, <code>inner</code></td>" in untold
        assert {path.name for path in tmp_path.iterdir()} == {"main.py", "p.html", "pyproject.toml"}

    def test_linting_that_fails_costs_one_line(self, tmp_path: Path) -> None:
        write_files(tmp_path, {**JAX, "main.py": "import jax, sys\ndef f(): pass\nf()\nsys.exit(7)\n"})
        (tmp_path / "jaxlint.toml").write_text("select = 3\n", encoding="utf-8")
        words = ("--facts", "f.json", "--page", "p.html", "--", sys.executable, "main.py")
        done = observe(tmp_path, *words)
        assert done.returncode == 7
        assert [line for line in done.stderr.splitlines() if "not linted" in line] == [
            f"jaxlint: not linted: {tmp_path / 'jaxlint.toml'}:1: `select` must be a list of strings, not a number"
        ]
        assert "jaxlint: facts: f.json" in done.stderr
        assert CONFIRMED not in (tmp_path / "p.html").read_text(encoding="utf-8")
        again = observe(tmp_path, "--no-check", *words)
        assert again.returncode == 7 and "not linted" not in again.stderr and "of `check`" not in again.stderr
