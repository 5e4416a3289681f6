"""The process that runs programs under JAX, one after another, as fresh modules.

A line of JSON comes in for each program (folder, import roots, entry module) and one goes
out: how it ended, the innermost line of the program's own files in the traceback and, where
it is asked for, the functions that were entered. Run by path; it imports nothing of this package.
"""

import contextlib
import importlib
import io
import json
import os
import runpy
import sys
import time
from types import FrameType, TracebackType
from typing import Any


def innermost(trace: TracebackType | None, folder: str) -> tuple[str, int]:
    """The last line of the traceback that lies in `folder`, as a path below it."""
    found = ("", 0)
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(folder + os.sep):
            found = (os.path.relpath(path, folder), trace.tb_lineno)
        trace = trace.tb_next
    return found


def forget(folder: str) -> None:
    """Drop the program's modules and import caches."""
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(folder + os.sep):
            del sys.modules[name]
    for path in list(sys.path_importer_cache):
        if path.startswith(folder):
            del sys.path_importer_cache[path]


def run(job: dict[str, Any]) -> dict[str, Any]:
    folder = job["folder"]
    roots = [os.path.join(folder, root) if root else folder for root in job["roots"]]
    before = list(sys.path)
    sys.path[:0] = roots
    importlib.invalidate_caches()
    start = time.perf_counter()
    result: dict[str, Any] = {"error": [], "message": "", "path": "", "row": 0, "entered": []}
    entered: set[tuple[str, int]] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        # a module's body has the first line of a function that stands at its top
        if event == "call" and path.startswith(folder + os.sep) and frame.f_code.co_name != "<module>":
            entered.add((os.path.relpath(path, folder), frame.f_code.co_firstlineno))

    try:
        if job.get("watch"):
            sys.setprofile(note)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            runpy.run_module(job["entry"], run_name="__main__")
    except Exception as error:
        result["error"] = [each.__name__ for each in type(error).__mro__]
        result["message"] = str(error).split("\n")[0][:200]
        result["path"], result["row"] = innermost(error.__traceback__, folder)
    finally:
        sys.setprofile(None)
        sys.path[:] = before
        forget(folder)
    result["entered"] = sorted(entered)
    result["seconds"] = time.perf_counter() - start
    return result


def main() -> None:
    sys.dont_write_bytecode = True
    # What the programs print goes elsewhere; the answers keep the pipe to themselves.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import jax

    jax.numpy.ones(3).sum().block_until_ready()
    for line in sys.stdin:
        answers.write(json.dumps(run(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
