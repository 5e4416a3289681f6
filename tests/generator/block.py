"""Blocks of program text: lists of lines, indented, and put under a `def`."""

from __future__ import annotations

Lines = list[str]


def indented(lines: list[str] | tuple[str, ...], by: int = 1) -> Lines:
    return ["    " * by + line if line else "" for text in lines for line in text.split("\n")]


def function(name: str, parameters: tuple[str, ...], body: Lines) -> Lines:
    return [f"def {name}({', '.join(parameters)}):", *indented(body)]
