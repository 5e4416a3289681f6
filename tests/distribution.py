"""How the tests are shared out to the workers of pytest-xdist.

In: the ids of the tests. Out: units of work, the long ones first, so that all workers end together. A file is a
unit, whose fixtures and imports are made once; a long file whose tests need nothing of each other is several. The
order is a matter of time only: any is right.
"""

from __future__ import annotations

from zlib import crc32

from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# Files of several units, and of how many; a test that takes long is one by itself.
PARTS = {
    "test_cases.py": 24,
    "test_confirm.py": 6,
    "test_fixes.py": 12,
    "test_laws.py": 24,
    "test_server.py": 4,
}
ALONE = "test_cases.py::test_markers_are_true_under_a_framework"
# Files that go together: they import the same frameworks.
TOGETHER = {"test_transform_table.py": "test_framework_table.py"}
# What the names of units begin with, in the order in which they are run; others are run between the two.
FIRST = (
    "test_api_table.py",
    "test_folklore.py",
    ALONE,
    "test_laws.py",
    "test_generated.py",
    "test_action.py",
    "test_confirm.py",
    "test_site.py",
    "test_editors.py",
    "test_stage.py",
    "test_server.py",
)
LAST = ("test_fixes.py", "test_cases.py")


def unit_of(nodeid: str) -> str:
    """The unit of a test."""
    path, _, test = nodeid.partition("::")
    file = path.rpartition("/")[2]
    if f"{file}::{test}".startswith(ALONE):
        return f"{file}::{test}"
    if file in PARTS:
        return f"{file} {crc32(nodeid.encode()) % PARTS[file]}"
    return TOGETHER.get(file, file)


def rank_of(unit: str) -> int:
    """The place of a unit in the order."""
    for rank, beginning in enumerate(FIRST):
        if unit.startswith(beginning):
            return rank
    return len(FIRST) + 1 + (LAST.index(unit.split()[0]) if unit.split()[0] in LAST else -1)


class Scheduling(LoadScopeScheduling):
    """pytest-xdist's scheduling of units, with these units and this order."""

    def _split_scope(self, nodeid: str) -> str:
        return unit_of(nodeid)

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(min(self.workqueue, key=rank_of), last=False)
        super()._assign_work_unit(node)
