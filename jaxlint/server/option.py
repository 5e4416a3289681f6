"""The options that a client may set: as `initializationOptions`, or as the section `jaxlint` of its settings.

In: whatever the client sends. Out: `Options`, and lines about what is wrong in it; what is wrong is left out.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

from jaxlint.diagnostic import Severity
from jaxlint.project.option import meant


def _option(type: str, doc: str, default: Any) -> Any:
    return field(default=default, metadata={"type": type, "doc": doc})


@dataclass(frozen=True, slots=True)
class Options:
    """What a client may set."""

    configuration: str | Mapping[str, Any] | None = _option(
        "path or table", "A configuration file for everything, or settings that win over the project's.", None
    )
    select: tuple[str, ...] | None = _option("list of selectors", "Rules to turn on.", None)
    ignore: tuple[str, ...] = _option("list of selectors", "Rules to turn off.", ())
    extendSelect: tuple[str, ...] = _option("list of selectors", "Rules to turn on in addition.", ())
    exclude: tuple[str, ...] = _option("list of globs", "Files and folders to leave out.", ())
    preview: bool = _option("boolean", "Enable preview rules for selection.", False)
    minSeverity: str = _option("error, warning or info", "Lowest severity to show.", "info")
    syntaxErrors: bool = _option("boolean", "Say what does not parse (JAX001).", True)
    ignoreComments: bool = _option("boolean", "Offer to write a comment that ignores a finding.", True)
    fixAll: bool = _option("boolean", "Offer `source.fixAll`, which editors can run on save.", True)
    unsafeFixes: bool = _option("boolean", "Include unsafe fixes in `source.fixAll`.", False)
    traceHints: bool = _option("boolean", "Say at each traced function what traces it.", False)

    @classmethod
    def read(cls, sent: object, base: Options | None = None) -> tuple[Options, list[str]]:
        """The options in what a client sent, those of `base` where it sent none, and what is wrong."""
        table = sent if isinstance(sent, Mapping) else {}
        for name in ("settings", "jaxlint"):
            if isinstance(table.get(name), Mapping):
                table = table[name]
        found: dict[str, Any] = {}
        known = [each.name for each in fields(cls)]
        # clients send options of their own beside these: only what looks like one of these is a slip
        guesses = [(name, meant(str(name), known)) for name in table if name not in known]
        wrong = [f"no option `{name}`{guess}" for name, guess in guesses if guess]
        for each in fields(cls):
            value = table.get(each.name)
            if value is None:
                continue
            read = _read(each.metadata["type"], value)
            if read is None:
                wrong.append(f"the option `{each.name}` must be of the type {each.metadata['type']}")
            else:
                found[each.name] = read
        return replace(base or cls(), **found), wrong

    @property
    def file(self) -> str | None:
        """The configuration file for everything."""
        return self.configuration if isinstance(self.configuration, str) else None

    @property
    def lowest(self) -> Severity:
        return Severity(self.minSeverity)

    def overrides(self) -> dict[str, Any]:
        """The settings that these options state, by key."""
        found = dict(self.configuration) if isinstance(self.configuration, Mapping) else {}
        given = {"select": self.select, "ignore": self.ignore, "extend-select": self.extendSelect}
        found |= {key: list(value) for key, value in given.items() if value}
        if self.exclude:
            # What a client has open it names: without force-exclude it would be looked at all the same.
            found |= {"extend-exclude": list(self.exclude), "force-exclude": True}
        return found | {"preview": True} if self.preview else found


def _read(type: str, value: object) -> object:
    """The value as the type has it; None where it is of another."""
    if type == "boolean":
        return value if isinstance(value, bool) else None
    if type == "path or table":
        if isinstance(value, Mapping):
            return value
        return os.path.expanduser(value) if isinstance(value, str) and value else None
    if type.startswith("list of "):
        is_list = isinstance(value, list | tuple) and all(isinstance(each, str) for each in value)
        return tuple(value) if is_list else None  # type: ignore[arg-type]
    return value if value in [severity.value for severity in Severity] else None
