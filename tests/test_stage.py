"""The work on files: programs as bytes, files left unparsed, workers. Whatever is spared, findings are the same."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Run, Tree
from linted import programs, projects
from msgspec import Struct
from msgspec.structs import astuple

import jaxlint
from jaxlint.diagnostic import Diagnostic
from jaxlint.domain.objects import Module
from jaxlint.ir import parsing
from jaxlint.ir.program import Import, Program
from jaxlint.project.configuration import Configuration
from jaxlint.project.discovery import find_projects
from jaxlint.project.project import Project
from jaxlint.report import render
from jaxlint.session import components, division, pipeline, workers
from jaxlint.session.driver import Driver
from jaxlint.session.import_scan import possible_imports
from jaxlint.session.session import Session
from jaxlint.source.text import Source

PLAIN = {
    "plain/__init__.py": "from .a import first\n",
    "plain/a.py": "import os\n\n\ndef first(x):\n    if x > 0:\n        return os.sep\n    return x\n",
    "plain/b.py": "from plain import a\n\n\nclass B:\n    def run(self, key):\n        return a.first(key) + a.first(key)\n",
    "plain/wrong.py": "def f(:\n",
    "plain/bytes.py": "# coding: nonsense\n",
    "plain/é.py": "é = 'ünï'\n",
}
MIXED = {
    "used.py": "def step(x):\n    if x > 0:\n        return x\n    return -x\n",
    "between.py": "from used import step as walk\n",
    "main.py": "import jax\n\nfrom between import walk\n\nf = jax.jit(walk)\n",
    "user.py": "import main\n\n\ndef g(x):\n    return main.f(x)\n",
    "space/part.py": "def draw(x):\n    while x > 0:\n        x = x - 1\n    return x\n",
    "asks.py": "import jax\nimport space.part\n\nh = jax.jit(space.part.draw)\n",
    "star.py": "from used import *\n",
    "late.py": "def lazy():\n    if True:\n        import hidden\n    return hidden\n",
    "hidden.py": "import late2\n",
    "late2.py": "try:\n    import main\nexcept ImportError:\n    main = None\n",
    "wide.py": "import ｊax\n\n\n@ｊax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return x\n",
}
ISLANDS = {
    "jaxlint.toml": "",
    "one/a.py": "import jax\n\nfrom one.b import step\n\nf = jax.jit(step)\n",
    "one/b.py": MIXED["used.py"],
    "two/a.py": MIXED["wide.py"].replace("ｊ", "j"),
    "tests/conftest.py": "import jax\n",
    "tests/test_it.py": "def test():\n    import three\n",
    "three.py": "import four\n",
    "four.py": "def g(:\n",
}
LONG = "import jax\n" + "".join(
    f"\n\n@jax.jit\ndef f{number}(x):\n    if x > {number}:\n        return x\n    return -x\n"
    for number in range(60)
)
NOTEBOOK = json.dumps(
    {
        "cells": [
            {"cell_type": "code", "source": text.splitlines(keepends=True), "metadata": {}, "outputs": []}
            for text in ("import jax\nf = jax.jit(lambda x: 1 if x > 0 else 2)", "def (:", "f(1)")
        ],
        "metadata": {"kernelspec": {"name": "python3"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
)


def project_of(root: Path) -> Project:
    (project,) = find_projects([str(root)], Configuration(isolated=True)).projects
    return project


def spied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of the files that are parsed from now on."""
    texts: list[str] = []
    real = parsing.parsed

    def parsed(data: bytes, is_interactive: bool = False) -> parsing.Outcome:
        texts.append(data.decode(errors="replace"))
        return real(data, is_interactive)

    monkeypatch.setattr(parsing, "parsed", parsed)
    return texts


def found(project: Project, skip: bool) -> list[Diagnostic]:
    return Session(skip=skip).results(project, {}).found()


def as_data(value: object) -> object:
    """A program as nested lists, with the types of what is in it."""
    if isinstance(value, Struct):
        return [type(value).__name__, *map(as_data, astuple(value))]
    if isinstance(value, tuple | list):
        return [type(value).__name__, *map(as_data, value)]
    if isinstance(value, set | frozenset):
        return [type(value).__name__, *sorted(value)]
    return [type(value).__name__, repr(value)]


