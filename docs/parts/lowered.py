"""The program that the analysis sees of a function of the example, as text."""

from __future__ import annotations

import ast
from pathlib import Path

from msgspec.structs import astuple

from jaxlint.ir.lowering import lower
from jaxlint.ir.nodes import STATEMENTS, Node
from parts.run import EXAMPLE

ROOT = Path(__file__).resolve().parent.parent.parent


def lowered() -> str:
    """The statements of `clipped` in `solver.py`, one a row."""
    program = lower(ast.parse((ROOT / EXAMPLE / "solver.py").read_text(encoding="utf-8"))).program
    (code,) = (each for each in program.codes if each.name == "clipped")
    rows = [f"{code.name}({', '.join(param.name for param in code.params)})", *map(_text, code.body)]
    return "\n".join(["```text", *rows, "```"])


def _text(value: object, margin: str = "\n") -> str:
    """A node without the names of its fields; the statements in it are on rows of their own."""
    if isinstance(value, Node):
        return f"{type(value).__name__}({', '.join(_text(part, margin) for part in astuple(value))})"
    if not isinstance(value, tuple):
        return repr(value)
    if value and isinstance(value[0], STATEMENTS):
        inner = margin + "    "
        return f"({''.join(f'{inner}{_text(part, inner)},' for part in value)}{margin})"
    items = ", ".join(_text(part, margin) for part in value)
    return f"({items},)" if len(value) == 1 else f"({items})"
