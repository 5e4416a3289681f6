"""How far a run is, told while it goes on.

In: steps of the work, as they begin and end. Out: nothing; who shows them inherits from `Progress`. It
refuses to know how steps are shown.
"""

from __future__ import annotations

from collections.abc import Sequence


class Progress:
    """Gets the steps of a run. This one shows nothing."""

    def begin(self) -> None:
        """The work begins that takes time; processes that help have been started."""

    def read(self, files: int) -> None:
        """So many files have been read and parsed in all."""

    def project(self, number: int, count: int) -> None:
        """So many of the projects are done."""

    def component(self, number: int, count: int, paths: Sequence[str]) -> None:
        """Files that imports connect are analyzed together now: which of how many, and the files."""

    def step(self) -> None:
        """The analysis goes on. What is raised here, and is no `Exception`, ends it."""

    def erase(self) -> None:
        """Something else is to be shown."""

    def close(self) -> None:
        """The work is done."""


SILENT = Progress()
