"""What may import what: the folders of the package and the modules of the harness in their order, and nothing of jaxlint
imports JAX but what runs in the harness's children."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import jaxlint

PACKAGE = Path(jaxlint.__file__).resolve().parent
RULES = PACKAGE.parent / "rules"

# The folders and modules of the package. Each imports only what stands before it, wherever the import stands.
ORDER = (
    "_version diagnostic claim failure source project observe tables ir domain analysis evaluation calling library fixes"
    " rule report session api flake8 confirm server cli pylsp __main__"
).split()

# The harness, likewise. What stands after the bar runs in its children.
HARNESS = "verdict statement job plan report page matrix sentence evidence pool environment folklore rule_page | script probe proof child zygote".split()
CHILD = HARNESS[HARNESS.index("|") + 1 :]


def modules() -> list[Path]:
    return sorted(
        path for path in [*PACKAGE.rglob("*.py"), *RULES.glob("*.py")] if "rules" not in path.parts[-3:-2]
    )


def imports(path: Path, *, deep: bool = False) -> set[str]:
    """The dotted names that a module imports when it is imported; `deep`: those in functions and for annotations too."""
    found: set[str] = set()

    def visit(body: Iterable[ast.AST]) -> None:
        for node in body:
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module)
                found.update(f"{node.module}.{alias.name}" for alias in node.names)
            elif deep:
                visit(ast.iter_child_nodes(node))
            elif isinstance(node, ast.If):
                if not (isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
                    visit(node.body)
                visit(node.orelse)
            elif isinstance(node, ast.Try):
                visit(node.body)

    visit(ast.parse(path.read_text(encoding="utf-8")).body)
    return found


def dotted(path: Path) -> str:
    """The name of a module below the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


OWN = {dotted(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def own_imports(path: Path, *, deep: bool) -> set[str]:
    """The modules of the package that a module imports."""
    names = {name.removeprefix("jaxlint.") for name in imports(path, deep=deep) if name.startswith("jaxlint.")}
    return {name for name in names if name in OWN and name}


def test_every_folder_has_its_place() -> None:
    there = {name.partition(".")[0] for name in OWN if name}
    assert there == {*ORDER}


@pytest.mark.parametrize("name", [name for name in OWN if name])
def test_imports_go_downwards(name: str) -> None:
    place = ORDER.index(name.partition(".")[0])
    above = {other.partition(".")[0] for other in own_imports(OWN[name], deep=True)} - {*ORDER[: place + 1]}
    assert not above


def test_the_page_names_the_folders_in_their_order() -> None:
    page = (PACKAGE.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("| folder |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if "|" in row else "")]
    assert named == ORDER


@pytest.mark.parametrize("deep", [False, True], ids=["when they are loaded", "wherever they stand"])
def test_no_circle_of_imports(deep: bool) -> None:
    left = {}
    for name, path in OWN.items():
        found = own_imports(path, deep=deep) - {name}
        # `from package import module` needs the module; that it runs the package as well makes no circle
        left[name] = {each for each in found if not any(other.startswith(f"{each}.") for other in found)}
    while free := [name for name, needs in left.items() if not needs & left.keys()]:
        for name in free:
            del left[name]
    assert not left


@pytest.mark.parametrize("folder", [name for name in ORDER if (PACKAGE / name).is_dir()])
def test_folders_are_small_enough_to_read(folder: str) -> None:
    assert len(list((PACKAGE / folder).glob("*.py"))) <= 25


@pytest.mark.parametrize("name", [name for name, path in OWN.items() if "tables" not in path.parts])
def test_modules_are_small_enough_to_read(name: str) -> None:
    assert len(OWN[name].read_text(encoding="utf-8").splitlines()) <= 500


def harness_imports(name: str) -> set[str]:
    place = PACKAGE / "confirm" / name
    paths = place.glob("*.py") if place.is_dir() else [place.with_suffix(".py")]
    names = {each for path in paths for each in imports(path) if each.startswith("jaxlint.")}
    assert not [each for each in names if each.startswith("jaxlint.cli")]
    parts = {(each.split(".") + [""])[2] for each in names if each.startswith("jaxlint.confirm.")}
    if name in CHILD:
        # A child runs without libcst: with the interpreters of other versions it is not there.
        assert not [each for each in names if each.startswith(("jaxlint.analysis", "jaxlint.session", "jaxlint.rule"))]
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
    roots = {name.partition(".")[0] for name in imports(path, deep=True)}
    assert not roots & {"jax", "jaxlib", "numpy", "scipy", "flax"}


@pytest.mark.parametrize("path", sorted(RULES.glob("*.py")), ids=lambda path: path.stem)
def test_rules_import_one_module_of_the_package(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    found = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {name for name in found if name.startswith("jaxlint")} <= {"jaxlint.rule"}
    assert not [name for name in imports(path, deep=True) if name == "jaxlint"]


def test_rules_and_command_import_neither_jax_nor_numpy() -> None:
    program = (
        "import sys\n"
        "from jaxlint.cli.main import main\n"
        "import jaxlint.cli.confirm, jaxlint.confirm.pool, jaxlint.confirm.plan, jaxlint.confirm.report\n"
        "import jaxlint.confirm.evidence\n"
        "from jaxlint.rule.registry import registry\n"
        "import jaxlint\n"
        "rules = [entry.rule for entry in registry().entries if entry.rule]\n"
        "assert len(rules) > 20\n"
        "print(sorted({'jax', 'jaxlib', 'numpy', 'scipy'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
