"""What a run showed, as lines for a terminal.

In: facts, the rows of functions, and the folder of the facts' paths. Out: lines, in which paths are seen from
the working folder and names are as in the facts: whoever prints them makes them fit for a terminal.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from jaxlint.observe import ranking, sentence
from jaxlint.observe.facts import Facts
from jaxlint.observe.ranking import Rows

FUNCTIONS, EVENTS, REASONS = 10, 12, 3


def lines(facts: Facts, rows: Rows, folder: str) -> Iterator[str]:
    """The functions that took most seconds to compile with the reasons, then what happened."""

    def shown(path: str) -> str:
        return os.path.relpath(os.path.join(folder, path))

    ranked = ranking.by_seconds(facts)
    for key, function in ranked[:FUNCTIONS]:
        where = ranking.place(key, 0, rows, shown)
        yield f"{where}: `{sentence.name_of(key)}` {sentence.compilations(function)}"
        for said in list(sentence.reasons(function))[:REASONS]:
            yield f"    {said.text}"
    if len(ranked) > FUNCTIONS:
        yield f"... and {len(ranked) - FUNCTIONS} more functions that were traced by jit"
    found = ranking.events(facts)
    for event in found[:EVENTS]:
        where = ranking.place(event.function, event.line, rows, shown)
        yield f"{where}: {sentence.happened(event).text}"
    if len(found) > EVENTS:
        yield f"... and {len(found) - EVENTS} more events"
