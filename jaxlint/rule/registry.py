"""Which rules there are, and which of them a selector or a file's settings mean.

In: the rule classes of `jaxlint.rules`, of the plugins named in the settings and of the entry points
`jaxlint.rules`. Out: `Registry`, whose `Entry` rows also hold the codes of the tool itself. It refuses to
know how a rule finds what it finds.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType, ModuleType

from jaxlint.diagnostic import Severity
from jaxlint.library.modelled import ModelFunction, models_in
from jaxlint.project.installed import GROUP, installed
from jaxlint.project.option import SettingsError, meant
from jaxlint.project.settings import Settings
from jaxlint.rule import Rule
from jaxlint.rule.contract import breach_of

CATEGORIES = ("correctness", "suspicious", "performance", "style", "pedantic")

SEVERITIES = {
    "correctness": Severity.ERROR,
    "suspicious": Severity.WARNING,
    "performance": Severity.WARNING,
    "style": Severity.INFO,
    "pedantic": Severity.INFO,
}

ALWAYS = frozenset({"JAX001", "JAX002", "JAX003"})
"""Codes that say that a file was not linted: no selection turns them off."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One code: a rule's, or one of the tool itself (then `rule` is None).

    `fix` is the most that its fixes can reach; `doc` is the page's text. `idle_in_tests`: off in test files
    unless it is selected by code or name. `idle_where_shown`: off where a notebook shows the value.
    """

    code: str
    name: str
    category: str
    on: bool
    since: str
    fix: str | None
    doc: str
    rule: type[Rule] | None = None
    nursery: bool = False
    idle_in_tests: bool = False
    idle_where_shown: bool = False

    @property
    def severity(self) -> Severity:
        return SEVERITIES[self.category]

    @property
    def summary(self) -> str:
        """The first sentence of the page."""
        return inspect.cleandoc(self.doc).partition("\n\n")[0].replace("\n", " ")


_SYNTAX_ERROR = """
A file that Python cannot parse.

## What it does
Reports where parsing failed. The rest of the project is analyzed; what this file defines is unknown there.
Cells that do not parse are passed over in a notebook that names no kernel and has no outputs: it was not run
as it is, and such cells may show text, or one function in parts.

## Why
The file cannot be analyzed. No selector and no suppression comment turns this rule off.
"""

_UNREADABLE_FILE = """
A file that cannot be read as Python text.

## What it does
Reports a file that cannot be opened or decoded with the encoding that Python would use: UTF-8, or the
encoding that the first two lines declare.

## Why
A file that was skipped without a message would look like a file without findings.
"""

_INTERNAL_ERROR = """
jaxlint itself failed.

## What it does
Reports an error inside jaxlint, with the file, and with the rule and the row where they are known. Everything
else is still reported, and the run ends with status 2. `-v` shows the traceback.

## Why
This is a bug in jaxlint, whatever the file contains: please report it with the file.
"""

_UNUSED_IGNORE = """
An unused suppression comment.

## What it does
Reports a `# jaxlint: ignore[...]`, `ignore-file[...]` or `disable[...]` whose rule is on and reports
nothing there, and codes of jaxlint in a `# noqa`, such as `# noqa: JAX101`. A bare `# noqa` and the codes of
other tools are never reported.

## Why
A comment that is no longer needed hides the next finding on that line.

## Fix safety
The fix is safe: it removes the code of the rule, or the whole comment, and changes no program code.
"""

_UNKNOWN_CODE = """
A suppression comment with an unknown code or name.

## What it does
Reports a code or a name in a suppression comment that no rule has. In a `# noqa` only codes of the form
`JAX999` are checked; the others belong to other tools.

## Why
The comment suppresses nothing, although it was written to.
"""

_MALFORMED_IGNORE = """
A comment that starts with `jaxlint:` and cannot be parsed.

## What it does
Reports a comment that is not of the form `ignore[...]`, `ignore-file[...]`, `disable[...]` or
`enable[...]`, or that has no rule in the brackets. A comment cannot suppress all rules.

