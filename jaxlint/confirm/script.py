"""A program of an example, run as the script that it is, in this process.

In: program text and the folder that it is written to. Out: its namespace, in which calls can be made, how it
ended, and what it printed. It runs in a child of the harness, whose output goes to a file.
"""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax

from jaxlint.claim import Claim

OUTPUT = Path("output")
"""Where the child's output goes, in its working folder."""


class ScriptError(Exception):
    """A program, or a call in it, that raised where it must run."""

    def __init__(self, script: Script, error: BaseException, call: str = "") -> None:
        self.script, self.error = script, error
        what = f"`{call}` of the {script.name} program" if call else f"the {script.name} program"
        super().__init__(f"{what} raises {said(error)}")


def said(error: BaseException) -> str:
    """An error in one line: its class and the first line of its message."""
    lines = str(error).splitlines()
    return f"{type(error).__qualname__}: {lines[0]}" if lines else type(error).__qualname__


class Script:
    """A program. name: `bad`, `good` or `fixed`."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text
        self.path = Path(f"{name}.py").resolve()
        self.path.write_text(text, encoding="utf-8")
        self.namespace: dict[str, Any] = {}

    def run(self) -> None:
        """Run it from its first line to its last.

        Raises:
            ScriptError: where it raises.
        """
        if error := self.outcome():
            raise ScriptError(self, error)

    def outcome(self) -> Exception | None:
        """Run it; the error that it ends with."""
        module = types.ModuleType(self.name)
        module.__file__ = str(self.path)
        sys.modules[self.name] = module
        self.namespace = module.__dict__
        try:
            exec(compile(self.text, str(self.path), "exec"), self.namespace)
            jax.effects_barrier()
        except Exception as error:
            return error
        return None

    def call(self, expression: str) -> Callable[[], Any]:
        """A function that evaluates an expression in the program's namespace."""
        code = compile(f"lambda: ({expression})", f"<call in {self.name}>", "eval")
        made: Callable[[], Any] = eval(code, self.namespace)
        return made

    def value(self, expression: str) -> Any:
        """What an expression gives, once its arrays are there.

        Raises:
            ScriptError: where it raises.
        """
        try:
            value = jax.block_until_ready(self.call(expression)())
            jax.effects_barrier()
        except Exception as error:
            raise ScriptError(self, error, expression) from error
        return value


@dataclass(frozen=True, slots=True)
class Pair:
    """The programs that a claim is about; `good` is None where there is one only."""

    bad: Script
    good: Script | None
    rows: tuple[int, ...] = ()
    prints: str = ""

    @property
    def scripts(self) -> tuple[Script, ...]:
        return (self.bad,) if self.good is None else (self.bad, self.good)

    def sides(self, claim: Claim, *, comparing: bool = False) -> tuple[Side, ...]:
        """Each program with its calls. comparing: of one program, the first call against the second."""
        if self.good is not None:
            good = claim.good_calls or claim.calls
            return Side(self.bad, claim.calls), Side(self.good, good)
        if comparing and len(claim.calls) == 2:
            return Side(self.bad, claim.calls[:1]), Side(self.bad, claim.calls[1:])
        return (Side(self.bad, claim.calls),)


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two things that a claim compares: calls in a program."""

    script: Script
    calls: tuple[str, ...]

    def run(self, times: int) -> None:
        """Make the calls, `times` over; without calls, run the program."""
        if not self.calls:
            self.script.run()
        for _ in range(times):
            for call in self.calls:
                self.script.value(call)


def ready(pair: Pair, claim: Claim) -> None:
    """Run the programs, unless the claim is about just that."""
    if claim.calls:
        for script in pair.scripts:
            script.run()


@contextmanager
def output() -> Iterator[list[str]]:
    """The lines that this process writes meanwhile, on the level of its file descriptors."""
    lines: list[str] = []
    _flush()
    start = OUTPUT.stat().st_size
    yield lines
    jax.effects_barrier()
    _flush()
    with OUTPUT.open("rb") as file:
        file.seek(start)
        lines += file.read().decode("utf-8", "replace").splitlines()


@contextmanager
def recorded_warnings() -> Iterator[list[warnings.WarningMessage]]:
    """All warnings that are made meanwhile."""
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always")
        yield made


def _flush() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
