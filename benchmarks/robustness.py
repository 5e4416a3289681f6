"""Counts what must never happen: internal errors, processes that die, files that take longer than a limit.

    python benchmarks/robustness.py [--mutants N] [--seed N] [--share S] [--limit SECONDS] [-j N]
        [--only WHAT] [--files PATH...] [--keep FOLDER]

Linted are, each file as a project of its own: the standard library, all that is installed beside it, and
mutants of the case files and of the installed files that name JAX. Mutants are made of bytes, rows, tokens
and, most of them, syntax trees; the seed says which. What is found is shown in a text format, its fixes are
applied, and the result is linted. Ends with 1 where anything was counted. `--files` lints these files and
folders alone.
"""

from __future__ import annotations

import argparse
import ast
import io
import os
import random
import re
import site
import sys
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parent.parent
LARGEST = 20_000  # bytes of a file that is mutated
FILE = "/program/module.py"


@dataclass(slots=True)
class Seen:
    """What happened: how many files, and what must not happen, by what it says, with a file of each."""

    files: int = 0
    findings: int = 0
    refused: int = 0
    wrong: dict[str, list[str]] = field(default_factory=dict)


# ---- what is linted


def files_of(folders: Iterable[str]) -> list[Path]:
    found = []
    for folder in folders:
        path = Path(folder)
        found += [path] if path.is_file() else sorted(path.rglob("*.py"))
    return found


def installed() -> list[Path]:
    """The standard library, and what is installed beside it."""
    standard = sysconfig.get_paths()["stdlib"]
    return list(dict.fromkeys(files_of([standard, *site.getsitepackages(), *_added()])))


def _added() -> list[str]:
    return [entry for entry in sys.path if entry.endswith("site-packages")]


def sections() -> list[str]:
    """The programs of the case files."""
    texts = []
    for path in sorted((ROOT / "tests" / "cases").glob("*.py")):
        texts += re.split(r"(?m)^# %% .*\n", path.read_text(encoding="utf-8"))[1:]
    return texts


