"""The plugin of pytest: the recorder in the process of the tests, and a limit to what a test compiles.

In: pytest's hooks. Out: a facts file, and tests that fail because a function was compiled more often than
they allow. Under `jaxlint observe` the recorder is there already, and is used as it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from jaxlint.observe import facts as model
from jaxlint.observe import gather, journals, sentence
from jaxlint.observe.recorder import begin as recorder

JOURNALS = "JAXLINT_OBSERVE_JOURNALS"
"""The environment variable by which the workers of a run know the folder of its journals."""
MARKER = "jaxlint_max_compiles"
RECORDERS = ("jaxlint_recorder.begin", recorder.__name__)


def add_options(parser: Any) -> None:
    group = parser.getgroup("jaxlint", "jaxlint observe")
    group.addoption(
        "--jaxlint-facts", metavar="FILE", help="write what the tests show of functions to this file"
    )
    group.addoption(
        "--jaxlint-max-compiles",
        type=int,
        metavar="N",
        help="fail a test in which a function is compiled more than N times",
    )


def configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", f"{MARKER}(n): fail if a function is compiled more than n times (jaxlint)"
    )
    config.pluginmanager.register(Compilations(config), "jaxlint-compilations")


def _active() -> Any:
    """The recorder of this process; None where there is none."""
    for name in RECORDERS:
        found = getattr(sys.modules.get(name), "active", None)
        if found is not None:
            return found
    return None


class Compilations:
    """Counts what each test compiles.

    owns: the folder of journals was made here, and its facts are written here.
    """

    def __init__(self, config: Any) -> None:
        self.config = config
        self.owns = ""
        self.recorder = _active()
        if self.recorder is None:
            folder = os.environ.get(JOURNALS, "")
            if not folder:
                folder = self.owns = os.environ[JOURNALS] = tempfile.mkdtemp(prefix="jaxlint-observe-")
            self.recorder = recorder.begin({"roots": [str(config.rootpath)], "folder": folder})
        self.recorder.traces.found = self._compiled
        self.reasons: dict[Any, list[Any]] = defaultdict(list)

    def _compiled(self, record: Any, rows: Any) -> None:
        self.reasons[record].append(rows)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """A test fails whose functions are compiled more often than it allows."""
        self.reasons.clear()
        result = yield
        most = self._limit(item)
        if most is not None:
            said = [_said(record, rows, most) for record, rows in self.reasons.items() if len(rows) > most]
            if said:
                pytest.fail("\n".join(sorted(said)), pytrace=False)
        return result

    def _limit(self, item: pytest.Item) -> int | None:
        marker = item.get_closest_marker(MARKER)
        if marker is None:
            found = self.config.getoption("jaxlint_max_compiles")
            return found if isinstance(found, int) else None
        value = marker.args[0] if len(marker.args) == 1 else marker.kwargs.get("n")
        if not isinstance(value, int) or value < 0:
            raise pytest.UsageError(f"{item.nodeid}: {MARKER} takes a number of compilations")
        return value

    def pytest_unconfigure(self) -> None:
        """Writes the facts of all processes of the run."""
        self.recorder.traces.found = None
        self.recorder.guarded(self.recorder.flush)
        path = self.config.getoption("jaxlint_facts")
        if self.owns:
            os.environ.pop(JOURNALS, None)
        if path and self.owns:
            self.recorder.finish()
            try:
                _write(Path(self.owns), path)
            except (OSError, model.FactsError) as error:
                print(f"jaxlint: facts `{path}` not written: {error}", file=sys.stderr)
        if self.owns:
            shutil.rmtree(self.owns, ignore_errors=True)


def _write(folder: Path, path: str) -> None:
    found = journals.read(folder)
    target = os.path.dirname(os.path.abspath(path))
    gather.kept(gather.Gatherer(target).facts(found), path)


def _said(record: Any, rows: list[Any], most: int) -> str:
    """`step` compiled 3 times in this test, at most 1 is allowed: `lr` is static and changed twice."""
    counts: Counter[tuple[str, str]] = Counter((row[0], row[1]) for each in rows for row in each)
    reasons = [(argument, what, count) for (argument, what), count in counts.most_common()]
    function = model.Function("", reasons=reasons)
    why = "; ".join(each.text for each in sentence.reasons(function))
    place = f"{os.path.basename(record.path)}:{record.row}"
    text = (
        f"{place}: `{record.name}` compiled {sentence.times(len(rows))} in this test, at most {most} allowed"
    )
    return f"{text}: {why}" if why else text
