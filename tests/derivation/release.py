"""What a release of JAX asks jaxlint to change: names, keywords, methods, options, tables and claims.

In: the version, and an older one to compare it with. Out: lines by topic; nothing where jaxlint knows it all. It makes
an environment of each version with a Python that suits it, reads the public surface of both (`surface.py`), and holds
what went, what warns and what came back against deprecations.csv. The data modules are derived in the environment of
the new version, and the rules' claims are run there. It changes nothing.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jaxlint.confirm import evidence
from jaxlint.confirm.environment import interpreter_with
from jaxlint.confirm.matrix import newest_first
from jaxlint.tables import deprecation
from jaxlint.tables.deprecation import Version

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
Surface = Mapping[str, Any]

BY_POSITION = [row.name for row in deprecation.rows() if row.name.endswith(" by position")]
# Names and functions that were read and have no row: what a module without `__all__` has for itself, and what kernels
# and interpreters of JAX's own are written with.
LEFT_ALONE = re.compile(
    r"jax\.experimental\.(scheduling_groups\.|ode\.ravel_first_arg|pallas\.ops\.gpu\.\w+_mgpu\."
    r"|pallas\.tpu\.matmul_|pallas\.mosaic_gpu\.(copy_gmem_to_smem|emit_pipeline))"
    r"|jax\.extend\.core\.Var\b|(aval|jaxpr)\."
)


def report(new: str, old: str = "") -> Iterator[tuple[str, list[str]]]:
    """Topics, each with its lines.

    Raises:
        NoJax: no Python here has one of the versions.
    """
    old = old or previous(new)
    with interpreter_with(old) as python:
        before = surface_with(python)
    # The tables are those of the newest Python; `rich` is what JAX shows shardings with.
    with interpreter_with(new, "rich", newest=True) as python:
        after = surface_with(python)
        yield from changes(before, after)
        yield f"tables that differ from JAX {new}", tables_with(python)
    yield f"claims that JAX {new} does not confirm", claims_with(new)


def previous(new: str) -> str:
    """The newest version below that is recorded."""
    recorded = {path.stem.partition("-")[2] for path in evidence.FOLDER.glob("cpu-*.json")}
    return next(
        each for each in newest_first({*recorded, new}) if each != new and numbers(each) < numbers(new)
    )


def numbers(version: str) -> Version:
    return deprecation.version(version)


def changes(before: Surface, after: Surface) -> Iterator[tuple[str, list[str]]]:
    """What differs between two surfaces, is not in deprecations.csv and is meant to be used by others."""
    for topic, lines in differences(before, after):
        yield topic, [line for line in lines if not LEFT_ALONE.match(line)]


def differences(before: Surface, after: Surface) -> Iterator[tuple[str, list[str]]]:
    """All that differs, of JAX's own names too."""
    at = numbers(after["jax"])
    old, new = before["names"], after["names"]
    unread = tuple(f"{name}." for name in {**old, **new} if is_unread(old, name) or is_unread(new, name))
    names = [name for name in sorted({**old, **new}) if not name.startswith(unread)]
    yield (
        "names that are gone",
        [
            f"{name}{said(new, name) or said(old, name)}"
            for name in names
            if is_there(old, name) and not is_there(new, name) and status(name, at) != "removed"
        ],
    )
    yield (
        "names that are deprecated",
        [
            f"{name}{said(new, name)}"
            for name in names
            if new.get(name, "").startswith("deprecated") and status(name, at) == ""
        ],
    )
    yield (
        "names that are there, though deprecations.csv has them as removed",
        [
            name
            for name in names
            if is_there(new, name)
            and (row := deprecation.row_of(name)) is not None
            and status(name, at) == "removed"
            if row.name == name
        ],
    )
    yield "keywords that are gone", list(lost_keywords(before["keywords"], after["keywords"], at))
    yield (
        "arguments that are taken by keyword only",
        list(by_keyword_only(before["keywords"], after["keywords"])),
    )
    yield (
        "methods that are gone or deprecated",
        [
            f"{kind}.{method}: {after['methods'].get(kind, {}).get(method, 'gone')}"
            for kind, found in before["methods"].items()
            for method, state in found.items()
            if after["methods"].get(kind, {}).get(method) != state
            if deprecation.lookup_method(kind, method, called=True, highest=at) is None
        ],
    )
    yield (
        "options that are gone",
        [
            option
            for option in sorted({*before["options"]} - {*after["options"]})
            if deprecation.lookup_flag(option, highest=at) is None
        ],
    )


def is_there(names: Mapping[str, str], name: str) -> bool:
    return name in names and not names[name].startswith("gone")


def is_unread(names: Mapping[str, str], name: str) -> bool:
    return names.get(name, "").startswith("unreadable")


def said(names: Mapping[str, str], name: str) -> str:
    """JAX's own message, which tells what to write instead."""
    return f": {message}" if (message := names.get(name, "").partition(": ")[2]) else ""


def status(name: str, at: Version) -> str:
    verdict = deprecation.lookup(name, highest=at)
    return verdict.status if verdict is not None else ""


def plain(parameters: list[str]) -> list[str]:
    return [each for each in parameters if not each.startswith(("*", "_"))]


def lost_keywords(
    before: Mapping[str, list[str]], after: Mapping[str, list[str]], at: Version
) -> Iterator[str]:
    for function in sorted(before.keys() & after.keys()):
        if any(each.startswith("**") for each in after[function]):
            continue
        for keyword in plain(before[function]):
            if (
                keyword not in after[function]
                and deprecation.lookup_keyword(function, keyword, highest=at) is None
            ):
                yield f"{function}({keyword}=): takes {', '.join(after[function])}"


def by_keyword_only(before: Mapping[str, list[str]], after: Mapping[str, list[str]]) -> Iterator[str]:
    for function in sorted(before.keys() & after.keys()):
        old, new = (head(each[function]) for each in (before, after))
        if any(re.match(rf"{re.escape(function)}\b", row) for row in BY_POSITION):
            continue
        if moved := [each for each in old if each not in new and each in after[function]]:
            yield f"{function}: {', '.join(moved)}"


def head(parameters: list[str]) -> list[str]:
    """Those that may be given by position."""
    end = next((at for at, each in enumerate(parameters) if each.startswith("*")), len(parameters))
    return plain(parameters[:end])


def surface_with(python: str) -> Surface:
    found: Surface = json.loads(output([python, str(HERE / "surface.py")]))
    return found


def tables_with(python: str) -> list[str]:
    return output([python, str(HERE.parent / "derive_api.py")], fails=True).splitlines()


def claims_with(version: str) -> list[str]:
    command = [sys.executable, "-m", "jaxlint", "confirm", "--platform", "cpu", "--isolated", "--quiet"]
    lines = output([*command, "--jax", version], fails=True).splitlines()
    return [line for line in lines if re.match(r"JAX\d{3}", line)]


def output(command: list[str], *, fails: bool = False) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    done = subprocess.run(command, cwd=HERE, env=environment, capture_output=True, text=True)
    if done.returncode != 0 and not (fails and done.returncode == 1 and done.stdout):
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.strip()[-2000:]}")
    return done.stdout
