"""Findings as diagnostics: positions, messages, notes and fixes, made late because few findings hold.

In: findings with the function contexts that they were found in, and the texts and programs of files. Out:
diagnostics, one for each place and rule. What a file says of the same findings in the same texts is rendered
once and kept, so that nothing of it is parsed again.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from typing import NamedTuple, Protocol

from jaxlint.analysis.function_context import Event
from jaxlint.diagnostic import Applicability, Diagnostic, Fix, Note, Severity, Span
from jaxlint.failure import MESSAGE, Failure
from jaxlint.fixes.imports import are_in_time
from jaxlint.ir.finding import Finding, NodeFinding, Part
from jaxlint.ir.locations import Located
from jaxlint.ir.program import Program
from jaxlint.report.trace_notes import Chains, Step, is_observed, places
from jaxlint.rule.definition import Rule, SyntacticRule
from jaxlint.rule.registry import Registry
from jaxlint.source.comments import read_layout
from jaxlint.source.lazy_libcst import cst
from jaxlint.source.lossless import Unparsed
from jaxlint.source.text import read_source

URL = "https://github.com/jaxlint/jaxlint/blob/main/docs/rules/{name}.md"
_Rank = tuple[bool, str, bool, str, int]
_LONGEST = 32
_RANK: dict[Applicability, int] = {"safe": 0, "unsafe": 1, "displayonly": 2}
_ADDRESS = " at 0x"  # in the text of an object that says nothing of itself


class Kept(Protocol):
    """Diagnostics of files, by key."""

    def get(self, key: str) -> list[Diagnostic] | None: ...

    def put(self, key: str, found: Sequence[Diagnostic]) -> None: ...


class Place(NamedTuple):
    """What one diagnostic is about, in the order in which they are told."""

    path: str
    nid: int
    code: str


@dataclass(slots=True)
class Choice:
    """Of all findings of one rule at one place the one that is shown, with the way to it; and those that
    differ in what a fix needs to know."""

    finding: Finding
    chain: list[Step]
    variants: list[Finding]

    def steps(self) -> list[Step]:
        return [*self.chain, *self.finding.also]

    def text(self) -> str:
        """All that the diagnostic depends on besides the texts of files."""
        return repr(
            (
                [(module.path, number, text) for module, number, text in self.steps()],
                self.finding.rule.code,
                [
                    (each.nid, each.message, each.help, each.label, each.names, each.data)
                    for each in (self.finding, *self.variants)
                ],
            )
        )


class Rendering:
    """The findings of one run."""

    def __init__(
        self,
        programs: Mapping[str, Program],
        data: Mapping[str, bytes],
        registry: Registry,
        chains: Chains,
        kept: Kept | None,
        is_told: Callable[[str, str], bool],
    ) -> None:
        """
        Args:
            kept: What was rendered before.
            is_told: Whether a code is told of in a file, by the path.
        """
        self.programs = programs
        self.data = data
        self.registry = registry
        self.chains = chains
        self.kept = kept
        self.is_told = is_told
        self.located: dict[str, Located] = {}
        self.lost: set[tuple[str, int]] = set()  # what LibCST does not parse, by path and number
        self.failures: dict[Failure, None] = {}

    def diagnostics(self, findings: Iterable[tuple[Event, Finding]]) -> list[Diagnostic]:
        chosen = sorted(self._chosen(findings).items(), key=lambda item: item[0])
        found: list[Diagnostic] = []
        left: list[tuple[str, str, list[Choice]]] = []
        for path, group in groupby(chosen, key=lambda item: item[0].path):
            choices = [choice for place, choice in group if self.is_told(path, place.code)]
            key, before = self._kept(path, choices)
            if before is None or len(before) != len(choices):
                left.append((path, key, choices))
            else:
                found += before
        self._locate(left)
        for path, key, choices in left:
            made = [
                diagnostic
                for each in choices
                if not any((path, number) in self.lost for number in _numbers(each.finding))
                if (diagnostic := self._attempted(path, each)) is not None
            ]
            if self.kept is not None and key and not self.lost and not self.failures:
                self.kept.put(key, made)
            found += made
        return found

    def _attempted(self, path: str, choice: Choice) -> Diagnostic | None:
        """The diagnostic of a finding; where it cannot be made, a failure of its rule."""
        try:
            return self._diagnostic(path, choice.finding, choice.chain, choice.variants)
        except Exception as error:
            self._fail(error, path, choice.finding)
            return None

    def _fail(self, error: Exception, path: str, finding: Finding) -> None:
        self.failures[Failure.of(error, path, finding.nid, finding.rule.code)] = None

    def _kept(self, path: str, choices: Sequence[Choice]) -> tuple[str, list[Diagnostic] | None]:
        """What the diagnostics of a file are kept under, and those that are kept. What goes wrong there costs
        time only."""
        try:
            key = self._key(path, choices)
            return key, None if self.kept is None or not key else self.kept.get(key)
        except Exception:
            return "", None

    def row_of(self, failure: Failure) -> Span | None:
        """Where a failure is in its file, as far as that can be known."""
        if failure.number is None or failure.path not in self.programs:
            return None
        try:
            located = self.located.get(failure.path)
            if located is None:
                located = Located(read_source(self.data[failure.path]), self.programs[failure.path])
                self.located[failure.path] = located
            return located.span(failure.number)
        except Exception:
            return None

    def lost_paths(self) -> list[str]:
        """The files of which LibCST does not parse a part that something is said of."""
        return sorted({path for path, _ in self.lost})

    def _chosen(self, findings: Iterable[tuple[Event, Finding]]) -> dict[Place, Choice]:
        chosen: dict[Place, Choice] = {}
        for event, finding in findings:
            place = Place(event.module.path, finding.nid, finding.rule.code)
            try:
                chain = self.chains.to(event.frame) if finding.traced else []
            except Exception as error:
                self._fail(error, place.path, finding)
                continue
            before = chosen.get(place)
            if before is None:
                chosen[place] = Choice(finding, chain, [finding])
                continue
            if all(finding.data != other.data for other in before.variants):
                before.variants.append(finding)
            if _way(chain, finding) < _way(before.chain, before.finding):
                before.finding, before.chain = finding, chain
        return {
            place: choice
            for place, choice in chosen.items()
            if not any(
                place._replace(code=other) in chosen and self.is_told(place.path, other)
                for other in choice.finding.rule.unless
            )
        }

    def _key(self, path: str, choices: Sequence[Choice]) -> str:
        """What the diagnostics of a file are kept under; empty where they cannot be."""
        if self.kept is None:
            return ""
        texts = [each.text() for each in choices]
        if any(_ADDRESS in text for text in texts):
            return ""
        paths = {path, *(module.path for each in choices for module, _, _ in each.steps())}
        key = blake2b(digest_size=20)
        for each in sorted(paths):
            key.update(f"{each}\0{len(self.data[each])}\0".encode("utf-8", "surrogatepass"))
            key.update(self.data[each])
        key.update("\0".join(texts).encode("utf-8", "surrogatepass"))
        return key.hexdigest()

    def _locate(self, groups: Iterable[tuple[str, str, Iterable[Choice]]]) -> None:
        """Finds where all is that these speak of."""
        wanted: dict[str, set[int]] = {}
        for path, _, choices in groups:
            for each in choices:
                wanted.setdefault(path, set()).update(_numbers(each.finding))
                for module, number, _ in each.steps():
                    wanted.setdefault(module.path, set()).add(number)
        for path in sorted(wanted):
            try:
                located = Located(read_source(self.data[path]), self.programs[path])
                self.lost.update((path, number) for number in located.unknown(wanted[path]))
                self.located[path] = located
            except Exception as error:
                self.failures[Failure.of(error, path)] = None
                self.lost.update((path, number) for number in wanted[path])

    def _diagnostic(
        self, path: str, finding: Finding, chain: list[Step], variants: list[Finding]
    ) -> Diagnostic:
        located = self.located[path]
        rule = finding.rule
        entry = self.registry.entry(rule.code)
        texts = {name: _text(located, value) for name, value in finding.names.items()}
        names = _cut(finding, texts, _LONGEST)
        loose = frozenset(name for name, text in texts.items() if _is_loose(text))
        notes = []
        for module, number, text in [*chain, *finding.also]:
            if (module.path, number) in self.lost:
                continue
            place = self.located[module.path]
            name = _shortened(place.text(number).split("(")[0])
            notes.append(Note(module.path, place.span(number), _filled(text, {**names, "here": name})))
        severity: Severity = entry.severity
        return Diagnostic(
            path,
            located.span(finding.nid),
            rule.code,
            rule.name,
            severity,
            _message(finding, texts),
            _filled(finding.help, names, loose) or None,
            self._fix(path, rule, variants, located),
            tuple(notes),
            noqa_row=located.ignore_row(finding.nid),
            url=URL.format(name=rule.name),
            label=_filled(finding.label, names) or None,
        )

    def of_nodes(
        self, path: str, located: Located, found: Iterable[tuple[SyntacticRule, NodeFinding]]
    ) -> list[Diagnostic]:
        """The diagnostics of what syntactic rules have found in a file, one for each place and rule."""
        made: dict[tuple[str, Span], Diagnostic] = {}
        for rule, finding in found:
            try:
                diagnostic = self._of_node(path, located, rule, finding)
            except Exception as error:
                self.failures[Failure.of(error, path, None, rule.code)] = None
                continue
            made.setdefault((rule.code, diagnostic.span), diagnostic)
        return [*made.values()]

    def _of_node(self, path: str, located: Located, rule: SyntacticRule, finding: NodeFinding) -> Diagnostic:
        texts = {name: _text_of_node(located, value) for name, value in finding.names.items()}
        names = {
            name: text if isinstance(finding.names[name], str) else _shortened(text)
            for name, text in texts.items()
        }
        span = located.span_of_header(finding.node)
        message = finding.message
        for longest in range(_LONGEST, 7, -4):
            cut = {name: _shortened(text, longest) for name, text in texts.items()}
            message = _filled(finding.message, cut)
            if len(message) <= MESSAGE:
                break
        also = [(located.span_of_header(node), _filled(text, names)) for node, text in finding.also]
        loose = frozenset(name for name, text in texts.items() if _is_loose(text))
        return Diagnostic(
            path,
            span,
            rule.code,
            rule.name,
            self.registry.entry(rule.code).severity,
            message,
            _filled(finding.help, names, loose) or None,
            self._fix_of_node(path, located, rule, finding),
            tuple(Note(path, where, text) for where, text in also),
            noqa_row=read_layout(located.source.text).statement_of(span.row)[1],
            url=URL.format(name=rule.name),
            label=_filled(finding.label, names) or None,
        )

    def _fix_of_node(
        self, path: str, located: Located, rule: SyntacticRule, finding: NodeFinding
    ) -> Fix | None:
        try:
            fix = rule.repair(finding, located)
            return fix if fix is None or are_in_time(located, fix) else None
        except Exception as error:
            self.failures[Failure.of(error, path, None, rule.code)] = None
            return None

    def _fix(self, path: str, rule: Rule, variants: list[Finding], located: Located) -> Fix | None:
        """The fix that all ways of reaching the finding agree on, as safe as the least of them."""
        try:
            fixes = [rule.repair(finding, located) for finding in variants]
            if fixes[0] is not None and not are_in_time(located, fixes[0]):
                return None
        except Unparsed:  # in a part of the file that the fix would have to know
            return None
        except Exception as error:
            self._fail(error, path, variants[0])
            return None
        least: Fix | None = None
        for fix in fixes:
            if fix is None or (least is not None and fix.edits != least.edits):
                return None
            if least is None or _RANK[fix.applicability] > _RANK[least.applicability]:
                least = fix
        return least


def first_of_each_cause(
    findings: Iterable[tuple[Event, Finding]], is_test: Callable[[str], bool]
) -> list[tuple[Event, Finding]]:
    """The findings without those that have the cause of another one. The order of definitions in a file is of
    no account: of several functions the one counts whose name comes first, and module bodies come last.
    `is_test`: whether the file of a path is a test: its findings come after all others, as rules may be off
    there."""
    known = list(findings)
    paths = {event.module.path for event, finding in known if finding.cause is not None}
    tests = frozenset(filter(is_test, paths))
    first: dict[tuple[str, object], _Rank] = {}
    for event, finding in known:
        if finding.cause is not None:
            cause, rank = (finding.rule.code, finding.cause), _ranked(event, finding, tests)
            first[cause] = min(rank, first.get(cause, rank))
    return [
        (event, finding)
        for event, finding in known
        if finding.cause is None or first[finding.rule.code, finding.cause] == _ranked(event, finding, tests)
    ]


def _ranked(event: Event, finding: Finding, tests: Container[str]) -> _Rank:
    func, path = event.frame.func, event.module.path
    name = "" if func is None else func.code.qualname
    return finding.rule.idle_in_tests and path in tests, path, func is None, name, finding.nid


def _way(chain: list[Step], finding: Finding) -> tuple[Hashable, ...]:
    """Of several findings at one place the one with the least of these is shown: its way is one of the
    program's text, its notes are the fewest, or the first by where they are. Which of them was found first
    does not matter."""
    also = [*finding.also]
    seen = chain[0][2] if is_observed(chain) else ""
    texts = [text for _, _, text in also], finding.message, finding.help, finding.label, seen
    return is_observed(chain), len(chain), places(chain), len(also), places(also), texts


def _numbers(finding: Finding) -> set[int]:
    """The nodes that a finding, without its notes, speaks of."""
    named = [value for value in finding.names.values() if not isinstance(value, str)]
    return {finding.nid, *(value if isinstance(value, int) else value.nid for value in named)}


def _text(located: Located, value: int | str | Part) -> str:
    if isinstance(value, str):
        return value
    text = _in_a_row(located.text(value) if isinstance(value, int) else located.text_of_part(value))
    return _in_brackets(text)


def _in_brackets(text: str) -> str:
    return f"({text})" if "," in text and isinstance(_tree(text), ast.Tuple) else text


def _text_of_node(located: Located, value: cst.CSTNode | str) -> str:
    return value if isinstance(value, str) else _in_brackets(_in_a_row(located.text_of(value)))


def _in_a_row(text: str) -> str:
    """Code of several rows without its comments and the spaces that its brackets then have."""
    if not re.search(r"[\r\n]", text):
        return text
    rows = [[*row] for row in f"({text}\n)".splitlines(keepends=True)]
    try:
        for token in tokenize.generate_tokens(iter(["".join(row) for row in rows]).__next__):
            if token.type == tokenize.COMMENT:
                rows[token.start[0] - 1][token.start[1] : token.end[1]] = ""
    except (tokenize.TokenError, SyntaxError, IndexError):
        return text
    text = "".join(map("".join, rows))[1:-2]
    return text if re.search(r"[\"']", text) else re.sub(r"(?<=[(\[{])\s+|\s+(?=[)\]}])", "", text)


def _shortened(text: str, longest: int = _LONGEST) -> str:
    """Code cut to a length: of a call what is called is kept, where it fits."""
    text = re.sub(r"(?:\\\n|\s)+", " ", text)
    if len(text) <= longest:
        return text
    tree = _tree(text)
    if isinstance(tree, ast.Call):
        short = f"{ast.unparse(tree.func)}(...)"
        if len(short) <= longest:
            return short
    return f"{text[: longest - 3]}..."


def _cut(finding: Finding, texts: Mapping[str, str], longest: int) -> dict[str, str]:
    """The texts of nodes cut to a length; what the rule itself says stays whole."""
    return {
        name: text if isinstance(finding.names[name], str) else _shortened(text, longest)
        for name, text in texts.items()
    }


def _message(finding: Finding, texts: Mapping[str, str]) -> str:
    """The message, with the user's code cut until it fits."""
    filled = ""
    for longest in range(_LONGEST, 7, -4):
        filled = _filled(finding.message, _cut(finding, texts, longest))
        if len(filled) <= MESSAGE:
            break
    return filled


def _filled(template: str, names: Mapping[str, str], loose: Container[str] = ()) -> str:
    """The template with the names in it replaced; other braces are left alone.

    loose: Names that stand in parentheses where an attribute or item is taken of them.
    """

    def filled(match: re.Match[str]) -> str:
        text = names.get(match[1], match[0])
        return f"({text})" if match[2] is not None and match[1] in loose else text

    return re.sub(r"\{(\w+)\}(?=(\.\w|\[)?)", filled, template)


def _tree(text: str) -> ast.expr | None:
    """The expression that a text is; None for any other text."""
    try:
        return ast.parse(f"({text}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_loose(text: str) -> bool:
    """Whether an attribute of the text would be one of a part of it."""
    if text.isidentifier():
        return False
    tight = (ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp)
    tree = _tree(text)
    return tree is not None and not isinstance(tree, (*tight, ast.DictComp, ast.SetComp, ast.JoinedStr))
