"""What runs showed, as one HTML page that needs nothing else.

In: facts, the rows of functions, what linting says, and the pages of rules. Out: the page's text: functions
by the seconds of compiling with the reasons, what happened at which lines, a timeline of compilations, who
traces whom, and beside that what linting says. All texts are escaped; the page runs no script and loads
nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from jaxlint.observe import beliefs, picture, ranking, sentence
from jaxlint.observe.beliefs import Beliefs, Found, Frontier
from jaxlint.observe.facts import Event, Facts, Function
from jaxlint.observe.ranking import Rows
from jaxlint.observe.sentence import Sentence

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
FUNCTIONS, EVENTS, FINDINGS, FRONTIERS, NAMES, CLAIMING = 200, 300, 300, 100, 30, 3

_TITLES = {
    "leak": "Leaked tracers",
    "key reused": "Keys consumed twice",
    "nan": "NaNs",
    "raised": "Raised while tracing",
    "transfer": "Arrays read on the host",
}

_STYLE = """
:root { color-scheme: light dark; --text: #1b1f24; --faint: #59636e; --line: #8c959f; --box: #f1f4f8;
  --compiled: #dbeafe; --trace: #2471a3; --lower: #b9770e; --compile: #c0392b }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --faint: #9aa4af; --line: #6e7681; --box: #1c2430; --compiled: #123458 } }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem;
  color: var(--text) }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid #8884 }
