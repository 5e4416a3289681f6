"""The laws of tests/laws at the size that fits a test run; `python -m tests.laws` runs them at any size."""

from __future__ import annotations

import json
import random
from pathlib import Path
from unittest import mock

import pytest
from laws import cached, crowd, edit, family, order, processes, sample
from linted import lint
from verify_cases import share_of

from jaxlint.analysis.function_context import FunctionContext, Vars
from jaxlint.calling import function_calls
from jaxlint.calling.contexts import Contexts
from jaxlint.rule.registry import all_rules
from jaxlint.session.session import Session

PROJECTS = ["deep_helper", "trainer_wrapper", "src_layout"]


@pytest.mark.parametrize("seed", share_of(range(8)))
def test_a_cached_run_equals_a_cold_one(seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"cached {seed}")
    for _ in range(12):
        name, texts = sample.joined(chance)
        assert not list(cached.after_edits(chance, tmp_path / "project", texts, 5)), name


@pytest.mark.parametrize("name", share_of(PROJECTS))
def test_a_cached_run_of_several_files_equals_a_cold_one(name: str, tmp_path: Path) -> None:
    texts = dict(sample.folders())[name]
    assert not list(cached.after_edits(random.Random(name), tmp_path / "project", texts, 40))


@pytest.mark.parametrize("seed", share_of(range(3)))
def test_what_is_off_changes_nothing_in_the_rest(seed: int, tmp_path: Path) -> None:
    """Also where another selection has filled the cache. Rules are chosen with those that they give way to."""
    chance = random.Random(f"selection {seed}")
    codes = [rule.code for rule in all_rules()]
    before = {rule.code: rule.unless for rule in all_rules()}
    for number in range(8):
        texts: dict[str, str] = {}
        for folder in ("src", "tests"):
            texts |= {f"{folder}/{path}": text for path, text in sample.joined(chance)[1].items()}
        root = tmp_path / str(number)
        root.mkdir()
        cached.written(root, texts)
        everything = cached.found(root, Session(), codes)
        for _ in range(4):
            chosen = chance.sample(codes, chance.randint(1, len(codes)))
            chosen += {other for code in chosen for other in before[code]}.difference(chosen)
            wanted = [each for each in everything if each.code in chosen or each.code < "JAX1"]
            for session in (Session(), Session(cache=True)):
                assert not cached.differing(wanted, cached.found(root, session, chosen))


def test_a_copy_of_a_file_is_another_file(tmp_path: Path) -> None:
    """Also where the process remembers the text."""
    text = """
import jax
import jax.numpy as jnp

def slope(x):
    return jax.jit(lambda v: jnp.cos(v) * 2)(x)

def draw(key):
    return jax.random.normal(key) + jax.random.normal(key)
"""
    session = Session(is_lasting=True)
    for texts in (
        {"m.py": text},
        {"m.py": text, "copy.py": "import m\n" + text},
        {"m.py": text, "copy.py": text},
    ):
        cached.written(tmp_path, texts)
        assert not cached.differing(cached.found(tmp_path, Session()), cached.found(tmp_path, session))
    both = {"m.py": text, "copy.py": text, "both.py": "import m, copy\n"}
    cached.written(tmp_path, both)
    assert not cached.differing(cached.found(tmp_path, Session()), cached.found(tmp_path, session))


@pytest.mark.parametrize("seed", share_of(range(4)))
def test_what_fixes_leave_is_what_a_new_run_finds(seed: int, tmp_path: Path) -> None:
    chance = random.Random(f"fixed {seed}")
    for _ in range(25):
        name, texts = sample.joined(chance)
        assert not list(cached.after_fixes(tmp_path / "project", texts)), name


def test_edits_are_of_all_kinds(tmp_path: Path) -> None:
    """Statements, expressions and whole files, which are added, removed, renamed and moved."""
    chance = random.Random(3)
    kinds, files = set(), set()
    for _ in range(600):
        texts = sample.joined(chance)[1]
        after, kind = edit.edited(chance, texts)
        kinds.add(kind)
        if kind == "file":
            gone, new = len(texts.keys() - after.keys()), len(after.keys() - texts.keys())
            files.add((gone, new, any("/" in path for path in after)))
    assert kinds - {""} == {"expression", "statement", "file"}
    assert files >= {(0, 1, False), (1, 0, False), (1, 1, False), (1, 1, True), (0, 0, False)}


@pytest.mark.parametrize("seed", share_of(range(2)))
def test_the_order_changes_nothing(seed: int, tmp_path: Path) -> None:
    """That of modules and definitions, and that in which what waits is analyzed."""
    chance = random.Random(f"order {seed}")
    for name, texts in [*sample.sections(), *sample.folders()][seed::12]:
        assert not list(order.differences(chance, tmp_path / "project", texts)), name


