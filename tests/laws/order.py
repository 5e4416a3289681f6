"""What is found does not depend on the order in which modules are given and definitions are written, nor on the order
in which what waits is analyzed.

In: a project as texts. Out: the differences, as text; none where the law holds.
"""

from __future__ import annotations

import ast
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

from jaxlint.calling import contexts, function_calls
from jaxlint.diagnostic import Diagnostic, Span
from jaxlint.project.project import Names, Project
from jaxlint.project.settings import Settings
from jaxlint.session import driver, pipeline, worklist

from .cached import differing, shown, written
from .edit import Texts

Order = Callable[[list[Any]], list[Any]]

FIRST_KEEP = (
    (contexts, "CONTEXTS"),
    (contexts, "STRATEGIES"),
    (contexts, "HIGHER"),
    (contexts, "HANDED"),
    (function_calls, "SHARED"),
    (driver, "AGAIN"),
)
"""The limits of which the first, by the ranks of what waits, keep theirs: beyond them the order is the result."""


def reversed_order(waiting: list[Any]) -> list[Any]:
    return waiting[::-1]


def shuffled_order(seed: int) -> Order:
    """Another order each time, of the same random numbers."""
    chance = random.Random(seed)
    return lambda waiting: chance.sample(waiting, len(waiting))


def differences(chance: random.Random, root: Path, texts: Texts, *, worklists: int = 1) -> Iterator[str]:
    """Analyzes a project with its modules reversed and shuffled, and with its definitions reversed; then as it is,
    but in another order.

    Args:
        root: A folder for its files, by which modules get their names.
        worklists: In how many other orders what waits is analyzed: reversed, and shuffled ones.
    """
    texts = {name: text for name, text in texts.items() if name.endswith(".py")}
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    written(root, texts)
    names = sorted(texts)
    base = analyzed(root, texts, names)
    shuffled = chance.sample(names, len(names))
    orders = {"reversed modules": names[::-1], "shuffled modules": shuffled} if len(names) > 1 else {}
    for title, each in orders.items():
        difference = differing(base, analyzed(root, texts, each))
        if difference:
            yield f"{title} {each}: {difference}\n{shown(texts)}"
    moved: Texts = {}
    rows: dict[str, list[int]] = {}
    for name, text in texts.items():
        moved[name], rows[f"{root}/{name}"] = reversed_definitions(text)
    if moved != texts:
        again = [renumbered(each, rows) for each in analyzed(root, moved, names)]
        one, other = sorted(map(_place, base)), sorted(map(_place, again))
        if one != other:
            lost = [each for each in one if each not in other]
            new = [each for each in other if each not in one]
            yield f"reversed definitions: only as written: {lost}; only reversed: {new}\n{shown(texts)}"
    for number in range(worklists):
        order = shuffled_order(chance.randrange(1 << 30)) if number else reversed_order
        difference = of_worklists(root, texts, order, base)
        if difference:
            title = "shuffled" if number else "reversed"
            yield f"{title} worklists: {difference}\n{shown(texts)}"


def of_worklists(root: Path, texts: Texts, order: Order, base: list[Diagnostic] | None = None) -> str:
    """What differs where what waits is analyzed in another order. Where it does, the limits that are there for the
    first are put out of reach: what differs then is told.

    Args:
        base: What is found in the usual order.
    """
    names = sorted(texts)
    base = analyzed(root, texts, names) if base is None else base
    with in_order(order):
        if not differing(base, analyzed(root, texts, names)):
            return ""
    with out_of_reach():
        base = analyzed(root, texts, names)
        with in_order(order):
            return differing(base, analyzed(root, texts, names))


@contextmanager
def in_order(order: Order) -> Iterator[None]:
    """What waits is done in another order than that of its ranks."""
    by_rank = worklist.in_order
    with mock.patch.object(worklist, "in_order", lambda waiting, rank: order(by_rank(waiting, rank))):
        yield


@contextmanager
def out_of_reach() -> Iterator[None]:
    """No program reaches the limits of which the first keep theirs; each is still another number than the others."""
    with ExitStack() as stack:
        for module, name in FIRST_KEEP:
            limit = getattr(module, name)
            stack.enter_context(mock.patch.object(module, name, limit._replace(most=limit.most + 1000)))
        yield