td.number { text-align: right; white-space: nowrap } th.number { text-align: right }
td p { margin: .1rem 0 0; overflow-wrap: anywhere } code { font-size: 13px; overflow-wrap: anywhere }
.faint, svg .faint { color: var(--faint); fill: var(--faint); font-size: 13px }
.picture { overflow: auto; max-height: 40rem } .events td:first-child { width: 35% }
svg text { font: 11px ui-monospace, monospace; fill: var(--text) }
svg text.faint { fill: var(--faint); font-size: 10px } path { fill: none; stroke: var(--line) }
.lane { stroke: #8883 } .trace { fill: var(--trace) } .lower { fill: var(--lower) }
.compile { fill: var(--compile) } .box { fill: var(--box); stroke: var(--line); rx: 5 }
.box.compiled { fill: var(--compiled) } b.trace, b.lower, b.compile { padding: 0 .5em; margin-right: .3em }
b.trace { background: var(--trace) } b.lower { background: var(--lower) }
b.compile { background: var(--compile) }
@media (max-width: 50rem) { table { display: block; overflow-x: auto }
  td:first-child, td:last-child { min-width: 11rem } }
"""


class Rule(NamedTuple):
    """A rule's name and the address of its page. error: the class that its claim says a program raises."""

    name: str
    url: str
    error: str = ""


def html(facts: Facts, rows: Rows, rules: Mapping[str, Rule], linted: Beliefs | None = None) -> str:
    """The page. rows: of the `def` of functions, by key. rules: by code. linted: None where nothing was."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8"><title>jaxlint observe</title>',
            f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<style>{_STYLE}</style></head><body><h1>jaxlint observe</h1>",
            f"<p>{escape(summary(facts))}</p>",
            *_pictures(facts),
            *_functions(facts, rows, rules),
            *_events(facts, rows, rules),
            *(() if linted is None else _findings(linted, rules)),
            *_frontiers((linted and linted.frontiers) or (), rows),
            "</body></html>",
            "",
        ]
    )


def summary(facts: Facts) -> str:
    """One sentence that sums up."""
    traced = sum(bool(function.traced) for function in facts.functions.values())
    compiled = sum(function.compiled for function in facts.functions.values())
    seconds = sum(ranking.compiling(function) for function in facts.functions.values())
    versions = ", ".join(f"{name} {' and '.join(facts.versions.get(name, ()))}" for name in ("jax", "python"))
    return (
        f"{_counted(facts.runs, 'run')} with {versions}: {_counted(len(facts.functions), 'function')} ran, "
        f"{traced} of them traced by jit; {_counted(compiled, 'compilation')}, "
        f"{seconds:.1f} s of tracing, lowering and compiling."
    )


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _pictures(facts: Facts) -> Iterator[str]:
    timeline, graph = picture.timeline(facts), picture.graph(facts)
    if timeline:
        yield "<h2>Compilations over time</h2>"
        yield '<p class="faint"><b class="trace"></b>traced <b class="lower"></b>lowered '
        yield f'<b class="compile"></b>compiled</p><div class="picture">{timeline}</div>'
    if graph:
        yield f'<h2>Who traces whom</h2><div class="picture">{graph}</div>'


def _functions(facts: Facts, rows: Rows, rules: Mapping[str, Rule]) -> Iterator[str]:
    ranked = ranking.by_seconds(facts)
    if not ranked:
        yield "<p>No function of the project was traced by <code>jit</code>.</p>"
        return
    yield "<h2>Functions by seconds of compiling</h2><table><thead><tr><th>function</th>"
    yield '<th class="number">compiled</th><th class="number">traced</th><th class="number">seconds</th>'
    yield '<th class="number">run</th><th>why</th></tr></thead><tbody>'
    for key, function in ranked[:FUNCTIONS]:
        yield _function(key, function, rows, rules)
    yield "</tbody></table>"
    if len(ranked) > FUNCTIONS:
        yield f"<p>{len(ranked) - FUNCTIONS} more are in the facts.</p>"


def _function(key: str, function: Function, rows: Rows, rules: Mapping[str, Rule]) -> str:
    seconds = function.seconds
    split = f"{seconds.trace:.2f} + {seconds.lower:.2f} + {seconds.compile:.2f}"
    run = f"{seconds.run:.2f} s<p class='faint'>{function.runs} calls</p>" if function.runs else ""
    why = "".join(f"<p>{_sentence(said, rules)}</p>" for said in sentence.reasons(function))
    return (
        f"<tr><td><code>{escape(sentence.name_of(key))}</code>"
        f'<p class="faint">{escape(ranking.place(key, 0, rows))}</p></td>'
        f'<td class="number">{function.compiled}</td><td class="number">{function.traced}</td>'
        f'<td class="number">{ranking.compiling(function):.2f}<p class="faint">{split}</p></td>'
        f'<td class="number">{run}</td><td>{why}</td></tr>'
    )


def _sentence(said: Sentence, rules: Mapping[str, Rule]) -> str:
    """A sentence, what is between backticks as code, and the rules beside it that there are."""
    text = _coded(said.text)
    links = [_link(code, rules) for code in said.rules if code in rules]
    return f"{text}; {', '.join(links)}" if links else text


def _coded(text: str) -> str:
    """A text with what is between backticks as code."""
    parts = escape(text).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def _link(code: str, rules: Mapping[str, Rule]) -> str:
    """A rule's code and name, which lead to its page; of a rule without one only the code."""
    if code not in rules:
        return escape(code)
    return f'<a href="{escape(rules[code].url)}">{escape(code)} {escape(rules[code].name)}</a>'


def _events(facts: Facts, rows: Rows, rules: Mapping[str, Rule]) -> Iterable[str]:
    found = ranking.events(facts)
    kind = None
    for event in found[:EVENTS]:
        if event.kind != kind:
            if kind is not None:
                yield "</tbody></table>"
            kind = event.kind
            yield f"<h2>{escape(_TITLES.get(kind, kind))}</h2>"
            yield '<table class="events"><tbody>'
        place = ranking.place(event.function, event.line, rows)
        first = ""
        if event.first is not None and event.first != (event.function, event.line):
            first = f'<p class="faint">first at {escape(ranking.place(*event.first, rows))}</p>'
        said = _sentence(_happened(event, rules), rules)
        yield f"<tr><td><code>{escape(sentence.name_of(event.function))}</code>"
        yield f'<p class="faint">{escape(place)}</p>{first}</td><td>{said}</td></tr>'
    if kind is not None:
        yield "</tbody></table>"
    if len(found) > EVENTS:
        yield f"<p>{len(found) - EVENTS} more are in the facts.</p>"


def _happened(event: Event, rules: Mapping[str, Rule]) -> Sentence:
    """An event as a sentence; of an error, with the rules that claim it."""
    said = sentence.happened(event)
    if event.kind != "raised":
        return said
    claiming = [code for code, rule in rules.items() if rule.error == event.error]
    return said._replace(rules=tuple(sorted(claiming)[:CLAIMING]))


def _findings(linted: Beliefs, rules: Mapping[str, Rule]) -> Iterator[str]:
    """How many findings the run confirms, and those whose lines ran."""
    yield f"<h2>Findings confirmed by the run</h2><p>{_coded(beliefs.summary(linted.findings))}</p>"
    yield from (f"<p>{_coded(problem)}</p>" for problem in linted.problems)
    ran = [each for each in linted.findings if each.ran]
    if not ran:
        return
    yield "<table><thead><tr><th>place</th><th>rule</th><th>finding</th><th>run</th></tr></thead><tbody>"
    yield from (_finding(each, rules) for each in sorted(ran, key=lambda each: not each.is_raised)[:FINDINGS])
    yield "</tbody></table>"
    if len(ran) > FINDINGS:
        yield f"<p>{len(ran) - FINDINGS} more: <code>jaxlint check --facts FILE --only-observed</code></p>"


def _finding(found: Found, rules: Mapping[str, Rule]) -> str:
    marks = [beliefs.RAISED if found.is_raised else "ran"]
    if found.contradiction:
        marks.append(f"{beliefs.CONTRADICTED}: {found.contradiction}")
    return (
        f"<tr><td>{escape(found.place)}</td><td>{_link(found.code, rules)}</td>"
        f"<td>{_coded(found.message)}</td><td>{_coded(', '.join(marks))}</td></tr>"
    )


def _frontiers(found: Sequence[Frontier], rows: Rows) -> Iterator[str]:
    """What was traced that linting did not know, by the place where its knowledge ends."""
    if not found:
        return
    yield "<h2>What was traced that <code>check</code> did not know</h2><table><thead><tr>"
    yield '<th>where knowledge ends</th><th class="number">functions</th><th>traced behind it</th>'
    yield "</tr></thead><tbody>"
    for frontier in found[:FRONTIERS]:
        place = "called by no function of the project"
        if frontier.caller:
            where = escape(ranking.place(frontier.caller, 0, rows))
            place = f"<code>{escape(sentence.name_of(frontier.caller))}</code>"
            place += f'<p class="faint">{where}</p>'
        names = [f"<code>{escape(sentence.name_of(key))}</code>" for key in frontier.functions[:NAMES]]
        more = len(frontier.functions) - len(names)
        names += [f"{more} more"] if more else []
        yield f'<tr><td>{place}</td><td class="number">{len(frontier.functions)}</td>'
        yield f"<td>{', '.join(names)}</td></tr>"
    yield "</tbody></table>"
    if len(found) > FRONTIERS:
        yield f"<p>{len(found) - FRONTIERS} more places are in the facts.</p>"
