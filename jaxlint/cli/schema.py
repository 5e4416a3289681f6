"""The JSON Schema of the configuration, for editors that check and complete TOML.

In: the table of options, and the rules' codes and names. Out: a schema of draft 7, of `jaxlint.toml` and of
the table `tool.jaxlint`. A selector that is not listed is accepted: plugins bring rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jaxlint.diagnostic import Severity
from jaxlint.project.option import Option
from jaxlint.source.formats import CODE_FORMATS

URL = "https://raw.githubusercontent.com/jaxlint/jaxlint/main/docs/jaxlint.schema.json"

_TEXT: Mapping[str, Any] = {"type": "string"}
_TEXTS: Mapping[str, Any] = {"type": "array", "items": _TEXT}
_SELECTORS: Mapping[str, Any] = {"type": "array", "items": {"$ref": "#/definitions/selector"}}

# By the type that `jaxlint config` shows.
_TYPES: Mapping[str, Mapping[str, Any]] = {
    "boolean": {"type": "boolean"},
    "path": {"type": "string", "minLength": 1},
    "version range": _TEXT,
    "version or range": {"type": "string", "minLength": 1},
    "number of seconds": {"type": "number", "exclusiveMinimum": 0},
    "list of strings": _TEXTS,
    "list of modules": _TEXTS,
    "list of dotted names": _TEXTS,
    "list of globs": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "list of folders": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "list of paths": {"type": "array", "items": {"type": "string", "minLength": 1}},
    "list of selectors": _SELECTORS,
    "table of globs to selectors": {"type": "object", "additionalProperties": _SELECTORS},
    "table of ends of file names to formats": {
        "type": "object",
        "additionalProperties": {"enum": [*CODE_FORMATS]},
    },
    "table of selectors to severities": {
        "type": "object",
        "additionalProperties": {"enum": [severity.value for severity in Severity]},
    },
}


def schema(options: Iterable[Option], selectors: Iterable[str]) -> dict[str, Any]:
    """The schema of all options.

    Raises:
        KeyError: an option of a type that is not known here.
    """
    properties: dict[str, Any] = {}
    for option in options:
        table, _, key = option.key.rpartition(".")
        owner = properties
        if table:
            empty = {"type": "object", "additionalProperties": False, "properties": {}}
            owner = properties.setdefault(table, empty)["properties"]
        owner[key] = {**_type_of(option), "description": f"{option.doc} Default: {option.default}."}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": URL,
        "title": "jaxlint",
        "description": "Settings of jaxlint: jaxlint.toml, or the table tool.jaxlint of pyproject.toml.",
        "type": "object",
        "additionalProperties": False,
        "properties": properties,
        "definitions": {
            "selector": {
                "description": "A code, the beginning of codes, a rule's name or a category.",
                "anyOf": [{"enum": list(selectors)}, {"type": "string", "minLength": 1}],
            }
        },
    }


def _type_of(option: Option) -> Mapping[str, Any]:
    if option.type.startswith("one of "):
        return {"enum": option.type.removeprefix("one of ").split(", ")}
    return _TYPES[option.type]