def mutants(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Names and texts of mutants, half of them of case files."""
    cases = [text.encode() for text in sections()]
    library = [data for path in installed() if (data := _small(path)) is not None]
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        pool = cases if number % 2 or not library else library
        data = chance.choice(pool)
        for _ in range(chance.choice((1, 1, 2, 3))):
            data = chance.choice(MUTATIONS)(data, chance, pool)
        yield f"mutant {number}", data


def _small(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    return data if len(data) < LARGEST and b"jax" in data else None


# ---- mutations


def of_bytes(data: bytes, chance: random.Random, pool: list[bytes]) -> bytes:
    text = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        odd = chance.choice(
            (b"\f", b"\0", b"\r", b"\x1b", b"\xff", b"\\", b"'", b'"', b"{", b"(", b"\t", b" ", b"\xc2\xa0")
        )
        kind = chance.randrange(3)
        if kind == 0:
            text[at : at + chance.randint(1, 3)] = b""
        elif kind == 1:
            text[at:at] = odd
        else:
            text[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(text)


def of_rows(data: bytes, chance: random.Random, pool: list[bytes]) -> bytes:
    rows = data.splitlines(keepends=True) or [b""]
    other = chance.choice(pool).splitlines(keepends=True) or [b""]
    for _ in range(chance.randint(1, 4)):
        at, to = chance.randrange(len(rows)), chance.randrange(len(rows))
        kind = chance.randrange(6)
        if kind == 0 and len(rows) > 1:
            del rows[at]
        elif kind == 1:
            rows.insert(to, rows[at])
        elif kind == 2:
            rows[at], rows[to] = rows[to], rows[at]
        elif kind == 3:
            rows[at] = b"    " + rows[at]
        elif kind == 4:
            rows[at] = rows[at][4:] if rows[at].startswith(b"    ") else b"\f" + rows[at]
        else:
            rows.insert(at, chance.choice(other))
    return b"".join(rows)


def of_tokens(data: bytes, chance: random.Random, pool: list[bytes]) -> bytes:
    mine, others = _tokens(data), _tokens(chance.choice(pool))
    if not mine or not others:
        return of_rows(data, chance, pool)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(mine))
        kind = chance.randrange(4)
        if kind == 0:
            mine[at] = ""
        elif kind == 1:
            mine[at] = f"{mine[at]} {mine[at]}"
        elif kind == 2:
            mine[at] = chance.choice(others)
        else:
            to = chance.randrange(len(mine))
            mine[at], mine[to] = mine[to], mine[at]
    return "".join(mine).encode("utf-8", "surrogatepass")


def _tokens(data: bytes) -> list[str]:
    """The tokens of a text with what stands between them."""
    try:
        text = data.decode()
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (UnicodeDecodeError, tokenize.TokenError, SyntaxError):
        return []
    starts = [0]
    for row in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(row))
    pieces, end = [], 0
    for token in found:
        if token.string and token.start[0] < len(starts):
            start = starts[token.start[0] - 1] + token.start[1]
            pieces += [text[end:start], token.string]
            end = start + len(token.string)
    return [*pieces, text[end:]]


WRAPPINGS = (
    "[$]",
    "($,)",
    "{'p': $}",
    "f($)",
    "(lambda: $)()",
    "[$ for _ in x]",
    "[*$]",
    "($ if x else y)",
    "jax.jit($)",
    "jax.vmap($)(x)",
    "$.at[0].set(1)",
    "$[0]",
    "$.p",
    "-$",
    "not $",
    "(yield $)",
    "f'{$}'",
    "f'{$!r:>{$}}'",
    "jax.random.split($)",
    "$ + 1",
    "(x := $)",
    "$()",
    "jax.lax.scan($, x, y)",
    "$['new']",
    "{**$}",
    "(await $)",
    "functools.partial($, x)",
    "jax.tree.map(jax.jit, $)",
    "2**40",
    "4294967297",
    "'p'",
    "('new', 3)",
    "None",
    "x",
    "self",
    "f(**$)",
    "f(*$)",
    "x[$:$]",
    "$ < $ < $",
    "$ in $",
    "jax.random.PRNGKey($)",
    "'$spent'",
    "('@', 1, 'x')",
)
BLOCKS = (
    "if x:\n    pass",
    "for x in y:\n    pass",
    "while x:\n    pass",
    "with x as y:\n    pass",
    "try:\n    pass\nexcept E as x:\n    pass",
    "def f(x, *y, **z):\n    pass",
    "class C(NamedTuple):\n    pass",
    "@jax.jit\ndef f(x):\n    pass",
    "match x:\n    case {'p': y}:\n        pass",
    "async def f():\n    pass",
    "class C:\n    @property\n    def f(self):\n        pass",
    "try:\n    pass\nfinally:\n    pass",
)


def of_trees(data: bytes, chance: random.Random, pool: list[bytes]) -> bytes:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            mine, other = ast.parse(data), ast.parse(chance.choice(pool))
            for _ in range(chance.randint(1, 4)):
                chance.choice((_wrapped, _exchanged, _enclosed, _renamed))(mine, other, chance)
            return ast.unparse(ast.fix_missing_locations(mine)).encode("utf-8", "surrogatepass")
    except Exception:  # of a tree that is none any more
        return of_rows(data, chance, pool)


def _places(tree: ast.AST, kind: type) -> list[tuple[ast.AST, str, int | None]]:
    """Where nodes of a kind are: in which node, field and position."""
    found: list[tuple[ast.AST, str, int | None]] = []
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, kind):
                found.append((node, name, None))
            elif isinstance(value, list):
                found += [(node, name, at) for at, each in enumerate(value) if isinstance(each, kind)]
    return found


def _at(place: tuple[ast.AST, str, int | None]) -> ast.AST:
    node, name, at = place
    value = getattr(node, name)
    return value if at is None else value[at]


def _put(place: tuple[ast.AST, str, int | None], made: ast.AST) -> None:
    node, name, at = place
    if at is None:
        setattr(node, name, made)
    else:
        getattr(node, name)[at] = made


def _wrapped(mine: ast.Module, other: ast.Module, chance: random.Random) -> None:
    place = chance.choice(_places(mine, ast.expr))
    text = chance.choice(WRAPPINGS).replace("$", f"({ast.unparse(_at(place))})")
    _put(place, ast.parse(text, mode="eval").body)


def _exchanged(mine: ast.Module, other: ast.Module, chance: random.Random) -> None:
    kind = chance.choice((ast.expr, ast.stmt))
    _put(chance.choice(_places(mine, kind)), _at(chance.choice(_places(other, kind))))


def _enclosed(mine: ast.Module, other: ast.Module, chance: random.Random) -> None:
    place = chance.choice(_places(mine, ast.stmt))
    block = ast.parse(chance.choice(BLOCKS))
    inner = chance.choice([each for each in _places(block, ast.stmt) if isinstance(_at(each), ast.Pass)])
    _put(inner, _at(place))
    _put(place, block.body[0])


def _renamed(mine: ast.Module, other: ast.Module, chance: random.Random) -> None:
    names = [node for node in ast.walk(mine) if isinstance(node, ast.Name)]
    chance.choice(names).id = chance.choice(names).id


MUTATIONS: tuple[Callable[[bytes, random.Random, list[bytes]], bytes], ...] = (
    of_bytes,
    of_rows,
    of_tokens,
    *[of_trees] * 6,
)


# ---- linting, in processes that may hang or die


def lint(data: bytes) -> tuple[int, int, list[str]]:
    """How many findings a text has, whether it is refused, and what went wrong."""
    from jaxlint.cli.formats import Context, render
    from jaxlint.fixes import apply
    from jaxlint.project.project import Project, SourceFile
    from jaxlint.project.settings import Settings
    from jaxlint.session import pipeline
    from jaxlint.source.text import UnreadableSource, read_source

    project = Project("/program", (SourceFile(FILE, ("module",), False),), frozenset([FILE]), Settings())
    found = pipeline.analyse(project, {FILE: data})
    wrong = [each.message for each in found if each.code == "JAX003"]
    try:
        source = read_source(data)
    except UnreadableSource:
        return len(found), 1, wrong
    render("full", found, Context("/program", text_of=lambda name, cell: source.text))
    fixed, _ = apply.apply_fixes(source.text, [each.fix for each in found if each.fix is not None])
    if fixed != source.text:
        again = pipeline.analyse(project, {FILE: fixed.encode("utf-8", "surrogatepass")})
        wrong += [f"after fixes: {each.message}" for each in again if each.code == "JAX003"]
        if not apply.still_parses(source.text, fixed):
            one = [each.code for each in found if each.fix is not None and not _holds(source.text, each.fix)]
            wrong += [f"the fix of {code} does not parse" for code in one]
    return len(found), int(any(each.code == "JAX001" for each in found)), wrong


def _holds(text: str, made: object) -> bool:
    from jaxlint.fixes import apply

    return apply.still_parses(text, apply.apply_fixes(text, [made])[0])  # type: ignore[list-item]


def work(orders: Connection) -> None:
    while True:
        data = orders.recv_bytes()
        try:
            orders.send(lint(data))
        except Exception as error:
            import traceback

            place = traceback.extract_tb(error.__traceback__)[-1]
            orders.send((0, 0, [f"{type(error).__name__}: {error} in {place.name}"]))


class Worker:
    def __init__(self) -> None:
        self.pipe, inner = get_context("spawn").Pipe()
        self.process = get_context("spawn").Process(target=work, args=(inner,), daemon=True)
        self.process.start()
        inner.close()
        self.name, self.data, self.begin = "", b"", 0.0

    def start(self, name: str, data: bytes) -> None:
        self.name, self.data, self.begin = name, data, monotonic()
        self.pipe.send_bytes(data)

    def close(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def count(
    orders: Iterator[tuple[str, bytes]], jobs: int, limit: float, keep: Path | None, title: str
) -> Seen:
    """Lints all, several at once. A worker that is slow or dead is replaced."""
    seen = Seen()
    idle, busy = [Worker() for _ in range(jobs)], list[Worker]()

    def end(worker: Worker, wrong: list[str]) -> None:
        for message in dict.fromkeys(re.sub(r"\d+", "N", each) for each in wrong):
            seen.wrong.setdefault(message, []).append(worker.name)
            if keep is not None:
                (keep / f"{title} {len(seen.wrong)} {worker.name.replace(os.sep, '_')[-60:]}").write_bytes(
                    worker.data
                )

    more = True
    while more or busy:
        while more and idle:
            order = next(orders, None)
            if order is None:
                more = False
                break
            seen.files += 1
            idle[-1].start(*order)
            busy.append(idle.pop())
        ready = wait([worker.pipe for worker in busy], 1)
        for worker in list(busy):
            if worker.pipe in ready:
                busy.remove(worker)
                try:
                    findings, refused, wrong = worker.pipe.recv()
                except EOFError:
                    end(worker, ["the process died"])
                    worker.close()
                    idle.append(Worker())
                    continue
                seen.findings += findings
                seen.refused += refused
                end(worker, wrong)
                idle.append(worker)
            elif monotonic() - worker.begin > limit:
                busy.remove(worker)
                end(worker, [f"over the limit of {limit:g} seconds"])
                worker.close()
                idle.append(Worker())
    for worker in idle:
        worker.close()
    return seen


def read(paths: Iterable[Path]) -> Iterator[tuple[str, bytes]]:
    for path in paths:
        try:
            yield str(path), path.read_bytes()
        except OSError:
            continue


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mutants", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=1, help="Of the installed files, chosen by the seed.")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("-j", type=int, default=os.cpu_count() or 1, dest="jobs")
    parser.add_argument("--only", choices=["installed files", "mutants"])
    parser.add_argument("--files", nargs="*")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="Write what goes wrong there.")
    flags = parser.parse_args()
    if flags.keep is not None:
        flags.keep.mkdir(parents=True, exist_ok=True)
    chance = random.Random(flags.seed)
    files = [path for path in installed() if chance.random() < flags.share]
    runs = {"installed files": read(files), "mutants": mutants(flags.mutants, flags.seed)}
    if flags.only:
        runs = {flags.only: runs[flags.only]}
    if flags.files is not None:
        runs = {"files": read(files_of(flags.files))}
    wrong = Counter[str]()
    print("| what | files | refused | findings | wrong |\n| --- | ---: | ---: | ---: | ---: |")
    for title, orders in runs.items():
        seen = count(orders, flags.jobs, flags.limit, flags.keep, title)
        number = sum(map(len, seen.wrong.values()))
        wrong[title] = number
        print(f"| {title} | {seen.files} | {seen.refused} | {seen.findings} | {number} |", flush=True)
        for message, names in sorted(seen.wrong.items(), key=lambda row: -len(row[1])):
            print(f"{len(names)} x {message}: {names[0]}", file=sys.stderr)
    return 1 if wrong.total() else 0


if __name__ == "__main__":
    sys.exit(main())
