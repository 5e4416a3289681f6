"""How the tests are shared out to the workers of pytest-xdist.

In: the ids of the tests. Out: units of work, the long ones first, so that all workers end together. A file is a
unit, whose fixtures and imports are made once; a long file whose tests need nothing of each other is several. The
order is a matter of time only: any is right.
"""

from __future__ import annotations

from zlib import crc32

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Files that are shared out, into how many units.
PARTS = {
    "test_cases.py": 24,
    "test_confirm.py": 6,
    "test_fixes.py": 12,
    "test_laws.py": 24,
    "test_projects.py": 12,
    "test_server.py": 4,
}
# Files that go together: they import the same frameworks.
TOGETHER = {"test_transform_table.py": "test_framework_table.py"}
# The order by which units are begun; other files come before the last of it.
LONG = (
    "test_api_table.py",
    "test_folklore.py",
    "test_laws.py",
    "test_generated.py",
    "test_action.py",
    "test_confirm.py",
    "test_site.py",
    "test_editors.py",
    "test_stage.py",
    "test_server.py",
)
LAST = ("test_projects.py", "test_fixes.py", "test_cases.py")


def file_of(test: str) -> str:
    return test.partition("::")[0].rpartition("/")[2]


def rank_of(unit: str) -> int:
    """The place of a unit in the order."""
    file = file_of(unit)
    if file in LONG:
        return LONG.index(file)
    return len(LONG) + (LAST.index(file) + 1 if file in LAST else 0)


class Scheduling(LoadScopeScheduling):
    """pytest-xdist's scheduling of units, with these units and this order."""

    def _split_scope(self, nodeid: str) -> str:
        file = file_of(nodeid)
        if file in PARTS:
            return f"{file}::{crc32(nodeid.encode()) % PARTS[file]}"
        return TOGETHER.get(file, file)

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(min(self.workqueue, key=rank_of), last=False)
        super()._assign_work_unit(node)