## Why
The comment suppresses nothing, although it was written to.
"""

TOOL_ENTRIES = (
    Entry("JAX001", "syntax-error", "correctness", True, "0.1.0", None, _SYNTAX_ERROR),
    Entry("JAX002", "unreadable-file", "correctness", True, "0.1.0", None, _UNREADABLE_FILE),
    Entry("JAX003", "internal-error", "correctness", True, "0.1.0", None, _INTERNAL_ERROR),
    Entry("JAX011", "unused-ignore", "suspicious", True, "0.1.0", "safe", _UNUSED_IGNORE),
    Entry("JAX012", "unknown-code", "suspicious", True, "0.1.0", None, _UNKNOWN_CODE),
    Entry("JAX013", "malformed-ignore", "suspicious", True, "0.1.0", None, _MALFORMED_IGNORE),
)


def in_tests(code: str) -> str:
    """The mark of a code in test files."""
    return f"{code} in tests"


_PREFIX = re.compile(r"[A-Z]{3}\d{0,2}")


class Registry:
    """The rules, looked up by code and by name, and the selectors that mean them.

    Raises:
        SettingsError: two rules with one code or one name, or a rule with a category that there is not.
    """

    def __init__(
        self, rules: Iterable[type[Rule]], models: Mapping[str, ModelFunction] = MappingProxyType({})
    ) -> None:
        self.models = models  # of plugins, by the dotted names of the functions that they are for
        entries = [*TOOL_ENTRIES, *(_entry(rule) for rule in rules)]
        self.entries: tuple[Entry, ...] = tuple(sorted(entries, key=lambda entry: entry.code))
        self.by_code: dict[str, Entry] = {}
        self.by_name: dict[str, Entry] = {}
        for entry in self.entries:
            if entry.category not in SEVERITIES:
                raise SettingsError(f"rule {entry.code}: no category `{entry.category}`")
            for table, key in ((self.by_code, entry.code), (self.by_name, entry.name)):
                if key in table:
                    raise SettingsError(f"two rules are called `{key}`")
                table[key] = entry

    @cached_property
    def rules(self) -> tuple[type[Rule], ...]:
        """The rule classes, by code."""
        return tuple(entry.rule for entry in self.entries if entry.rule is not None)

    @cached_property
    def codes(self) -> frozenset[str]:
        return frozenset(self.by_code)

    def entry(self, code_or_name: str) -> Entry:
        """The rule of that code or name.

        Raises:
            SettingsError: there is none; the nearest is named.
        """
        entry = self.by_code.get(code_or_name) or self.by_name.get(code_or_name)
        if entry is None:
            raise SettingsError(f"no rule `{code_or_name}`{self.meant(code_or_name)}")
        return entry

    def meant(self, wrong: str) -> str:
        """The end of a message about an unknown rule: the nearest that exists, or nothing."""
        if wrong.upper() in self.by_code:
            return f"; did you mean `{wrong.upper()}`?"
        if re.fullmatch(r"[A-Za-z]{2,4}\d+", wrong):
            # The code that it begins with, where there is one, is nearer than any that is as much alike.
            longer = [code for code in self.by_code if wrong.upper().startswith(code)]
            return meant(wrong.upper(), longer or self.by_code)
        return meant(wrong.lower().replace("_", "-"), [*self.by_name, *CATEGORIES])

    def meaning(self, selector: str) -> tuple[int, frozenset[str]]:
        """How specific a selector is, and the codes that it means.

        `ALL` is the least specific, then a category, a prefix by its length, a code or a name.

        Raises:
            SettingsError: it means nothing; the nearest selector is named.
        """
        if selector == "ALL":
            return 0, self.codes
        if selector in CATEGORIES:
            return 1, frozenset(entry.code for entry in self.entries if entry.category == selector)
        exact = self.by_code.get(selector) or self.by_name.get(selector)
        if exact is not None:
            return 9, frozenset({exact.code})
        if _PREFIX.fullmatch(selector):
            codes = frozenset(code for code in self.by_code if code.startswith(selector))
            if codes:
                return 1 + len(selector), codes
        upper = selector.upper()
        if upper != selector and (upper == "ALL" or any(code.startswith(upper) for code in self.codes)):
            raise SettingsError(f"unknown selector `{selector}`; did you mean `{upper}`?", selector)
        raise SettingsError(f"unknown selector `{selector}`{self.meant(selector)}", selector)

    def select(self, *selectors: str) -> frozenset[str]:
        """The codes that any of the selectors means.

        Raises:
            SettingsError: an unknown selector.
        """
        return frozenset[str]().union(*(self.meaning(selector)[1] for selector in selectors))

    def enabled(self, settings: Settings) -> frozenset[str]:
        """The codes that settings turn on, before per-file-ignores.

        Within a layer the more specific selector wins, and `ignore` over an equally specific `select`. A
        layer with `select` starts over, except that it keeps the earlier `ignore` where it has none of its
        own; one without changes what is on.

        Raises:
            SettingsError: an unknown selector.
        """
        offered = self._offered(settings)
        on = frozenset(e.code for e in self.entries if e.on and not e.nursery)
        kept_ignore: tuple[str, ...] = ()
        for layer in settings.layers:
            try:
                if layer.select is not None:
                    ignore = layer.ignore or kept_ignore
                    on = self._resolved((*layer.select, *layer.extend_select), ignore, frozenset())
                    kept_ignore = ignore
                else:
                    on = self._resolved(layer.extend_select, layer.ignore, on)
                    kept_ignore = (*kept_ignore, *layer.ignore)
            except SettingsError as error:
                raise layer.place.error(str(error), error.value) from None
        return (on & offered) | ALWAYS

    def _offered(self, settings: Settings) -> frozenset[str]:
        """The codes that a selector may turn on: those of preview rules only where these are asked for."""
        named = self._named(settings) if settings.explicit_preview_rules else None
        return frozenset(
            e.code
            for e in self.entries
            if not e.nursery or (settings.preview and (named is None or named & {e.code, e.name}))
        )

    def without_effect(self, settings: Settings) -> list[str]:
        """The selectors that would turn rules on, all of which are preview rules that are not asked for.

        Raises:
            SettingsError: an unknown selector.
        """
        self.enabled(settings)
        offered = self._offered(settings)
        return sorted(each for each in self._named(settings) if offered.isdisjoint(self.meaning(each)[1]))

    def idle_in_tests(self, settings: Settings) -> frozenset[str]:
        """The codes that are off in test files: those of rules that say so and that no selector names alone.

        A later layer with `select` starts over, as it does in `enabled`.
        """
        named = self._named(settings)
        idle = [entry for entry in self.entries if entry.idle_in_tests]
        return frozenset(entry.code for entry in idle if not named & {entry.code, entry.name})

    @staticmethod
    def _named(settings: Settings) -> set[str]:
        """The selectors that turn rules on."""
        named: set[str] = set()
        for layer in settings.layers:
            if layer.select is not None:
                named.clear()
            named.update(layer.select or (), layer.extend_select)
        return named

    def told(self, settings: Settings) -> frozenset[str]:
        """The codes that settings turn on, and, marked, those that are on in test files too. Where one of two
        settings gives a part of what the other gives, it also tells a part of what the other tells.

        Raises:
            SettingsError: an unknown selector.
        """
        on = self.enabled(settings)
        return on | frozenset(map(in_tests, on - self.idle_in_tests(settings)))

    def fixable(self, settings: Settings) -> frozenset[str]:
        """The codes whose fixes settings let through.

        Raises:
            SettingsError: an unknown selector.
        """
        codes = self.codes
        for layer in settings.layers:
            try:
                start = codes if layer.fixable is None else frozenset[str]()
                codes = self._resolved(
                    (*(layer.fixable or ()), *layer.extend_fixable), layer.unfixable, start
                )
            except SettingsError as error:
                raise layer.place.error(str(error), error.value) from None
        return codes

    def severities(self, settings: Settings) -> dict[str, Severity]:
        """The codes that settings give another severity; the most specific selector decides.

        Raises:
            SettingsError: an unknown selector.
        """
        found: dict[str, tuple[int, Severity]] = {}
        for selector, severity in settings.severity:
            specificity, codes = self.meaning(selector)
            for code in codes:
                if code not in found or found[code][0] <= specificity:
                    found[code] = specificity, severity
        return {code: severity for code, (_, severity) in found.items()}

    def _resolved(
        self, wanted: Iterable[str], unwanted: Iterable[str], start: frozenset[str]
    ) -> frozenset[str]:
        said = [(*self.meaning(selector), True) for selector in wanted]
        said += [(*self.meaning(selector), False) for selector in unwanted]
        on = set(start)
        for _, codes, is_wanted in sorted(said, key=lambda row: (row[0], not row[2])):
            if is_wanted:
                on |= codes
            else:
                on -= codes
        return frozenset(on)


def _entry(rule: type[Rule]) -> Entry:
    return Entry(
        rule.code,
        rule.name,
        rule.category,
        rule.on,
        rule.since,
        rule.fix,
        inspect.cleandoc(rule.__doc__ or ""),
        rule,
        getattr(rule, "nursery", False),
        getattr(rule, "idle_in_tests", False),
        getattr(rule, "idle_where_shown", False),
    )


def own_entries() -> tuple[Entry, ...]:
    """jaxlint's own rules and codes, without those of installed plugins."""
    return tuple(
        entry
        for entry in registry().entries
        if entry.rule is None or entry.rule.__module__.startswith("jaxlint.rules.")
    )


