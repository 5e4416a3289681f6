"""What is kept between runs: the same findings with it and without, and nothing that is wrong with it matters."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from conftest import Run, Tree
from linted import projects

from jaxlint.diagnostic import Diagnostic
from jaxlint.rule import registry
from jaxlint.session import pipeline
from jaxlint.session.fingerprints import ASIDE, Fingerprints, own_files
from jaxlint.session.store import FORM, NAME, TAG, Store

BRANCH = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
TREE = {"jaxlint.toml": "", "a.py": BRANCH, "b.py": "import jax\n\nkey = jax.random.key(0)\n"}
LIBCST = ("libcst", "jaxlint.session.pipeline", "jaxlint.rule.registry", "jaxlint.rules", "jaxlint.session.driver")


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the files that are analysed together, as they are."""
    parts: list[list[str]] = []
    real = pipeline.analyze_component

    def analyze_component(project, data, outcomes, *rest, **options):  # type: ignore[no-untyped-def]
        parts.append([os.path.basename(path) for path in outcomes])
        return real(project, data, outcomes, *rest, **options)

    monkeypatch.setattr(pipeline, "analyze_component", analyze_component)
    return parts


def age(root: Path) -> None:
    """Makes files older than a tick of the clock, so that their stamps are believed."""
    for path in root.rglob("*.py"):
        os.utime(path, (1_000_000_000, 1_000_000_000))


