"""The program that the analysis sees of a function of the example, as text."""

from __future__ import annotations

import ast
from pathlib import Path

from jaxlint.ir.lowering import lower
from parts.run import EXAMPLE

ROOT = Path(__file__).resolve().parent.parent.parent


def lowered() -> str:
    """The statements of `clipped` in `solver.py`, one a row."""
    program = lower(ast.parse((ROOT / EXAMPLE / "solver.py").read_text(encoding="utf-8"))).program
    (code,) = (each for each in program.codes if each.name == "clipped")
    rows = [f"{code.name}({', '.join(param.name for param in code.params)})", *map(repr, code.body)]
    return "\n".join(["```text", *rows, "```"])
