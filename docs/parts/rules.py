"""Tables and pages of what is registered and recorded: rules, families, versions of JAX, folklore, limits.

In: the registry and the evidence. Out: Markdown. It knows nothing of a rule beyond what its class states.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.confirm import evidence, matrix
from jaxlint.confirm.folklore import ENTRIES, trial
from jaxlint.ir.limits import LIMITS
from jaxlint.rule.registry import Entry, own_entries

FAMILIES = {
    "0": "The tool itself",
    "1": "Tracing and control flow",
    "2": "Purity and leaked state",
    "3": "Random keys",
    "4": "The jit cache and static arguments",
    "5": "Arrays, indexing, dtypes",
    "6": "Composition of transforms",
    "7": "Performance and memory",
    "8": "Devices and sharding",
    "9": "Deprecated and removed APIs",
}

SHOWN_OF_A_FAMILY = 3


def family(digit: str) -> list[Entry]:
    return [entry for entry in own_entries() if entry.code.startswith(f"JAX{digit}")]


def table(rows: Iterable[Entry], folder: str) -> str:
    lines = ["| code | name | finds | kind | default | fix |", "| --- | --- | --- | --- | --- | --- |"]
    for entry in rows:
        finds = entry.summary.rstrip(".").replace("|", "\\|")
        default = "preview" if entry.nursery else "on" if entry.on else "off"
        default += ", off in tests" * (entry.on and entry.idle_in_tests)
        lines.append(
            f"| {entry.code} | [{entry.name}]({folder}/{entry.name}.md) | {finds} "
            f"| {entry.category} | {default} | {entry.fix or ''} |"
        )
    return "\n".join(lines)


def families() -> str:
    """A row a family, with its first rules, for README.md."""
    lines = ["| codes | about | rules | such as |", "| --- | --- | --- | --- |"]
    for digit, title in FAMILIES.items():
        rows = [entry for entry in family(digit) if entry.rule is not None]
        if rows:
            links = (f"[{each.name}](docs/rules/{each.name}.md)" for each in rows[:SHOWN_OF_A_FAMILY])
            first = ", ".join(links)
            lines.append(f"| JAX{digit}xx | {title} | {len(rows)} | {first} |")
    return "\n".join(lines)


def index() -> str:
    parts = [
        "# Rules",
        "One page a rule; `jaxlint rule CODE` prints the same text. `correctness` findings are errors, "
        "`suspicious`\nand `performance` findings warnings, `style` and `pedantic` findings info. The last "
        "column is the\n[safety of the fix](fixes.md#safety). [Settings](settings.md#choose-rules) says how "
        "rules are turned on and off.",
    ]
    for digit, title in FAMILIES.items():
        if rows := family(digit):
            parts += [f"## {title}", table(rows, "rules")]
    return "\n\n".join(parts) + "\n"


def versions() -> str:
    """The verdict on each rule by version of JAX, from what is recorded."""
    rows = [
        each.verdict for path in sorted(evidence.FOLDER.glob("cpu-*.json")) for each in evidence.read(path)
    ]
    about = (
        "The verdicts that `jaxlint confirm --platform cpu` recorded. A rule is refuted if one of its\n"
        "claims or fixes is; not-runnable means that nothing is claimed of that version."
    )
    return f"# Rules by version of JAX\n\n{about}\n\n{matrix.markdown(rows)}\n"


def statements() -> list[trial.Trial]:
    """The common statements about JAX in the order of their page, with the verdicts that were recorded."""
    rows = [each.verdict for entry in ENTRIES for each in evidence.of_folklore(entry.name)]
    return trial.trials_of(ENTRIES, rows)


def folklore() -> str:
    """The page of common statements about JAX."""
    about = "Verdicts that `jaxlint confirm --folklore` recorded on common statements, on a CPU and a GPU."
    return f"# Folklore\n\n{about}\n\n{trial.markdown(statements())}\n"


def limits() -> str:
    """The limits of the analysis, with what holds beyond each of them and why it is there."""
    lines = ["| name | at most | of | beyond it | reason |", "| --- | --- | --- | --- | --- |"]
    lines += [
        f"| {name} | {each.most} | {each.subject} | {each.beyond} | {each.reason} |"
        for name, each in LIMITS.items()
    ]
    return "\n".join(lines)
