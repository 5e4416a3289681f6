"""What is generated from the rules is what the rules say, and the README's links and settings exist."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

from jaxlint import __version__
from jaxlint.configfile import Configuration
from jaxlint.registry import registry
from jaxlint.rule import Rule

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_generate", ROOT / "docs" / "generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_generated_pages_are_fresh(generate: ModuleType) -> None:
    assert generate.stale() == [], "run `python docs/generate.py`"


@pytest.mark.parametrize("page", [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")], ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("https://"):
            assert (page.parent / target).exists(), target


def test_codes_that_are_named_exist() -> None:
    known = registry().codes
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"):
        assert set(re.findall(r"JAX\d{3}", page.read_text(encoding="utf-8"))) <= known, page


def test_configuration_in_the_readme_is_read(tmp_path: Path) -> None:
    blocks = [text for text in re.findall(r"```toml\n(.*?)```", README, re.S) if "[tool.jaxlint" in text]
    assert blocks
    for number, text in enumerate(blocks):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert "jaxlint" in tomllib.loads(text)["tool"]
        (folder / "pyproject.toml").write_text(text, encoding="utf-8")
        registry().enabled(Configuration().for_folder(str(folder)))


def test_every_rule_is_in_the_changelog() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {__version__}" in text
    for entry in registry().entries:
        if isinstance(entry.rule, type) and issubclass(entry.rule, Rule):
            assert f"{entry.code} {entry.name}" in text
