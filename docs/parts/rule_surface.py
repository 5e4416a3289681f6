"""What rules may import and ask, as tables: events, the questions of the model, and everything else.

In: `jaxlint.rule`, with the docstrings of what it holds and the comments above constants. Out: Markdown.
A name without a description is an error, so that the page has the whole surface.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType

import jaxlint.rule
from jaxlint.analysis.events import Event
from jaxlint.rule import EVENTS, Model, SourceModel

_FOLDERS = {
    "claim": "What a rule states",
    "rule": "What a rule states",
    "ir": "Findings and places",
    "diagnostic": "Findings and places",
    "source": "Findings and places",
    "domain": "Abstract values",
    "library": "Abstract values",
    "fixes": "The kit for fixes",
    "tables": "Tables of what libraries do",
}


def version() -> str:
    number = ".".join(map(str, jaxlint.rule.API_VERSION))
    return f"The surface has version {number}: `jaxlint.rule.API_VERSION`."


def events() -> str:
    """One row for each method that a rule may have."""
    rows = []
    for name, event in sorted(EVENTS.items()):
        own = [name for name in event.__struct_fields__ if name not in _COMMON]
        given = ", ".join(f"`{each}`" for each in own) or "-"
        rows.append((f"`visit_{name}`", f"`{event.__name__}`", _sentence(event), given))
    return _table(("method", "event", "what happens", "its fields"), rows)


# What is said of a name where its source has it as plain data without a text of its own.
_TEXTS = {
    "Applicability": "How safe a fix is: `safe`, `unsafe` or `displayonly`",
    "BATCHED": "The bit of a level that says that a tracer is one of `vmap`",
    "CALLABLE": "The classes of abstract values that a program can call",
    "CLAIM_KINDS": "The kinds of claims, which `Claim` describes",
    "METHOD": "What a method of an array has before its name",
    "SCALAR": "Of a form: the variables that give a single number its shape, which are none",
    "UNKNOWN": "The value of which nothing is known",
    "cst": "LibCST, loaded when something of it is first asked for",
    "kind_of": "What the kit for fixes needs to know of a value: its sort, its dtype, its dimensions",
    "Kinds": "What `kinds_of` gives: kinds by the names of variables",
    "number": "A version as text: the numbers with dots between them",
}
_COMMON = frozenset(Event.__struct_fields__)


def questions() -> str:
    """One row for each public method of the model."""
    return _questions(Model)


def questions_of_nodes() -> str:
    """One row for each that the model of a file has besides."""
    return _questions(SourceModel)


def _questions(model: type[Model]) -> str:
    rows = []
    for name, method in sorted(vars(model).items()):
        if not name.startswith("_") and name != "settle" and inspect.isfunction(method):
            rows.append((f"`m.{name}({_parameters(method)})`", _described(name, _first(method))))
    return _table(("question", "answer"), rows)


def _parameters(method: object) -> str:
    given = list(inspect.signature(method).parameters.values())[1:]  # type: ignore[arg-type]
    return ", ".join(str(each.replace(annotation=inspect.Parameter.empty)) for each in given)


def names() -> str:
    """Everything else, by what it is for."""
    groups: dict[str, list[tuple[str, str]]] = {}
    shown = {event.__name__ for event in EVENTS.values()}
    constants = dict(_constants())
    for name in sorted(jaxlint.rule.__all__, key=str.lower):
        value = getattr(jaxlint.rule, name)
        if name in shown:
            continue
        home, text = constants.get(name, ("", ""))
        if not text:
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", "")
            text = f"The module `{home}`, loaded when it is used" if isinstance(value, ModuleType) else ""
            text = text or _TEXTS.get(name) or _sentence(value)
        folder = home.removeprefix("jaxlint.").partition(".")[0]
        group = "Events" if home == "jaxlint.analysis.events" else _FOLDERS.get(folder, "Findings and places")
        groups.setdefault(group, []).append((f"`{name}`", _described(name, text)))
    parts = [f"### {group}\n\n{_table(('name', 'what it is'), groups[group])}" for group in sorted(groups)]
    return "\n\n".join(parts)


def _constants() -> Iterator[tuple[str, tuple[str, str]]]:
    """Where names are assigned that are neither functions nor classes, and the text that stands there."""
    homes = ast.parse(inspect.getsource(jaxlint.rule)).body
    for statement in homes:
        if not isinstance(statement, ast.ImportFrom) or not statement.module:
            continue
        wanted = {alias.name for alias in statement.names}
        module = sys.modules[statement.module]
        source = inspect.getsource(module)
        lines, body = source.splitlines(), ast.parse(source).body
        for number, each in enumerate(body):
            name = _assigned(each)
            if name in wanted:
                row = re.search(rf"^{name}: (.*)$", ast.get_docstring(ast.parse(source)) or "", re.M)
                text = _TEXTS.get(name) or _text_at(number, body, lines) or (row[1] if row else "")
                yield name, (statement.module, text)


def _assigned(statement: ast.stmt) -> str:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return ""
    return target.id if isinstance(target, ast.Name) else ""


def _text_at(number: int, body: list[ast.stmt], lines: list[str]) -> str:
    """The string behind an assignment, else the comment behind it or above it."""
    if number + 1 < len(body):
        after = body[number + 1]
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            return _cut(str(after.value.value))
    line = lines[(body[number].end_lineno or 1) - 1]
    if "  # " in line and not line.rstrip().endswith("# fmt: skip"):
        return _cut(line.partition("  # ")[2])
    row, found = body[number].lineno - 2, []
    while row >= 0 and lines[row].startswith("# "):
        found.insert(0, lines[row][2:])
        row -= 1
    return _cut(" ".join(found))


def _sentence(value: object) -> str:
    return _described(getattr(value, "__name__", str(value)), _first(value) if callable(value) else "")


def _first(value: object) -> str:
    """The first sentence of a docstring."""
    text = inspect.cleandoc(getattr(value, "__doc__", None) or "")
    if isinstance(value, type) and text.startswith(f"{value.__name__}("):
        text = ""
    return _cut(text)


def _cut(text: str) -> str:
    text = re.sub(r"\s+", " ", text.partition("\n\n")[0]).strip()
    return re.split(r"(?<=[^.]\.) (?=[A-Z`])", text)[0].rstrip(".")


def _described(name: str, text: str) -> str:
    if not text:
        raise ValueError(f"jaxlint.rule.{name} has no description")
    return text if re.match(r"\S+( ->|\.\w)", text) else text[0].upper() + text[1:]


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in lines)
