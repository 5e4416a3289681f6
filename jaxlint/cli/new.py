"""`jaxlint new`: the files of a rule that is yet to be written, which its tests say.

In: a name, a code, and a folder. Out: in a clone of jaxlint the rule and its cases; anywhere else the module
of a plugin and its test. What the files say is in `scaffold`. No file that is there is written over.
"""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterable, Mapping

import click

from jaxlint.project.option import SettingsError
from jaxlint.rule.scaffold import Names, of_a_clone, of_a_plugin

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_CODE = re.compile(r"([A-Z]{3})(\d{1,3})")
_ORDERS = ("no", "avoid", "prefer", "use", "dont")


@click.command("new")
@click.argument("name")
@click.option("--code", metavar="CODE", help="JAX310, or JAX3 for the next free one of a family.")
@click.option("--syntactic", is_flag=True, help="A rule that looks at the text: a visitor of LibCST.")
@click.option(
    "--folder", metavar="FOLDER", default=".", help="A clone of jaxlint, or where a plugin is written."
)
def command(name: str, code: str | None, syntactic: bool, folder: str) -> int:
    """Write the files of a new rule, and of the cases that fail until it is written.

    In a clone of jaxlint these are `rules/NAME.py` and `tests/cases/NAME.py`; elsewhere a plugin and a test.
    """
    _refuse_name(name)
    if not os.path.isdir(folder):
        raise SettingsError(f"no such folder: `{folder}`")
    clone = _clone_around(os.path.abspath(folder))
    root = os.path.abspath(folder) if clone is None else clone
    from jaxlint.rule.registry import registry

    entries = registry().entries
    if any(entry.name == name for entry in entries):
        raise SettingsError(f"there is a rule `{name}` already")
    taken = {entry.code for entry in entries} if clone is not None else _codes_in(root)
    chosen = _code(code or ("JAX1" if clone is not None else "OWN1"), taken, clone is not None)
    names = Names.of(name, chosen, syntactic)
    files = of_a_plugin(names) if clone is None else of_a_clone(names)
    _write(root, files)
    for path in files:
        click.echo(f"wrote {os.path.relpath(os.path.join(root, path))}")
    if clone is not None:
        click.echo(f"it fails until it is written: python -m pytest tests/test_cases.py -k {names.module}")
    else:
        click.echo(f"it fails until it is written: python -m pytest test_{names.module}.py")
    return 0


def _refuse_name(name: str) -> None:
    """Raises SettingsError: the name is of another form, or gives an order."""
    if not _NAME.fullmatch(name):
        raise SettingsError(f"a rule's name is of the form `jit-in-loop`, not `{name}`")
    if name.partition("-")[0] in _ORDERS:
        raise SettingsError(f"`{name}` says what to do; a rule's name says what it finds, as `jit-in-loop`")
    if keyword.iskeyword(name) or "-" not in name:
        raise SettingsError(f"`{name}` is one word; a rule's name has two or more, as `jit-in-loop`")


def _clone_around(folder: str) -> str | None:
    """The clone of jaxlint that a folder is in; None elsewhere."""
    while True:
        wanted = ("jaxlint/rule/__init__.py", "rules", "tests/cases")
        if all(os.path.exists(os.path.join(folder, each)) for each in wanted):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above


def _codes_in(folder: str) -> set[str]:
    """The codes that the modules of a folder give to rules."""
    found: set[str] = set()
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if name.endswith(".py") and os.path.isfile(path):
            with open(path, encoding="utf-8", errors="replace") as file:
                found.update(re.findall(r'^    code = "([A-Z]{3}\d{3})"', file.read(), re.MULTILINE))
    return found


def _code(given: str, taken: Iterable[str], is_ours: bool) -> str:
    """The code that is meant: a whole one, or the first behind those of a family.

    Raises:
        SettingsError: it is of another form, taken, or jaxlint's own.
    """
    found = _CODE.fullmatch(given)
    if found is None:
        raise SettingsError(f"a code is three capital letters and three digits, not `{given}`")
    letters, digits = found.groups()
    if (letters == "JAX") is not is_ours:
        whose = "rules of jaxlint have codes with `JAX`" if is_ours else "codes with `JAX` are jaxlint's own"
        raise SettingsError(f"{whose}: not `{given}`")
    taken = set(taken)
    if len(digits) == 3:
        if given in taken:
            raise SettingsError(f"there is a rule with the code `{given}` already")
        return given
    size = 3 - len(digits)
    own = [int(code[-size:]) for code in taken if code.startswith(given)]
    number = max(own, default=0) + 1
    if number >= 10**size:
        raise SettingsError(f"the family `{given}` has no code left")
    return f"{given}{number:0{size}}"


def _write(root: str, files: Mapping[str, str]) -> None:
    """Raises SettingsError: one of them is there."""
    for path in files:
        if os.path.lexists(os.path.join(root, path)):
            raise SettingsError(f"`{os.path.relpath(os.path.join(root, path))}` is there already")
    for path, text in files.items():
        with open(os.path.join(root, path), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
