"""What is generated from the rules is what the rules say; links, commands and settings in README and pages exist."""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from pathlib import Path
from types import ModuleType

import click
import pytest
import yaml
from conftest import Run, Tree

from jaxlint import __version__
from jaxlint.cli.main import COMMANDS, commands
from jaxlint.project.configuration import Configuration
from jaxlint.rule import Rule
from jaxlint.rule.registry import registry

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [*ROOT.glob("*.md"), *sorted(ROOT.glob("docs/*.md"))]
WRITTEN = [
    path for path in PAGES if path.name not in ("CHANGELOG.md", "folklore.md", "versions.md", "rules.md")
]
HERE = "https://github.com/jaxlint/jaxlint/"


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh(generate: ModuleType) -> None:
    assert generate.stale() == [], "run `python docs/generate.py`"


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if found := re.match(HERE + r"(?:blob|tree)/main/(.+)", target):
            assert (ROOT / found[1]).exists(), target
        elif not target.startswith("https://"):
            assert (page.parent / target).exists(), target


def test_codes_that_are_named_exist() -> None:
    known = registry().codes
    for page in PAGES:
        assert set(re.findall(r"JAX\d{3}", page.read_text(encoding="utf-8"))) <= known, page


def blocks(language: str) -> list[tuple[Path, str]]:
    """The fenced blocks of a language in README and pages."""
    fence = re.compile(rf"^```{language}\n(.*?)^```", re.S | re.M)
    found = [(page, text) for page in WRITTEN for text in fence.findall(page.read_text(encoding="utf-8"))]
    assert found
    return found


def test_configurations_are_read(tmp_path: Path) -> None:
    for number, (page, text) in enumerate(blocks("toml")):
        table = tomllib.loads(text)
        if "jaxlint" in table.get("tool", {}) and "plugins" not in table["tool"]["jaxlint"]:
            folder = tmp_path / str(number)
            folder.mkdir()
            (folder / "pyproject.toml").write_text(text, encoding="utf-8")
            registry().enabled(Configuration().for_folder(str(folder))), page


def test_json_and_yaml_are_well_formed() -> None:
    for _, text in blocks("json"):
        json.loads(text)
    for page, text in blocks("yaml"):
        assert isinstance(yaml.safe_load(text), dict), page


def test_flags_that_are_named_exist() -> None:
    """In commands that begin with jaxlint: the flags are flags of that command, in blocks and in lines."""
    group = click.Context(commands, info_name="jaxlint")
    seen = 0
    for page in WRITTEN:
        text = page.read_text(encoding="utf-8")
        lines = [line for _, block in blocks("sh") for line in block.splitlines()]
        for line in [*lines, *re.findall(r"`(jaxlint [^`]+)`", text)]:
            if found := re.match(r"jaxlint (.*?)(?: #|$|&&|\||>)", line.strip()):
                words = found[1].partition(" -- ")[0].split()  # behind it is a command of the reader's
                name = words[0] if words and words[0] in COMMANDS else "check"
                command = commands.get_command(group, name)
                assert command is not None, line
                known = {flag for item in command.params for flag in (*item.opts, *item.secondary_opts)}
                flags = {re.sub(r"=.*", "", word) for word in words if word.startswith("--")}
                assert flags <= known | {"--help"}, (page.name, line)
                seen += len(flags)
    assert seen > 20


def test_the_readme_is_short_and_begins_with_the_picture_and_the_commands() -> None:
    lines = README.splitlines()
    assert len(lines) <= 200
    assert lines[2].startswith("![") and README.index("docs/terminal.svg") < README.index("```sh")
    commands_of = [text.strip() for text in re.findall(r"```sh\n(.*?)```", README, re.S)[:2]]
    assert commands_of[0].endswith(".venv/bin/jaxlint check docs/example")
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert commands_of[1].endswith("-m pytest -q -n auto") and "python -m pytest -q -n auto" in ci
    extras = re.search(r'"\.\[(.*?)\]"', commands_of[1])
    assert extras is not None and f'"{extras[0].strip(chr(34))}"' in ci


def test_the_rule_of_the_page_works(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """The plugin of docs/plugins.md, as it stands there."""
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    module = re.findall(r"```python\n(.*?)```", text, re.S)[0]
    bad = re.findall(r'bad="""\n(.*?)"""', module, re.S)[0]
    good = re.findall(r'good="""\n(.*?)"""', module, re.S)[0]
    settings = re.findall(r"```toml\n(.*?)```", text, re.S)[0]
    root = tree({"pyproject.toml": settings, "own_rules.py": module, "bad.py": bad, "good.py": good})
    monkeypatch.syspath_prepend(str(root))
    ran = run("check", "--select", "OWN", "--output-format", "concise", ".")
    assert ran.out.splitlines()[0] == "bad.py:4:7: OWN101 `jnp.linalg.inv(matrix)` inverts a matrix"
    assert ran.status == 1 and "good.py" not in ran.out
    assert run("rule", "OWN101").out.startswith("inverse-of-array (OWN101)")


def test_the_syntactic_rule_of_the_page_works(tree: Tree, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    (module,) = (each for each in re.findall(r"```python\n(.*?)```", text, re.S) if "SyntacticRule" in each)
    bad = re.findall(r'bad="""\n(.*?)"""', module, re.S)[0]
    good = re.findall(r'good="""\n(.*?)"""', module, re.S)[0]
    root = tree({"jaxlint.toml": 'plugins = ["own_nodes"]', "own_nodes.py": module, "bad.py": bad})
    monkeypatch.syspath_prepend(str(root))
    ran = run("check", "--select", "OWN", "--output-format", "concise", "bad.py")
    assert ran.out.splitlines()[0] == "bad.py:4:7: OWN201 [*] `jnp.concatenate` stacks arrays"
    assert run("check", "--select", "OWN", "--fix", "bad.py").status == 0
    assert (root / "bad.py").read_text(encoding="utf-8") == good


def test_every_rule_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {__version__}" in text
    for entry in registry().entries:
        if isinstance(entry.rule, type) and issubclass(entry.rule, Rule):
            assert f"{entry.code} {entry.name}" in text
