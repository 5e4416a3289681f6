"""Ctrl-C while `jaxlint observe` runs a program: the program gets it, and what was seen until then is kept."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest
from test_observe import JAX, environment, write

from jaxlint.observe.facts import Facts, read_facts

CTRL_C = b"\x03"

WAITS = """
    import time
    import jax

    def before(): pass
    def after(): pass

    def main():
        before()
        print("ready", flush=True)
        while True:
            time.sleep(60)
        after()

    main()
"""

FINISHES = """
    import signal, sys
    import jax

    def stopped(): pass

    def handler(number, frame):
        stopped()
        print("signal", number, flush=True)
        sys.exit(5)

    signal.signal(signal.SIGINT, handler)
    print("ready", flush=True)
    signal.pause()
"""

COMPILES = """
    import time
    import jax, jax.numpy as jnp

    @jax.jit
    def step(x):
        return x * 2

    def main():
        for size in (1, 2, 3):
            step(jnp.ones(size))
        print("ready", flush=True)
        time.sleep(600)

    main()
"""


def in_terminal(folder: Path, *flags: str) -> tuple[int, str]:
    """Observes `main.py` in a terminal of its own, where Ctrl-C is typed once it is ready: exit status, and
    what the terminal shows."""
    root = str(Path(__file__).resolve().parent.parent)
    # The leader of a session, whose terminal sends signals to all that is in the foreground.
    code = "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)"
    code += (
        f"; sys.path.insert(0, {root!r}); sys.argv[0] = 'jaxlint'; from jaxlint.cli.main import main; main()"
    )
    words = [sys.executable, "-P", "-c", code, "observe", *flags, "--", sys.executable, "main.py"]
    terminal, other = pty.openpty()
    process = subprocess.Popen(
        words,
        cwd=folder,
        env=environment(folder),
        stdin=other,
        stdout=other,
        stderr=other,
        start_new_session=True,
    )
    os.close(other)
    shown = b""
    while b"ready" not in shown:
        shown += os.read(terminal, 1000)
    time.sleep(0.5)  # until it waits: an interrupt in a callback of the garbage collector is lost, as Python says
    os.write(terminal, CTRL_C)
    while True:
        try:
            more = os.read(terminal, 1000)
        except OSError:  # Linux: nobody has the other end any more
            break
        if not more:
            break
        shown += more
    os.close(terminal)
    return process.wait(), shown.decode().replace("\r\n", "\n")


def observed(folder: Path, program: str, *flags: str) -> tuple[int, str, Facts]:
    write(folder, {"main.py": program, "pyproject.toml": ""})
    status, shown = in_terminal(folder, "--facts", "facts.json", "--page", "page.html", *flags)
    return status, shown, read_facts(str(folder / "facts.json"))


def test_an_interrupt_that_nothing_handles(tmp_path: Path) -> None:
    write(tmp_path, JAX)
    status, shown, facts = observed(tmp_path, WAITS)
    assert status == 130
    assert shown.count("KeyboardInterrupt") == 1  # the program's, none of jaxlint's
    assert {name for name in facts.functions if name.startswith("main.py")} == {
        "main.py::<module>", "main.py::main", "main.py::before",
    }  # fmt: skip
    assert {1, 2} <= {*facts.functions["main.py::main"].lines} <= {1, 2, 3, 4}
    assert "jaxlint: 1 run with jax 0.10.0" in shown and "jaxlint: facts: facts.json" in shown
    assert (tmp_path / "page.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_an_interrupt_that_the_program_handles(tmp_path: Path) -> None:
    write(tmp_path, JAX)
    status, shown, facts = observed(tmp_path, FINISHES, "-q")
    assert status == 5
    assert "signal 2\n" in shown and "Traceback" not in shown and "jaxlint" not in shown
    assert facts.functions["main.py::stopped"].calls == 1


@pytest.mark.parametrize("flags", [(), ("--nans", "--leaks")])
def test_what_was_compiled_until_then_is_kept(tmp_path: Path, flags: tuple[str, ...]) -> None:
    status, shown, facts = observed(tmp_path, COMPILES, *flags)
    assert status == 130
    step = facts.functions["main.py::step"]
    assert (step.calls, step.compiled) == (3, 3)
    assert "`step` compiled 3 times" in shown