def analyzed(root: Path, texts: Texts, names: Sequence[str]) -> list[Diagnostic]:
    """What all rules find in a project whose modules are analyzed in this order."""
    namer = Names(str(root), Settings())
    files = tuple(namer.source_file(f"{root}/{name}") for name in names)
    project = Project(str(root), files, frozenset(each.path for each in files), Settings())
    return pipeline.analyse(project, {f"{root}/{name}": text.encode() for name, text in texts.items()})


def probed(text: str) -> str:
    """The text with `print(parameter)` at the head of each function, so that JAX202 shows which parameters are
    known to be traced."""
    rows = text.splitlines(keepends=True)
    probes: dict[int, list[str]] = {}
    for func in ast.walk(ast.parse(text)):
        if not isinstance(func, ast.FunctionDef):
            continue
        first = func.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(func.body) > 1:
            first = func.body[1]
        decorators = getattr(first, "decorator_list", [])
        row = (decorators[0] if decorators else first).lineno - 1
        indent = rows[row][: len(rows[row]) - len(rows[row].lstrip())]
        if first.lineno == func.lineno or len(indent) < first.col_offset:
            continue  # a body in the row of its header
        given = [*func.args.posonlyargs, *func.args.args, *func.args.kwonlyargs]
        names = [each.arg for each in given if each.arg not in ("self", "cls")]
        probes.setdefault(row, []).extend(f"{indent}print({name})\n" for name in names)
    return "".join("".join(probes.get(number, ())) + row for number, row in enumerate(rows))


def _place(found: Diagnostic) -> tuple[str, str, Span]:
    return found.filename, found.code, found.span


def renumbered(found: Diagnostic, rows: Mapping[str, list[int]]) -> Diagnostic:
    """The diagnostic at the rows that its text had before it was moved."""
    before = rows[found.filename]
    span = found.span
    return replace(
        found, span=Span(before[span.row - 1], span.column, before[span.end_row - 1], span.end_column)
    )


def reversed_definitions(text: str) -> tuple[str, list[int]]:
    """The text with each run of functions that stand one after the other reversed, in modules and classes,
    where none of their headers names another one of the run; and the row that each row had before."""
    rows = text.splitlines(keepends=True)
    if rows and not rows[-1].endswith("\n"):
        rows[-1] += "\n"
    order = list(range(len(rows)))
    tree = ast.parse(text)
    bodies = [tree.body, *(each.body for each in ast.walk(tree) if isinstance(each, ast.ClassDef))]
    for body in sorted(bodies, key=lambda each: -each[0].lineno if each else 0):
        for run in _runs(body):
            spans = [_rows_of(each) for each in run]
            if any(spans[i][1] > spans[i + 1][0] for i in range(len(spans) - 1)):
                continue
            first, last = spans[0][0], spans[-1][1]
            blocks = [order[start:end] for start, end in spans]
            between = [order[spans[i][1] : spans[i + 1][0]] for i in range(len(spans) - 1)]
            new: list[int] = []
            for number, block in enumerate(reversed(blocks)):
                new += block
                new += between[number] if number < len(between) else []
            order[first:last] = new
    return "".join(rows[each] for each in order), [each + 1 for each in order]


def _runs(body: Sequence[ast.stmt]) -> Iterator[list[ast.FunctionDef]]:
    run: list[ast.FunctionDef] = []
    for statement in [*body, ast.Pass()]:
        if isinstance(statement, ast.FunctionDef):
            run.append(statement)
            continue
        names = [each.name for each in run]
        if (
            len(run) > 1
            and len({*names}) == len(names)
            and not any(_headers(each) & {*names} for each in run)
        ):
            yield run
        run = []


def _headers(func: ast.FunctionDef) -> set[str]:
    """The names that run when a function is defined."""
    headers = [*func.decorator_list, *func.args.defaults, *(each for each in func.args.kw_defaults if each)]
    headers += [
        each.annotation for each in ast.walk(func.args) if isinstance(each, ast.arg) and each.annotation
    ]
    headers += [func.returns] if func.returns is not None else []
    names = {each.id for header in headers for each in ast.walk(header) if isinstance(each, ast.Name)}
    strings = {
        str(each.value) for header in headers for each in ast.walk(header) if isinstance(each, ast.Constant)
    }
    return names | strings


def _rows_of(func: ast.FunctionDef) -> tuple[int, int]:
    first = func.decorator_list[0].lineno if func.decorator_list else func.lineno
    return first - 1, func.end_lineno or func.lineno