def test_programs_as_bytes() -> None:
    count = 0
    for each in programs():
        outcome = parsing.parsed(each.text.encode())
        again = parsing.outcome_of(parsing.record_of(outcome))
        assert as_data(again) == as_data(outcome), each.name
        count += 1
    assert count > 100


@pytest.mark.parametrize(
    "text",
    [
        "x = 1j, -2.5j, b'\\xff\\x00', ..., '\\ud800', 'é', 1e400, -0.0, 10**20, True, None, ()",
        "x = 0x" + "f" * 3000,
        "f(*a, **b, c=1)[1:2, ...] @ (lambda x, /, y=2, *z, k, **w: (yield x))",
        "def f(:",
        "",
    ],
)
def test_odd_programs_as_bytes(text: str) -> None:
    outcome = parsing.parsed(text.encode())
    assert as_data(parsing.outcome_of(parsing.record_of(outcome))) == as_data(outcome)


def test_a_constant_that_is_too_long_to_be_printed() -> None:
    outcome = parsing.parsed(b"x = 0x" + b"f" * 5000)
    again = parsing.outcome_of(parsing.record_of(outcome))
    assert isinstance(outcome, Program) and isinstance(again, Program)
    assert again.body.body == outcome.body.body


@pytest.mark.parametrize(
    "damage", [lambda r: r[:-1], lambda r: b"", lambda r: b"x" + r[1:], lambda r: r + b" "]
)
def test_damaged_records_are_none(damage: object) -> None:
    record = parsing.record_of(parsing.parsed(b"x = 1\n"))
    assert parsing.outcome_of(damage(record)) is None  # type: ignore[operator]


@pytest.mark.parametrize("folder", projects(), ids=lambda folder: folder.name)
def test_skipping_changes_no_finding_of_a_project(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in {"jaxlint.toml": "", **PLAIN}.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    project = project_of(root)
    assert found(project, skip=True) == found(project, skip=False) == pipeline.analyse(project)


def test_what_is_skipped(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"jaxlint.toml": "", **PLAIN, **MIXED, "alone.py": "import used_not\n"})
    project = project_of(root)
    whole = found(project, skip=False)
    analyzed: list[str] = []
    real = Driver.load

    def load(driver: Driver, module: Module) -> None:
        analyzed.append(module.path)
        real(driver, module)

    monkeypatch.setattr(Driver, "load", load)
    assert found(project, skip=True) == whole
    assert set(analyzed) == {str(root / name) for name in MIXED}
    assert {diagnostic.code for diagnostic in whole} >= {"JAX001", "JAX002", "JAX101", "JAX102"}


def test_what_is_taught_may_be_about_any_file(tree: Tree) -> None:
    root = tree({"jaxlint.toml": '[jax]\ntraced-functions = ["plain.a.first"]\n', **PLAIN})
    (project,) = find_projects([str(root)], Configuration()).projects
    assert [row.code for row in found(project, skip=True)] == [row.code for row in found(project, skip=False)]
    assert "JAX101" in {row.code for row in found(project, skip=True)}


def test_libraries_are_those_of_the_tables() -> None:
    """Every dotted name in the engine and the rules is of a library that is listed, of Python or of NumPy."""
    package = Path(jaxlint.__file__).parent
    others = {*sys.stdlib_module_names, "numpy", "scipy"}
    # Ways to give a class fields, to start a test, to ask for a version: they make no value JAX's.
    others |= {
        "attr",
        "attrs",
        "pytest",
        "importlib_metadata",
        "pkg_resources",
        "packaging",
        "distutils",
        "absl",
    }
    # What an array is of, and what rewrites functions, say something only beside JAX.
    others |= {"autoray", "tensorflow"}
    # Progress bars say what a program loops over, beside JAX or not.
    others |= {"tqdm"}
    # A class of Python's, what a rule writes into its own messages, a file that pytest loads.
    others |= {"dict", "jitted", "debug", "conftest"}
    dotted = re.compile(r"[a-z]\w*(\.\w+)+(?<!\.csv|\.cfg|\.txt)(?<!\.toml)")
    strange = set()
    folders = "analysis", "domain", "fixes", "ir", "library", "tables"
    paths = [path for folder in folders for path in (package / folder).glob("*.py")]
    for path in [*paths, *(package.parent / "rules").glob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and dotted.fullmatch(node.value)
            ):
                root = node.value.partition(".")[0]
                if root not in others and not re.search("|".join(components.LIBRARIES), root):
                    strange.add((path.name, node.value))
    assert strange == set()


