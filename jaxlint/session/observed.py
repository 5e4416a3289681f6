"""What runs showed of a project: the facts files of its settings as one, by file of the project.

In: the settings' `facts`, read as data. Out: what is known of the functions of each file, with a digest of
what findings depend on; and a line for each file of facts that cannot be used, which is left out. Neither the
order of the files nor that of their functions matters.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from jaxlint.failure import in_a_line
from jaxlint.observe.facts import LARGEST, Facts, FactsError, Function, decoded, merged, split_key
from jaxlint.observe.fingerprint import MODULE, fingerprint, functions_of
from jaxlint.observe.fingerprint import Function as Named
from jaxlint.project.project import Project
from jaxlint.source.regular_files import read_regular

Read = Callable[[str], Facts]


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What runs showed of the functions of one file.

    path: as facts have it. functions: by qualified name without numbers, fingerprint, and name. raised: the
    names of those in which something was raised while they were traced. digest: of all that findings depend
    on.
    """

    path: str
    functions: Mapping[str, Mapping[str, Mapping[str, Function]]]
    raised: frozenset[str]
    digest: str

    def key_of(self, name: str) -> str:
        """What facts name a function by."""
        return f"{self.path}::{name}"

    def of(self, name: str, print: str) -> Function | None:
        """What is known of a function. `name`: as facts have it, with its number where others have the same;
        of those with equal text the number says which."""
        found = self.functions.get(name.partition("#")[0], {}).get(print, {})
        return found.get(name) or (next(iter(found.values())) if len(found) == 1 else None)


@dataclass(frozen=True, slots=True)
class Observed:
    """What runs showed of a project.

    is_given: whether the settings name any facts. files: by path. problems: a line for each file of facts
    that was left out.
    """

    is_given: bool = False
    files: Mapping[str, FileFacts] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def counts(self, tree_of: Callable[[str], ast.Module | None]) -> tuple[int, int]:
        """Of how many functions the facts hold, and of how many they do not: these have changed since, or are
        gone. tree_of: the syntax tree of a file."""
        hold = others = 0
        for path, facts in self.files.items():
            tree = tree_of(path)
            found = 0 if tree is None else sum(1 for _ in held(tree, facts))
            hold += found
            names = {name for known in facts.functions.values() for each in known.values() for name in each}
            others += max(len(names - {MODULE}) - found, 0)
        return hold, others

    def digest_of(self, paths: Iterable[str]) -> str:
        """Of what findings in some files depend on; empty where nothing is known of them."""
        rows = [f"{path}\0{self.files[path].digest}" for path in sorted(paths) if path in self.files]
        return "\n".join(rows)

    def within(self, paths: Iterable[str]) -> Observed:
        """The same of these files only."""
        return Observed(self.is_given, {path: self.files[path] for path in paths if path in self.files})


NOTHING = Observed()


def read_facts(path: str) -> Facts:
    """The facts in a regular file: a pipe would block a run.

    Raises:
        FactsError: the file cannot be used.
    """
    try:
        return decoded(read_regular(path, LARGEST))
    except OSError as error:
        raise FactsError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        if isinstance(error, FactsError):
            raise
        raise FactsError(in_a_line(error)) from None  # a name with a NUL


def observed(project: Project, read: Read = read_facts) -> Observed:
    """What the facts files of a project's settings hold of its files."""
    names = dict.fromkeys(os.path.realpath(path) for path in project.settings.facts)
    if not names:
        return NOTHING
    problems: list[str] = []
    functions: dict[str, dict[str, dict[str, Function]]] = {}
    raised: dict[str, set[str]] = {}
    shown: dict[str, set[str]] = {}
    for name in sorted(names):
        try:
            facts = read(name)
        except FactsError as error:
            problems.append(f"facts `{os.path.relpath(name)}`: left out: {error}")
            continue
        folder = os.path.dirname(name)
        places = {key: _place(folder, key) for key in facts.functions}
        if places and not any(path in project.by_path for path, _ in places.values()):
            problems.append(f"facts `{os.path.relpath(name)}`: left out: they are of files elsewhere")
            continue
        for key, function in facts.functions.items():
            path, own = places[key]
            if path in project.by_path:
                shown.setdefault(path, set()).add(split_key(key)[0])
                known = functions.setdefault(path, {}).setdefault(own, {})
                known[function.fingerprint] = _together(known.get(function.fingerprint), function)
        for event in facts.events:
            path, own = _place(folder, event.function)
            if event.kind == "raised" and path in project.by_path:
                raised.setdefault(path, set()).add(own)
    files = {
        path: _file_facts(min(shown[path]), known, frozenset(raised.get(path, ())))
        for path, known in functions.items()
    }
    return Observed(True, files, tuple(problems))


def _place(folder: str, key: str) -> tuple[str, str]:
    """The file of a function, and the function's name in it."""
    path, name = split_key(key)
    return os.path.normpath(os.path.join(folder, path.replace("/", os.sep))), name


def _together(one: Function | None, other: Function) -> Function:
    if one is None:
        return other
    return merged(Facts(functions={"": one}), Facts(functions={"": other})).functions[""]


def _file_facts(path: str, known: Mapping[str, Mapping[str, Function]], raised: frozenset[str]) -> FileFacts:
    functions: dict[str, dict[str, dict[str, Function]]] = {}
    rows: list[object] = [path, sorted(raised)]
    for name, versions in sorted(known.items()):
        for print, each in sorted(versions.items()):
            functions.setdefault(name.partition("#")[0], {}).setdefault(print, {})[name] = each
            rows.append([name, print, each.entries, each.more])
    digest = blake2b(msgspec.json.encode(rows, order="sorted"), digest_size=20).hexdigest()
    return FileFacts(path, functions, raised, digest)


# ---- the functions of a text


class Held(NamedTuple):
    """A function of a text of which runs showed something since it is as it is. raised: whether something was
    raised in it while it was traced."""

    named: Named
    facts: Function
    raised: bool


def held(tree: ast.Module, facts: FileFacts) -> Iterator[Held]:
    """The functions of a tree whose facts hold: they have not changed since."""
    for named in functions_of(tree):
        if named.name.partition("#")[0] in facts.functions:
            found = facts.of(named.name, fingerprint(named.node))
            if found is not None:
                yield Held(named, found, named.name in facts.raised)


class Reader:
    """Reads facts files, each once while it does not change."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[int, int], Facts]] = {}

    def __call__(self, path: str) -> Facts:
        """
        Raises:
            FactsError: the file cannot be used.
        """
        try:
            stat = os.stat(path)
        except OSError as error:
            raise FactsError(f"cannot be read: {error.strerror or error}") from None
        except ValueError as error:  # a name with a NUL
            raise FactsError(in_a_line(error)) from None
        stamp = stat.st_mtime_ns, stat.st_size
        known = self._known.get(path)
        if known is None or known[0] != stamp:
            known = self._known[path] = stamp, read_facts(path)
        return known[1]
