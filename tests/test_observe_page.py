"""The page and the sentences of `jaxlint observe`, from facts that may be hostile."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from jaxlint.observe import picture, ranking, sentence, table
from jaxlint.observe.facts import Compilation, Entry, Event, Facts, Function, Totals
from jaxlint.observe.page import Rule, html

HOSTILE = "a.py::<script>alert(1)</script>\"'&\u202e\x1b[31m`"
RULES = {"JAX301": Rule("key-reuse", "https://example.org/key-reuse"), "JAX406": Rule("<b>", 'x" onclick="y')}


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
        "a.py::step": function(41, ("lr", "static value", 40), ("", "first", 1)),
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


class TestPage:
    def test_hostile_names_are_text(self) -> None:
        checked = Checked()
        text = html(FACTS, {"a.py::g": 10}, RULES)
        checked.feed(text)
        assert not checked.tags & {"script", "i", "img", "b>"}
        assert not [name for name in checked.attributes if name.startswith("on")]
        assert "&lt;script&gt;" in text
        assert checked.links and set(checked.links) <= {rule.url for rule in RULES.values()}

    def test_nothing_is_loaded(self) -> None:
        text = html(FACTS, {}, {})
        assert "default-src 'none'" in text
        assert not re.search(r"(src|href)=|url\(|@import", text)

    def test_functions_are_by_seconds_with_their_reasons(self) -> None:
        text = html(FACTS, {"a.py::step": 7}, RULES).partition("<h2>Functions by seconds")[2]
        assert text.index("<code>step</code>") < text.index("&lt;/script&gt;")
        assert "<code>lr</code> is static and changed 40 times; <a href=" in text
        assert '<p class="faint">a.py:7</p>' in text

    def test_pictures_are_svg(self) -> None:
        for text in (picture.timeline(FACTS), picture.graph(FACTS)):
            root = ElementTree.fromstring(text.replace("\x1b", ""))
            assert root.tag == "svg" and root.attrib["role"] == "img"
        bars = picture.timeline(FACTS).split("<g>")[1:]
        assert len(bars) == 41 + 2

    def test_no_facts_no_pictures(self) -> None:
        assert "<svg" not in html(Facts(), {}, {})

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
        lines = list(table.lines(FACTS, {"a.py::step": 7, "a.py::g": 10}))
        assert lines[0] == "a.py:7: `step` compiled 41 times, 41.00 s"
        assert lines[1] == "    `lr` is static and changed 40 times"
        assert "a.py:15: an array is read on the host by `item` in a loop, once" in lines