class Backwards(ThreadPoolExecutor):
    """An executor that ends the last task first."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
        self.tasks = getattr(self, "tasks", 0) + 1
        future: Future[object] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_any_executor(tree: Tree) -> None:
    root = tree({"jaxlint.toml": "", **PLAIN, **MIXED})
    project = project_of(root)
    executor = Backwards()
    session = Session(executor=executor)
    assert session.results(project, {}).found() == found(project, skip=False)
    assert executor.tasks > 0


def test_processes(tree: Tree, run: Run) -> None:
    tree({"jaxlint.toml": "", **PLAIN, **MIXED})
    one = run("check", "-n", "-j", "1", "--select", "ALL")
    assert one.status == 1
    assert run("check", "-n", "-j", "2", "--select", "ALL") == one
    assert run("check", "-j", "2", "--select", "ALL") == one


def test_changed_file_alone_is_parsed(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"jaxlint.toml": "", **PLAIN, **MIXED})
    run("check")
    texts = spied(monkeypatch)
    changed = MIXED["used.py"] + "\n\ny = 1\n"
    (root / "used.py").write_text(changed)
    after = run("check")
    assert texts == [changed]
    assert after == run("check", "-n")


def test_session_that_lasts(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"jaxlint.toml": "", **PLAIN, **MIXED})
    project = project_of(root)
    session = Session(is_lasting=True)
    first = session.results(project, {}).found()
    assert session.results(project, {}).found() == first
    texts = spied(monkeypatch)
    unsaved = {str(root / "main.py"): b"import jax\n"}
    assert session.results(project, unsaved).found() == pipeline.analyse(project, unsaved)
    assert texts == ["import jax\n"]


def test_files_that_go_away(tree: Tree) -> None:
    root = tree({"jaxlint.toml": "", **MIXED})
    project = project_of(root)
    os.unlink(root / "used.py")
    codes = [row.code for row in found(project, skip=True) if row.filename.endswith("used.py")]
    assert codes == ["JAX002"]
    assert found(replace(project), skip=True) == found(project, skip=False)


def test_watch(tree: Tree) -> None:
    root = tree({"jaxlint.toml": "", "a.py": "import jax\n"})
    command = [sys.executable, "-u", "-m", "jaxlint", "check", "--watch"]
    with subprocess.Popen(
        command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        # a shell that runs the tests in the background has interrupts ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as watch:
        assert watch.stdout is not None
        try:
            assert watch.stdout.readline() == "All checks passed!\n"
            assert "watching" in watch.stdout.readline()
            (root / "b.py").write_text(MIXED["wide.py"].replace("ｊ", "j"))
            assert watch.stdout.readline().startswith("b.py:6:8: JAX101")
            for _ in range(2):
                watch.stdout.readline()
            (root / "jaxlint.toml").write_text("nonsense = 1\n")
            assert "unknown key" in watch.stdout.readline()
            watch.stdout.readline()
            (root / "jaxlint.toml").write_text('ignore = ["JAX101"]\n')
            assert watch.stdout.readline() == "All checks passed!\n"
            watch.send_signal(signal.SIGINT)
            assert watch.wait(60) == 0
            assert "Traceback" not in watch.stdout.read()
        finally:
            watch.kill()


def test_watch_goes_with_files(tree: Tree, run: Run) -> None:
    tree({"jaxlint.toml": ""})
    assert "--watch goes with files" in run("check", "--watch", "-").err


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("localhost:1", "not of the form dask://HOST:PORT"),
        ("dask://127.0.0.1:9", "distributed|Timed out|connect"),
    ],
)
def test_executor_that_is_not_there(tree: Tree, run: Run, address: str, said: str) -> None:
    tree({"jaxlint.toml": "", "a.py": "import jax\n"})
    ran = run("check", "-n", "--executor", address)
    assert ran.status == 2 and ran.err.count("\n") == 1
    assert re.search(said, ran.err)


def test_workers_of_other_versions_are_not_believed() -> None:
    assert parsing.records([b"x = 1"], ("0", "3", "1")) == [b""]
    assert parsing.records([b"x = 1"], list(parsing.versions())) != [b""]


def test_components_side_by_side(tree: Tree, run: Run) -> None:
    tree({"jaxlint.toml": "", **PLAIN, **MIXED, **ISLANDS, "b.ipynb": NOTEBOOK, "torn.ipynb": "{"})
    flags = ("check", "--select", "ALL", "--output-format", "json", "-v")
    one = run(*flags, "-n", "-j", "1")
    assert {row["code"] for row in json.loads(one.out)} >= {"JAX001", "JAX002", "JAX101", "JAX102"}
    assert run(*flags, "-n", "-j", "3") == one
    assert run(*flags, "-j", "3") == one
    assert run(*flags, "-j", "3") == one


def test_what_workers_keep_is_what_is_kept_here(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"jaxlint.toml": "", **PLAIN, **MIXED, **ISLANDS}
    kept = []
    for jobs in ("1", "3"):
        root = tree(files)
        shutil.rmtree(root / ".jaxlint_cache", ignore_errors=True)
        run("check", "-j", jobs)
        cache = root / ".jaxlint_cache"
        kept.append(
            {path.relative_to(cache): path.read_bytes() for path in cache.rglob("*") if path.is_file()}
        )
    one, three = kept
    assert one.keys() == three.keys() and len(one) > 10
    assert all(one[path] == three[path] for path in one if "files" not in path.parts)


def test_a_worker_that_is_killed_costs_its_component_again(
    tree: Tree, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is killed in the middle of its work, once."""
    project = project_of(tree({"jaxlint.toml": "", **{f"m{number}.py": LONG for number in range(9)}}))
    whole = Session().results(project, {}).found()
    mark = tmp_path_factory.mktemp("mark") / "killed"
    here, real = os.getpid(), pipeline.analyze_component

    def killing(project: Project, data: dict[str, bytes], *rest: object) -> list[Diagnostic]:
        if any(path.endswith("m5.py") for path in data) and not mark.exists():
            mark.write_text("")
            assert os.getpid() != here
            os.kill(os.getpid(), signal.SIGKILL)
        return real(project, data, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "start_method", lambda: "fork")  # another one does not know what is patched
    monkeypatch.setattr(pipeline, "analyze_component", killing)
    session = Session(jobs=2)
    session.analyse([results := session.results(project, {})])
    session.close()
    assert mark.exists() and results.found() == whole and len(whole) > 9