@pytest.mark.parametrize("folder", projects(), ids=lambda folder: folder.name)
def test_the_same_with_and_without(
    folder: Path, tmp_path: Path, run: Run, analysed: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "project"
    shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
    facts = [path.name for path in root.glob("jaxlint-facts.json")]
    (root / "jaxlint.toml").write_text(f"facts = {facts}\n")
    monkeypatch.chdir(root)
    flags = ("check", ".", "--select", "ALL", "--output-format", "json")
    without = run(*flags, "-n")
    assert not (root / NAME).exists()
    assert run(*flags) == without
    count = len(analysed)
    assert run(*flags) == without
    assert run(*flags, "--ignore-noqa").status == without.status
    some = sorted(root.rglob("*.py"))[0]
    alone = run("check", some, *flags[2:])
    assert len(analysed) == count
    assert alone == run("check", some, *flags[2:], "-n")
    full = run("check", "--select", "ALL", "--output-format", "full")
    assert full == run("check", "--select", "ALL", "--output-format", "full", "-n")


@pytest.mark.parametrize("name", ["deep_helper", "trainer_wrapper", "src_layout"])
def test_the_same_after_each_of_many_edits(
    name: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "project"
    folder = next(each for each in projects() if each.name == name)
    shutil.copytree(folder, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / "jaxlint.toml").touch()
    monkeypatch.chdir(root)
    chance = random.Random(name)
    for _ in range(30):
        files = sorted(root.rglob("*.py"))
        edit(chance, root, files)
        some = chance.choice([["."], chance.sample(files, 1)])
        some = [each for each in some if each == "." or Path(each).exists()] or ["."]
        flags = ("check", *some, "--select", "ALL", "--output-format", "json")
        without = run(*flags, "-n")
        assert run(*flags) == without
        assert run(*flags) == without


def edit(chance: random.Random, root: Path, files: list[Path]) -> None:
    """One change that a user, or a merge, may make."""
    path, other = chance.choice(files), chance.choice(files)
    rows = path.read_text().split("\n")
    place = chance.randrange(len(rows))
    module = ".".join(other.relative_to(root).with_suffix("").parts)
    what = chance.choice(
        ["insert", "delete", "double", "import", "swap", "new", "move", "conftest", "target"]
    )
    if what == "insert":
        path.write_text("\n".join([*rows, *BRANCH.split("\n")]))
    elif what == "delete":
        path.write_text("\n".join([*rows[:place], *rows[place + 1 :]]))
    elif what == "double":
        path.write_text("\n".join([*rows[:place], "", rows[place], *rows[place:]]))
    elif what == "import":
        path.write_text("\n".join([f"from {module} import *", *rows]))
    elif what == "swap":
        path.write_text(other.read_text())
        other.write_text("\n".join(rows))
    elif what == "new":
        (path.parent / f"new_{place}.py").write_text(BRANCH)
    elif what == "move":
        path.rename(path.with_name(f"moved_{place}.py"))
    elif what == "conftest":
        (path.parent / "conftest.py").write_text(f"import {module}\n")
    else:
        (root / "jaxlint.toml").write_text(f'target-jax = "0.4.{place}"\n')


def test_a_change_is_seen(tree: Tree, run: Run, analysed: list[list[str]]) -> None:
    root = tree(TREE)
    age(root)
    assert "a.py:6:8: JAX101" in run("check").out
    assert "a.py:6:8: JAX101" in run("check").out
    assert analysed == [["a.py"], ["b.py"]]
    before = os.stat(root / "a.py")
    # As long, and with the old time put back: the time of the change of the record gives it away.
    (root / "a.py").write_text(BRANCH.replace("x > 0", "0 > 1"))
    os.utime(root / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    assert run("check").status == 0
    assert analysed[2:] == [["a.py"]], "files that imports do not connect with a change are not analyzed again"
    (root / "a.py").write_text(BRANCH.replace("import jax\n", "import jax, b\n"))
    assert run("check").status == 1
    assert analysed[3:] == [["a.py", "b.py"]], "what is connected with a change"
    (root / "a.py").write_text(BRANCH.replace("x > 0", "0 > 1"))
    (root / "c.py").write_text("import a\n")
    assert run("check").status == 0
    assert analysed[4:] == [["a.py", "c.py"]], "what another file is connected with"
    (root / "c.py").unlink()
    (root / "a.py").write_text(BRANCH)
    assert run("check").status == 1
    assert len(analysed) == 5, "what was found before is still known"


def test_settings_of_the_analysis_are_part_of_the_key(
    tree: Tree, run: Run, analysed: list[list[str]]
) -> None:
    root = tree({**TREE, "a.py": BRANCH.replace("@jax.jit\n", ""), "b.py": ""})
    assert run("check").status == 0
    (root / "jaxlint.toml").write_text('[jax]\ntraced-functions = ["a.f"]\n')
    assert "JAX101" in run("check").out
    (root / "jaxlint.toml").write_text('ignore = ["JAX101"]\n[jax]\ntraced-functions = ["a.f"]\n')
    assert run("check").status == 0
    assert analysed == [["a.py"], [], ["a.py"], ["b.py"]]


def test_settings_of_the_report_are_no_part_of_it(tree: Tree, run: Run, analysed: list[list[str]]) -> None:
    tree(TREE)
    for flags in ([], ["--ignore", "JAX101"], ["--min-severity", "error"], ["--output-format", "json"]):
        assert run("check", *flags) == run("check", *flags)
    assert len(analysed) == 2
    assert run("check", "--select", "JAX9999").status == 2


def test_rules_that_are_turned_on_are_asked(tree: Tree, run: Run, analysed: list[list[str]]) -> None:
    tree({"jaxlint.toml": "", "a.py": BRANCH})
    assert run("check", "--select", "JAX3").out == "All checks passed!\n"
    for _ in range(2):
        assert "a.py:6:8: JAX101" in run("check").out
    assert len(analysed) == 2
    assert "a.py:6:8: JAX101" in run("check", "--select", "JAX101").out
    assert len(analysed) == 2


def test_unsaved_text(tree: Tree, run: Run) -> None:
    root = tree(TREE)
    shown = ("check", "-", "--stdin-filename", "a.py")
    for _ in range(2):
        assert run(*shown, stdin=b"").out == "All checks passed!\n"
        assert "a.py:6:8: JAX101" in run(*shown, stdin=BRANCH.encode()).out
        assert "a.py:6:8: JAX101" in run("check").out
    assert len(list((root / NAME / FORM / "found").rglob("*"))) == 2, "a folder and a record"


def test_fixes(tree: Tree, run: Run) -> None:
    text = "import jax\nimport jax.numpy as jnp\n\n\ndef g(v):\n    return v\n\n\nf = jax.vmap(jax.jit(g))\n"
    root = tree({"jaxlint.toml": "", "a.py": text})
    assert run("check").status == 1
    assert run("check", "--fix").status == 0
    assert "jax.jit(jax.vmap(g))" in (root / "a.py").read_text()
    assert run("check").status == 0


def test_plugins_are_not_cached(
    tree: Tree, run: Run, analysed: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    rule = Path(__file__).resolve().parent.parent / "rules" / "vmap_of_jit.py"
    text = rule.read_text().replace("JAX601", "JAX691").replace('"vmap-of-jit"', '"own-vmap-of-jit"')
    root = tree({**TREE, "jaxlint.toml": 'plugins = ["own_rules_of_cache_test"]\n'})
    monkeypatch.syspath_prepend(root / "lib")
    (root / "lib").mkdir()
    (root / "lib" / "own_rules_of_cache_test.py").write_text(text)
    assert run("check") == run("check")
    assert len(analysed) == 6 and analysed[:3] == analysed[3:]
    assert not (root / NAME).exists()


def test_installed_rules_are_not_cached(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tree(TREE)
    place = root / "site" / "own-1.0.dist-info"
    place.mkdir(parents=True)
    (place / "entry_points.txt").write_text("[jaxlint.rules]\nown = json\n")
    fingerprints = Fingerprints(Store(str(root / "cache")), "any")
    assert fingerprints.site(str(root / "site")) == ([], True)
    assert fingerprints.site(str(root)) == ([], False)


def test_every_part_of_the_analysis_is_part_of_the_key(tree: Tree) -> None:
    """Of jaxlint's own files: what a run loads, and what lies beside it."""
    tree({"jaxlint.toml": "", "a.py": "import flax\nimport jax\n\njax.jit(lambda x: x)\n"})
    script = (
        "import sys\n"
        "from jaxlint.cli.main import main\n"
        "try:\n"
        "    main(['check', '-n'])\n"
        "except SystemExit:\n"
        "    files = [each.__file__ for name, each in sys.modules.items() if name.startswith('jaxlint')]\n"
        "    print(*files, sep='\\n')\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {Path(line).resolve() for line in ran.stdout.splitlines() if line.endswith(".py")}
    package = Path(pipeline.__file__).resolve().parent.parent
    own = {Path(path).resolve() for _, path in own_files()}
    there = loaded | set(package.rglob("*.csv"))
    aside = {path for path in there if not {*path.relative_to(package.parent).parts}.isdisjoint(ASIDE)}
    assert len(loaded - aside) > 100 and there - aside <= own


@pytest.mark.parametrize("group", ["jaxlint.rules", "console_scripts"])
def test_rules_in_a_zip_file_are_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str) -> None:
    place = tmp_path / "own.zip"
    with ZipFile(place, "w") as archive:
        archive.writestr("own-1.0.dist-info/METADATA", "Name: own\nVersion: 1.0\n")
        archive.writestr("own-1.0.dist-info/entry_points.txt", f"[{group}]\nown = json\n")
    brings_rules = group == "jaxlint.rules"
    assert Fingerprints(Store(str(tmp_path / "cache")), "any").site(str(place)) == ([], brings_rules)
    monkeypatch.syspath_prepend(str(place))
    assert ("json" in registry._entry_points()) is brings_rules


def records(root: Path) -> list[Path]:
    return [path for path in (root / NAME / FORM).rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"found": [[1]], "key": "x"}',
        b"[" * 100_000,
        b'{"files": {"a": 1}}',
    ],
)
def test_damage_does_not_matter(tree: Tree, run: Run, damage: bytes) -> None:
    root = tree(TREE)
    age(root)
    first = run("check")
    for path in records(root):
        path.write_bytes(damage)
    assert run("check") == first
    assert run("check") == first


def test_damaged_stamps_do_not_matter(tree: Tree, run: Run) -> None:
    root = tree(TREE)
    age(root)
    first = run("check")
    run("check")
    for path in (root / NAME / FORM / "files").rglob("*"):
        if path.is_file():
            data = json.loads(path.read_bytes())
            assert data["files"]
            data["files"] = dict.fromkeys(data["files"])
            data["sites"] = {name: [1, 2] for name in data["sites"]}
            path.write_text(json.dumps(data))
    assert run("check") == first


def test_marks_of_a_cache(tree: Tree, run: Run) -> None:
    root = tree(TREE)
    run("check")
    assert (root / NAME / TAG).read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert "*" in (root / NAME / ".gitignore").read_text().splitlines()
    assert run("clean").err == f"removed {NAME}\n"
    assert not (root / NAME).exists()


def test_folder_elsewhere(tree: Tree, run: Run) -> None:
    root = tree({**TREE, "own/precious.txt": ""})
    assert run("check", "--cache-dir", "kept") == run("check", "--cache-dir", "kept")
    assert (root / "kept" / TAG).exists() and not (root / NAME).exists()
    assert run("clean", "--cache-dir", "kept").err == "removed kept\n"
    assert run("check", "--cache-dir", "own").status == 1
    assert sorted(os.listdir(root / "own")) == [NAME, "precious.txt"]
    run("clean", "--cache-dir", "own")
    assert os.listdir(root / "own") == ["precious.txt"]


def test_folder_that_cannot_be_written(tree: Tree, run: Run) -> None:
    root = tree(TREE)
    (root / NAME).write_text("a file in its place")
    assert run("check").err == ""
    verbose = run("check", "-v")
    assert verbose.status == 1
    assert [line for line in verbose.err.splitlines() if "no cache in" in line] != []
    named = run("check", "--cache-dir", "b.py")
    assert named.status == 1 and named.err.startswith("jaxlint: no cache in ")
    assert run("check", "--cache-dir", "b.py", "-q").err == ""


def test_size_is_bounded(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "cache"), largest=10_000)
    for number in range(20):
        key = f"{number:040}"
        store.keep_bytes("found", key, b"x" * 1000)
        os.utime(tmp_path / "cache" / FORM / "found" / key[:2] / key, (number, number + 1_000_000_000))
    left = tmp_path / "cache" / FORM / "found" / "00" / "half.1.2.tmp"
    left.write_bytes(b"")
    os.utime(left, (0, 0))
    (tmp_path / "cache" / "0").mkdir()
    (tmp_path / "cache" / "0" / "of another form").touch()
    store.trim()
    assert [number for number in range(20) if store.bytes_of("found", f"{number:040}")] == list(range(13, 20))
    assert not left.exists() and not (tmp_path / "cache" / "0" / "of another form").exists()
    assert (tmp_path / "cache" / TAG).exists()


def test_runs_at_the_same_time(tree: Tree) -> None:
    root = tree(TREE)
    command = [sys.executable, "-m", "jaxlint", "check", "--output-format", "json"]
    started = [
        subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    ended = [process.communicate() for process in started]
    assert len(set(ended)) == 1 and ended[0][1] == b""
    assert not list(root.rglob("*.tmp"))


@pytest.mark.parametrize("settings", ["", 'select = ["JAX1", "JAX011"]\n'])
def test_what_a_run_without_changes_imports(tree: Tree, run: Run, settings: str) -> None:
    root = tree({**TREE, "c.py": "x = 1  # jaxlint: ignore[JAX101]\n", "jaxlint.toml": settings})
    first = run("check")
    code = "import sys\nfrom jaxlint.cli.main import main\ntry: main(['check'])\nfinally: print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (1, first.out)
    assert not [name for name in ran.stderr.split() if name.startswith(LIBCST)]


def test_a_record_of_every_field(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from jaxlint.diagnostic import Edit, Fix, Note, Severity, Span
    from jaxlint.report.record import read, written

    span = Span(1, 2, 3, 4)
    whole = Diagnostic(
        "/a\udc80é.py", span, "JAX1", "n", Severity.INFO, "m", "h",
        Fix("unsafe", "f", (Edit(span, "c\ud800"),)), (Note("/b.py", span, "w"),), 3, 5, "u", "l",
    )  # fmt: skip
    bare = Diagnostic("/a.py", span, "JAX1", "n", Severity.ERROR, "m")
    record = json.loads(json.dumps(written([whole, bare], "k")))
    assert read(record, "k") == [whole, bare]
    assert read(record, "other") is None