@lru_cache(maxsize=8)
def registry(plugins: tuple[str, ...] = ()) -> Registry:
    """The rules of jaxlint, of the installed entry points and of the modules named as plugins, and the models
    of these.

    Raises:
        SettingsError: a plugin that cannot be imported, has nothing in it, or has a rule that cannot run.
    """
    found: dict[type[Rule], None] = {}
    models: dict[str, ModelFunction] = {}
    for rule in _rules_under("jaxlint.rules"):
        found.setdefault(rule)
    for name in (*_entry_points(), *plugins):
        try:
            rules = list(_rules_under(name))
            own = models_in(_modules_under(name.partition(":")[0]))
        except Exception as error:
            raise SettingsError(f"plugin `{name}` cannot be imported: {_one_line(error)}") from error
        if not rules and not own:
            raise SettingsError(f"plugin `{name}` has no rules and no models")
        models |= own
        for rule in rules:
            if (breach := breach_of(rule)) is not None:
                raise SettingsError(f"plugin `{name}`: {breach}")
            found.setdefault(rule)
    return Registry(found, models)


def all_rules(plugins: tuple[str, ...] = ()) -> tuple[type[Rule], ...]:
    """Every rule class, by code."""
    return registry(plugins).rules


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _rules_under(name: str) -> Iterator[type[Rule]]:
    """The rule classes that a module and, for a package, the modules in it define.

    `package.module:Class` names one class, as an entry point may.
    """
    module_name, _, attribute = name.partition(":")
    module = importlib.import_module(module_name)
    if attribute:
        rule = getattr(module, attribute)
        if isinstance(rule, type) and issubclass(rule, Rule):
            yield rule
        return
    for each in _modules_under(module_name):
        yield from _defined_in(each)


def _modules_under(name: str) -> Iterator[ModuleType]:
    """A module and, for a package, the modules in it."""
    module = importlib.import_module(name)
    yield module
    if hasattr(module, "__path__"):
        children = pkgutil.walk_packages(module.__path__, f"{module.__name__}.", onerror=_raise)
        for child in sorted(info.name for info in children):
            yield importlib.import_module(child)


def _raise(name: str) -> None:
    importlib.import_module(name)


def _defined_in(module: ModuleType) -> Iterator[type[Rule]]:
    for value in vars(module).values():
        if isinstance(value, type) and issubclass(value, Rule) and value.__module__ == module.__name__:
            # A base class that rules share has no code.
            if getattr(value, "code", ""):
                yield value


def _entry_points() -> tuple[str, ...]:
    if not any(installed(place)[1] for place in dict.fromkeys(sys.path)):
        return ()
    from importlib.metadata import entry_points  # it takes longer to load than most of jaxlint

    return tuple(sorted({point.value.strip() for point in entry_points(group=GROUP)}))