@pytest.mark.parametrize("cache", [False, True])
def test_a_component_that_kills_two_workers_is_reported(
    tree: Tree, monkeypatch: pytest.MonkeyPatch, cache: bool
) -> None:
    project = project_of(tree({"jaxlint.toml": "", **{f"m{number}.py": LONG for number in range(9)}}))
    whole = Session().results(project, {}).found()
    here, real = os.getpid(), pipeline.analyze_component

    def killing(project: Project, data: dict[str, bytes], *rest: object) -> list[Diagnostic]:
        if any(path.endswith("m5.py") for path in data):
            assert os.getpid() != here
            os.kill(os.getpid(), signal.SIGKILL)
        return real(project, data, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(workers, "start_method", lambda: "fork")  # another one does not know what is patched
    monkeypatch.setattr(pipeline, "analyze_component", killing)
    session = Session(jobs=2, cache=cache)
    session.analyse([results := session.results(project, {})])
    session.close()
    (lost,) = [each for each in results.found() if each.code == "JAX003"]
    assert lost.filename.endswith("m5.py") and "the process that analysed" in lost.message
    others = [each for each in whole if each.filename != lost.filename]
    assert [each for each in results.found() if each is not lost] == others


def test_a_file_that_changes_meanwhile(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree({"jaxlint.toml": "", **MIXED})
    project = project_of(root)
    real = division.Division._shards

    def shards(self: division.Division, imports: object) -> object:
        made = real(self, imports)  # type: ignore[arg-type]
        (root / "main.py").write_text("import jax\nimport hidden\n" + MIXED["wide.py"])
        return made

    monkeypatch.setattr(division.Division, "_shards", shards)
    assert Session().results(project, {}).found() == pipeline.analyse(project)


IMPORTS = [
    b"import a, b.c as d; from e import f\nif x: import g",
    b"from a import (  # see (this)\n    b as c,  # and (that\n    d,\n)",
    b"from \\\n  a . b \\\n import \\\n c, d",
    b"from a \\\r\n import b\r\n",
    b"\\\nimport a",
    b"import a\rimport b\r\nimport c\n\n\x0cimport d",
    b"\xef\xbb\xbfimport a",
    b"from.import a\nfrom . . import(b)\nfrom ...c import d\nfrom ..e.f import*",
    "import ｊax\nfrom é.ﬁ import ｇ, h".encode(),
    "# coding: latin-1\nimport é".encode("latin-1"),
    "# coding: shift_jis\nx = '表'\nimport a # ソ\nimport b".encode("shift_jis"),
    b"# coding: utf-7\nimport a",
    b"match x:\n    case 1: import a\nclass A: x: int; import b\nelse_ = lambda: 0",
    b"try: from importlib import import_module as i\nexcept: import importer, fromage\n",
    b"def f():\n\timport a;import b;from c import d,e",
]


def _names(imports: Iterable[Import]) -> set[tuple[str, int, str | None]]:
    found: set[tuple[str, int, str | None]] = set()
    for module, level, names in imports:
        found |= {(module, level, name) for name in (None, *(names or ()))}
    return found


@pytest.mark.parametrize("data", IMPORTS)
def test_possible_imports_of(data: bytes) -> None:
    outcome = parsing.parsed(data)
    exact = _names(parsing.lead_to(outcome).imports)
    possible = _names(possible_imports(data))
    assert exact <= possible
    assert exact or isinstance(outcome, parsing.Refusal)


def test_possible_imports_are_all_imports() -> None:
    """Of programs, of the standard library, and of both where something is torn out of them."""
    library = Path(os.__file__).parent
    texts = [each.text.encode() for each in programs()]
    texts += [path.read_bytes() for path in sorted(library.glob("*.py"))[::8]]
    texts += [path.read_bytes() for path in sorted((library / "test").glob("test_[a-i]*.py"))[::20]]
    extra = count = 0
    for data in texts:
        exact, possible = (
            _names(parsing.lead_to(parsing.parsed(data)).imports),
            _names(possible_imports(data)),
        )
        assert exact <= possible
        count += len(exact)
        extra += len(possible - exact)
    assert count > 1000 and extra < count / 5


@pytest.mark.parametrize("folder", projects(), ids=lambda folder: folder.name)
def test_a_part_has_all_that_its_findings_depend_on(folder: Path, tmp_path: Path) -> None:
    """Names mean in a part what they mean in the project."""
    root = tmp_path / "project"
    shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "jaxlint.toml").write_text("")
    project = project_of(root)
    for shard in division.Division(project, {}).shards:
        for path in shard.paths:
            outcome = parsing.parsed(Path(path).read_bytes())
            for module, level, name in _names(parsing.lead_to(outcome).imports):
                dotted = ".".join(filter(None, (module, name)))
                for end in range(len(dotted.split(".")) + 1):
                    asked = ".".join(dotted.split(".")[:end])
                    if not asked and not level:
                        continue
                    whole = project.resolve(asked, path, level)
                    inside = shard.project.resolve(asked, path, level)
                    assert whole is None or whole.path in shard.paths
                    assert whole == inside or (whole is None and inside.path not in shard.paths)  # type: ignore[union-attr]


def test_projects_side_by_side(tree: Tree, run: Run) -> None:
    names = ("one", "two", "three")
    tree({f"{name}/{path}": text for name in names for path, text in {"jaxlint.toml": "", **MIXED}.items()})
    one = run("check", "-n", "-j", "1", "--select", "ALL")
    assert run("check", "-j", "2", "--select", "ALL") == one
    assert run("check", "-j", "2", "--select", "ALL") == one


def analysed_parts(monkeypatch: pytest.MonkeyPatch, root: Path) -> list[list[str]]:
    """The files that are analysed together from now on."""
    parts: list[list[str]] = []
    real = pipeline.analyze_component

    def analyze_component(project, data, outcomes, *rest, **options):  # type: ignore[no-untyped-def]
        parts.append([os.path.relpath(path, root) for path in outcomes])
        return real(project, data, outcomes, *rest, **options)

    monkeypatch.setattr(pipeline, "analyze_component", analyze_component)
    return parts


def test_files_that_are_not_connected_are_analysed_apart(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(ISLANDS)
    project = project_of(root)
    whole = found(project, skip=False)
    assert [row.code for row in whole] == ["JAX001", "JAX101", "JAX101"]
    parts = analysed_parts(monkeypatch, root)
    assert found(project, skip=True) == whole
    first, second, third = parts
    assert first == ["four.py", "tests/conftest.py", "tests/test_it.py", "three.py"]
    assert (second, third) == (["one/a.py", "one/b.py"], ["two/a.py"])


def test_what_a_named_file_is_not_connected_with_is_left_alone(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree(ISLANDS)
    whole = run("check", "-n").out
    parts = analysed_parts(monkeypatch, root)
    alone = run("check", "one/b.py")
    assert alone.out.splitlines()[0] == next(line for line in whole.splitlines() if "one/b.py" in line)
    assert parts == [["one/a.py", "one/b.py"]]
    # What was found in the part is known; the rest is not.
    assert run("check", "one/a.py").status == 0
    assert len(parts) == 1
    assert run("check").out == whole
    assert len(parts) == 3 and ["one/a.py", "one/b.py"] not in parts[1:]


def test_a_change_leaves_other_parts_alone(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(ISLANDS)
    project = project_of(root)
    session = Session(is_lasting=True)
    session.results(project, {}).found()
    parts = analysed_parts(monkeypatch, root)
    unsaved = {str(root / "two/a.py"): b"import jax\n"}
    assert session.results(project, unsaved).found() == pipeline.analyse(project, unsaved)
    assert parts[0] == ["two/a.py"]
    unsaved = {str(root / "two/a.py"): b"import jax\nimport one.b\n"}
    assert session.results(project, unsaved).found() == pipeline.analyse(project, unsaved)
    assert sorted(parts[2]) == ["one/a.py", "one/b.py", "two/a.py"]


@pytest.mark.parametrize(
    "path, near",
    [("five.py", ""), ("one/c.py", ""), ("one/b.pyi", "one/b.py"), ("lone/__init__.py", "lone/b.py")],
)
def test_a_file_that_comes_or_goes_leaves_other_parts_alone(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch, path: str, near: str
) -> None:
    root = tree({**ISLANDS, "lone/b.py": "import jax\n"})
    before = run("check")
    tree({path: "import jax\n"})
    parts = analysed_parts(monkeypatch, root)
    cached = run("check").out
    assert [path] in parts or near
    assert all(path in part or near in part for part in parts), parts
    assert cached == run("check", "-n").out
    (root / path).unlink()
    assert run("check") == before


def test_record_that_is_damaged_behind_its_lead(tree: Tree, run: Run) -> None:
    root = tree({"jaxlint.toml": "", **MIXED})
    first = run("check")
    for path in (root / ".jaxlint_cache").rglob("*"):
        if path.is_file() and "program" in path.parts:
            path.write_bytes(path.read_bytes()[:-1])
        elif path.is_file() and path.suffix != ".gitignore":
            path.unlink()
    assert run("check") == first


def test_libcst_is_not_loaded_for_what_has_no_finding(tree: Tree) -> None:
    tree({"jaxlint.toml": "", "a.py": "import jax\n\nf = jax.jit(abs)\n"})
    program = (
        "import sys\n"
        "from jaxlint.cli.main import main\n"
        "try:\n"
        "    main(['check', '-n'])\n"
        "except SystemExit as end:\n"
        "    print(end.code, 'jaxlint.session.driver' in sys.modules, 'libcst' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[1] == "0 True False"


def test_what_is_said_of_a_file_that_stays_is_rendered_once(
    tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tree({"jaxlint.toml": "", **MIXED})
    run("check")
    located: list[str] = []
    real = render.Located

    def spy(source: Source, program: Program) -> render.Located:
        located.append(source.text)
        return real(source, program)

    monkeypatch.setattr(render, "Located", spy)
    (root / "main.py").write_text("y = 1\n" + MIXED["main.py"])
    after = run("check")
    # The note on `used.py` tells of a row of `main.py`; nothing of `wide.py` lies anywhere else.
    assert located and MIXED["wide.py"] not in located and "y = 1\n" + MIXED["main.py"] in located
    (root / "user.py").write_text("x = 2\n" + MIXED["user.py"])
    located.clear()
    assert run("check") == after
    assert located == []
    assert run("check", "-n") == after
    assert MIXED["wide.py"] in located, "without a cache"
