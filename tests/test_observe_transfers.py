"""Arrays that NumPy's functions read on the host."""

from __future__ import annotations

import sys
from pathlib import Path

from test_observe import observe, write

from jaxlint.observe.facts import read_facts

PROGRAM = """
    import jax
    import jax.numpy as jnp
    import numpy as np

    def mean(values):
        total = 0.0
        for value in values:
            total += np.mean(value)
        return total

    def converted(x):
        return np.asarray(x), np.exp(x)

    def half(x):
        return np.asarray(x.astype("bfloat16"))

    def of_numpy(x):
        return np.asarray(x), np.mean(x), np.array([1.0])

    @jax.jit
    def traced(x):
        return x + np.asarray([1.0, 2.0])

    X = jnp.ones(2)
    mean([X, X, X])
    converted(X)
    half(X)
    of_numpy(np.ones(2))
    traced(X)
"""


def test_functions_of_numpy(tmp_path: Path) -> None:
    write(tmp_path, {"main.py": PROGRAM})
    done = observe(tmp_path, "--facts", "facts.json", "--no-check", "--", sys.executable, "main.py")
    assert done.returncode == 0, done.stderr
    events = read_facts(str(tmp_path / "facts.json")).events
    found = {(each.function, each.what, each.count, each.loop) for each in events}
    if sys.version_info >= (3, 12):
        assert found == {
            ("main.py::mean", "numpy.mean", 3, True),
            ("main.py::converted", "numpy.asarray", 1, False),
            ("main.py::converted", "numpy.exp", 1, False),
            ("main.py::half", "numpy.asarray", 1, False),
        }
    else:  # calls of built-in functions are not seen
        assert {name for name, _, _, _ in found} <= {"main.py::half"}
        assert {what for _, what, _, _ in found} <= {"__array__"}
