"""Tables: what occurred, how it ended, and where jaxlint disagrees. Text in, text out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from .oracle import Outcome
from .passing import ALL_WAYS
from .program import Program
from .sample import DEPTHS, LOCALS
from .spec import Spec
from .transform import APPLICATIONS, TRANSFORMS, applicable


def table(title: str, columns: Sequence[str], rows: Iterable[tuple[str, Sequence[object]]]) -> str:
    body = [(name, [str(cell) for cell in cells]) for name, cells in rows]
    first = max([len(title), *(len(name) for name, _ in body)])
    widths = [max(len(column), *(len(cells[k]) for _, cells in body)) for k, column in enumerate(columns)]
    lines = [f"{title:{first}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(columns, widths, strict=True))]
    lines += [
        f"{name:{first}}  " + "  ".join(f"{c:>{w}}" for c, w in zip(cells, widths, strict=True))
        for name, cells in body
    ]
    return "\n".join(line.rstrip() for line in lines)


def ways_of(spec: Spec) -> list[tuple[str, int, bool]]:
    if not spec.links:
        return [(spec.local, 0, False)]
    return [(link.way, spec.depth, link.other) for link in spec.links]


def occurrence(specs: Sequence[Spec]) -> str:
    """The two tables of pairs that must all occur; '.' where a pair makes no sense."""
    applied = Counter((spec.transform, spec.application) for spec in specs)
    passed = Counter(way for spec in specs for way in set(ways_of(spec)))
    pairs = table(
        "transform",
        APPLICATIONS,
        (
            (name, [applied[name, way] if way in applicable(transform) else "." for way in APPLICATIONS])
            for name, transform in TRANSFORMS.items()
        ),
    )
    places = [(depth, other) for depth in DEPTHS[1:] for other in (False, True)]
    columns = ["0", *(f"{depth} {'other' if other else 'same'}" for depth, other in places)]
    names = [*ALL_WAYS, *(way for way in LOCALS if way not in ALL_WAYS)]
    ways = table(
        "way, depth, module",
        columns,
        (
            (
                way,
                [
                    passed[way, 0, False] if way in LOCALS else ".",
                    *(passed[way, d, o] if way in ALL_WAYS else "." for d, o in places),
                ],
            )
            for way in names
        ),
    )
    return f"{pairs}\n\n{ways}"


def balance(outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.verdict for outcome in outcomes)
    total = max(len(outcomes), 1)
    return ", ".join(f"{name} {count} ({100 * count / total:.1f}%)" for name, count in sorted(counts.items()))


def by_field(specs: Sequence[Spec], outcomes: Sequence[Outcome], field: str) -> str:
    """How the programs ended, by one field of the specification."""
    kinds = ("raises", "runs", "invalid")
    counts = Counter(
        (str(getattr(spec, field)), outcome.verdict) for spec, outcome in zip(specs, outcomes, strict=True)
    )
    names = sorted({name for name, _ in counts})
    return table(field, kinds, ((name or "-", [counts[name, kind] for kind in kinds]) for name in names))


def ending(outcome: Outcome) -> str:
    if outcome.verdict == "runs":
        return "runs to the end"
    return f"{outcome.verdict}: {outcome.error} at {outcome.path}:{outcome.row}: {outcome.message}"


def shown(program: Program, outcome: Outcome) -> str:
    spec = program.spec
    head = (
        f"=== {spec.transform} / {spec.application} / {spec.operation} / {spec.origin}"
        f" / seed {spec.seed}{' / twin: ' + spec.edit if spec.edit else ''}"
        f"{' / opaque: ' + spec.opaque if spec.opaque else ''}"
    )
    return f"{head}\n{program.shown()}\n>>> {ending(outcome)}"
