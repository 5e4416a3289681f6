"""What is made from the rules, the settings and what is recorded: docs/*.md, docs/rules/<name>.md, the schema
of the configuration, the pictures, and the marked parts of README.md and of pages.

    python docs/generate.py [--check]

In: the registry, the evidence, the commands, and what jaxlint prints for docs/example. Out: the files, or
with `--check` their names where they differ and status 1. The modules of `parts` make them; `hook.py`
draws the evidence when mkdocs builds the site.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
RULES = DOCS / "rules"
sys.path.insert(0, str(DOCS))

from parts import chain, lowered, rule_surface, rules, run, surface, terminal  # noqa: E402

from jaxlint.cli.config import schema_text  # noqa: E402
from jaxlint.confirm.rule_page import markdown  # noqa: E402
from jaxlint.rule.registry import own_entries  # noqa: E402

PARTS: Mapping[str, Callable[[], str]] = {
    "output": run.output,
    "families": rules.families,
    "limits": rules.limits,
    "lowered": lowered.lowered,
    "settings": surface.settings,
    "commands": surface.command_line,
    "server": surface.server_options,
    "version-of-the-surface": rule_surface.version,
    "events": rule_surface.events,
    "questions": rule_surface.questions,
    "questions-of-nodes": rule_surface.questions_of_nodes,
    "names": rule_surface.names,
}
"""What may stand between `<!-- NAME: made by docs/generate.py -->` and `<!-- end of NAME -->`."""

_BEGIN = re.compile(r"<!-- (\S+): made by docs/generate.py -->")


def written(page: str, text: str) -> str:
    """A page with its marked parts written again.

    Raises:
        ValueError: a part that is not known, or one that does not end.
    """
    for name in _BEGIN.findall(text):
        if name not in PARTS:
            raise ValueError(f"{page}: there is no part `{name}`")
        begin, end = f"<!-- {name}: made by docs/generate.py -->", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1 or text.index(end) < text.index(begin):
            raise ValueError(f"{page} must have `{begin}` and `{end}` once, in this order")
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}\n{PARTS[name]()}\n{end}{rest.partition(end)[2]}"
    return text


def terminal_picture() -> str:
    return terminal.picture(
        f"jaxlint check {run.EXAMPLE}", run.printed("--output-format", "full", "--color", "always")
    )


def chain_picture() -> str:
    longest = max(run.findings(), key=lambda finding: len(finding["related"]))
    return chain.picture(longest, ROOT / run.EXAMPLE)


def pages() -> Iterator[tuple[Path, str]]:
    """Each generated file and the text that belongs in it."""
    made = {
        DOCS / "rules.md": rules.index(),
        DOCS / "versions.md": rules.versions(),
        DOCS / "folklore.md": rules.folklore(),
        DOCS / "jaxlint.schema.json": schema_text(),
        DOCS / "terminal.svg": terminal_picture(),
        DOCS / "chain.svg": chain_picture(),
    }
    yield from made.items()
    for entry in own_entries():
        yield RULES / f"{entry.name}.md", markdown(entry).rstrip() + "\n"
    for path in [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]:
        if path not in made and _BEGIN.search(text := path.read_text(encoding="utf-8")):
            yield path, written(path.relative_to(ROOT).as_posix(), text)


def stale() -> list[str]:
    """The files that differ from what belongs in them, and pages of rules that no longer exist."""
    wanted = dict(pages())
    names = [path for path, text in wanted.items() if not path.exists() or path.read_text("utf-8") != text]
    names += [path for path in RULES.glob("*.md") if path not in wanted]
    return sorted(path.relative_to(ROOT).as_posix() for path in names)


def main() -> int:
    if "--check" in sys.argv[1:]:
        for name in (names := stale()):
            print(f"{name} is out of date: run `python docs/generate.py`")
        return int(bool(names))
    RULES.mkdir(exist_ok=True)
    wanted = dict(pages())
    for path in RULES.glob("*.md"):
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
