"""What may import what: the modules of the engine and of the harness in their order, and nothing of jaxlint
imports JAX but what runs in the harness's children."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import jaxlint

PACKAGE = Path(jaxlint.__file__).resolve().parent
RULES = PACKAGE.parent / "rules"

# Each imports only what stands before it.
ORDER = (
    "room failure store source comment ignore folder gitignore project stamp discovery api late lossless newer lower syntax encoded parsing magic notebook document island limit values budget mark program layered ledger carried liveness mention once outputs unchanging replaced repetition children"
    " event deliberate history frame agreement cases key_tokens consumed core published model key_notes recorder position locate static_arguments spelling ownership counter destination block literal framework form rewrite loop lapse"
    " suppress fix asking lasting staleness noting expressions narrowing statements objects calls constants consumption keys"
    " transforms containers deciding builtin iteration standard modules library machine chain traced rendering pipeline item product"
).split()

# The harness, likewise. What stands after the bar runs in its children.
HARNESS = "verdict statement job plan report page matrix sentence evidence pool environment folklore | script probe proof child zygote".split()
CHILD = HARNESS[HARNESS.index("|") + 1 :]


def modules() -> list[Path]:
    return sorted(
        path for path in [*PACKAGE.rglob("*.py"), *RULES.glob("*.py")] if "rules" not in path.parts[-3:-2]
    )


def imports(path: Path, *, typing_too: bool = False) -> set[str]:
    """The dotted names that a module imports when it is imported."""
    found: set[str] = set()

    def visit(body: list[ast.stmt]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
            elif isinstance(node, ast.If):
                guarded = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
                if typing_too or not guarded:
                    visit(node.body)
                visit(node.orelse)
            elif isinstance(node, ast.Try):
                visit(node.body)

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return found


def engine_imports(path: Path) -> set[str]:
    names = {name.split(".")[2] for name in imports(path) if name.startswith("jaxlint.engine.")}
    return names & {each.stem for each in (PACKAGE / "engine").glob("*.py")} | names & {"api"}


def test_every_engine_module_has_its_place() -> None:
    there = {path.stem for path in (PACKAGE / "engine").glob("*.py")} - {"__init__"} | {"api"}
    assert there == set(ORDER)


@pytest.mark.parametrize("name", [name for name in ORDER if name != "api"])
def test_engine_imports_only_earlier_modules(name: str) -> None:
    earlier = set(ORDER[: ORDER.index(name)])
    assert engine_imports(PACKAGE / "engine" / f"{name}.py") - earlier == set()


def harness_imports(name: str) -> set[str]:
    place = PACKAGE / "confirm" / name
    paths = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    names = {each for path in paths for each in imports(path) if each.startswith("jaxlint.")}
    assert not [each for each in names if each.startswith("jaxlint.cli")]
    parts = {(each.split(".") + [""])[2] for each in names if each.startswith("jaxlint.confirm.")}
    if name in CHILD:
        # A child runs without libcst: with the interpreters of other versions it is not there.
        assert not [each for each in names if each.startswith(("jaxlint.engine", "jaxlint.registry"))]
    return parts & {*HARNESS} - {name}


def test_every_harness_module_has_its_place() -> None:
    there = {path.stem for path in (PACKAGE / "confirm").iterdir() if path.suffix == ".py" or path.is_dir()}
    assert there - {"__init__", "__pycache__", "recorded"} == {*HARNESS} - {"|"}


@pytest.mark.parametrize("name", [name for name in HARNESS if name != "|"])
def test_harness_imports_only_earlier_modules(name: str) -> None:
    assert harness_imports(name) - set(HARNESS[: HARNESS.index(name)]) == set()


def in_child(path: Path) -> bool:
    parts = path.relative_to(PACKAGE.parent).parts
    return parts[1] == "confirm" and parts[2].removesuffix(".py") in CHILD


LINTING = [path for path in modules() if not in_child(path)]


@pytest.mark.parametrize("path", LINTING, ids=lambda path: str(path.relative_to(PACKAGE.parent)))
def test_nothing_imports_jax(path: Path) -> None:
    roots = {name.partition(".")[0] for name in imports(path, typing_too=True)}
    assert not roots & {"jax", "jaxlib", "numpy", "scipy", "flax"}


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.stem)
def test_rules_do_not_import_each_other(path: Path) -> None:
    assert not [name for name in imports(path) if name.startswith("jaxlint.rules")]


def test_rules_and_command_import_neither_jax_nor_numpy() -> None:
    program = (
        "import sys\n"
        "from jaxlint.cli.main import main\n"
        "import jaxlint.cli.confirm, jaxlint.confirm.pool, jaxlint.confirm.plan, jaxlint.confirm.report\n"
        "import jaxlint.confirm.evidence\n"
        "from jaxlint.registry import registry\n"
        "import jaxlint\n"
        "rules = [entry.rule for entry in registry().entries if entry.rule]\n"
        "assert len(rules) > 20\n"
        "print(sorted({'jax', 'jaxlib', 'numpy', 'scipy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