def test_no_order_of_what_waits_changes_anything(tmp_path: Path) -> None:
    """Shuffled, in projects of several files, with functions that are called in many ways, and classes that inherit
    methods."""
    chance = random.Random(11)
    programs = [texts for _, texts in sample.folders()]
    programs += [make(chance) for make in (crowd.project, family.project) for _ in range(10)]
    for number, texts in enumerate(programs):
        cached.written(tmp_path, texts)
        python = {path: text for path, text in texts.items() if path.endswith(".py")}
        base = order.analyzed(tmp_path, python, sorted(python))
        for seed in range(2):
            assert not order.of_worklists(tmp_path, python, order.shuffled_order(seed), base), number


def test_another_order_of_what_waits_is_another_order(tmp_path: Path) -> None:
    """The law is not empty: of functions that no call reaches another one is analyzed first."""
    text = "import jax\n\ndef first(x):\n    pass\n\ndef second(x):\n    pass\n"
    file = {"m.py": text}
    begun: list[str] = []
    analyze = Contexts.analyze

    def noted(
        self: Contexts, activation: FunctionContext, values: Vars, caller: FunctionContext | None = None
    ) -> None:
        begun.append(activation.name)
        analyze(self, activation, values, caller)

    with mock.patch.object(Contexts, "analyze", noted):
        order.analyzed(tmp_path, file, ["m.py"])
        with order.in_order(order.reversed_order):
            order.analyzed(tmp_path, file, ["m.py"])
    assert begun == ["first", "second", "second", "first"]


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Some projects of each kind, for the command."""
    root = tmp_path_factory.mktemp("projects")
    return root, processes.laid_out(root, processes.projects(random.Random(17), 12))


@pytest.fixture(scope="module")
def report(laid_out: tuple[Path, list[str]]) -> bytes:
    return processes.reported(*laid_out)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_hash_seeds_change_no_byte_of_a_report(
    seed: str, laid_out: tuple[Path, list[str]], report: bytes
) -> None:
    """The first one is 0."""
    other = processes.reported(*laid_out, seed=seed)
    assert not list(processes.unequal({"PYTHONHASHSEED=0": report, f"PYTHONHASHSEED={seed}": other}))


def test_eight_processes_report_what_one_does(laid_out: tuple[Path, list[str]], report: bytes) -> None:
    root, names = laid_out
    assert not list(processes.unequal({"-j 1": report, "-j 8": processes.reported(root, names, jobs=8)}))
    assert len({Path(each["filename"]).relative_to(root).parts[0] for each in json.loads(report)}) > 40


def without_tests(texts: edit.Texts) -> edit.Texts:
    return {path: text for path, text in texts.items() if not path.endswith("_test.py")}


@pytest.mark.parametrize(("name", "worklists"), share_of([("equinox", 1), ("optax", 0)]))
def test_the_order_changes_nothing_that_is_found_in_a_library(
    name: str, worklists: int, tmp_path: Path
) -> None:
    """Larger ones, and with their tests: `python -m tests.laws order --package flax`."""
    texts = without_tests(sample.package(name)[1])
    chance = random.Random(name)
    assert not list(order.differences(chance, tmp_path / "project", texts, worklists=worklists))


def test_the_order_changes_nothing_that_is_known_of_a_library(tmp_path: Path) -> None:
    """Which parameters are traced is compared, too."""
    texts = {
        path: order.probed(text)
        for path, text in without_tests(sample.package("chex")[1]).items()
        if path.endswith(".py")
    }
    assert not list(order.differences(random.Random(0), tmp_path / "project", texts))


def test_the_order_changes_nothing_in_crowds(tmp_path: Path) -> None:
    """Functions that are called in more ways than are kept apart."""
    chance = random.Random(6)
    for number in range(25):
        texts = crowd.project(chance)
        assert not list(order.differences(chance, tmp_path / "project", texts)), number


def test_what_classes_share_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Methods that classes inherit, analyzed once for all that look up the same, and once for each class."""
    for number in range(80):
        (text,) = family.project(random.Random(f"family {number}")).values()
        monkeypatch.setattr(function_calls, "COMPARED", 8)
        shared = [(each.code, each.span) for each in lint(text)]
        monkeypatch.setattr(function_calls, "COMPARED", 0)
        assert [(each.code, each.span) for each in lint(text)] == shared, number


def test_the_order_changes_nothing_in_families(tmp_path: Path) -> None:
    chance = random.Random(7)
    for number in range(15):
        texts = family.project(chance)
        assert not list(order.differences(chance, tmp_path / "project", texts)), number
