"""Which children of a split a function reads, as its text says.

In: a program and the number of a `split` in it. Out: the positions of the children that are read before their
variable is bound again, and whether what a call gives is read at all. Where a key comes from and what is done
with the children is of no interest here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from jaxlint.engine.carried import bodies, parts
from jaxlint.engine.lower import Code, Expr, Program, Stmt
from jaxlint.engine.once import mentions

_REST = 64  # a starred target takes the children up to this one: more are not told apart
ALL = frozenset(range(_REST))


class Binding(NamedTuple):
    """A statement that assigns. end: the last number in it, so that what follows has greater ones."""

    targets: Sequence[Expr]
    value: Expr
    end: int


class Children:
    """Answers for the functions of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.homes: dict[int, Code] = {}  # the function that a call is in, by the number of the call
        self.lambdas: dict[int, int] = {}  # the numbers of lambdas, by the index of their code
        self.bindings: dict[Code, list[Binding]] = {}
        for code in program.codes:
            for node in _nodes((code.body, code.decorators, *(param.default for param in code.params))):
                if node[0] in ("call", "lambda"):
                    self.homes[node[1]] = code
                if node[0] == "lambda":
                    self.lambdas[node[2]] = node[1]

    def read_of(self, split: int) -> Collection[int]:
        """The positions of the children of a split that are read."""
        found = self._binding(split)
        if found is None:
            return ALL
        code, binding = found
        value, only = binding.value, None
        if value[0] == "sub" and value[3][0] == "const" and type(value[3][1]) is int and value[3][1] >= 0:
            value, only = value[2], value[3][1]
        if value[0] != "call" or value[1] != split or len(binding.targets) != 1:
            return ALL if self.is_result_read(split) else ()
        target = binding.targets[0]
        if only is not None or target[0] != "tuple":
            return (ALL if only is None else {only}) if self._is_read(code, target, binding.end) else ()
        read: set[int] = set()
        for position, each in enumerate(target[1]):
            if any(self._is_read(code, part, binding.end) for part in parts(each)):
                read |= set(range(position, _REST)) if each[0] == "star" else {position}
        return read

    def is_result_read(self, call: int) -> bool:
        """Whether all that a call gives is read, where it is assigned. A variable of a name that begins with
        an underscore is not meant to be read: it is a dummy."""
        found = self._binding(call)
        if found is None:
            return True
        code, binding = found
        parts_of = [part for target in binding.targets for part in parts(target)]
        targets = [each for each in parts_of if each[0] != "name" or not each[2].startswith("_")]
        return bool(targets) and all(self._is_read(code, each, binding.end) for each in targets)

    def _binding(self, call: int) -> tuple[Code, Binding] | None:
        """The assignment that a call is in, through the lambdas around it."""
        code = self.homes.get(call)
        while code is not None:
            for binding in self._bindings(code):
                if any(node[0] in ("call", "lambda") and node[1] == call for node in _nodes(binding.value)):
                    return code, binding
            call = self.lambdas.get(code.index, -1)
            code = self.homes.get(call)
        return None

    def _bindings(self, code: Code) -> list[Binding]:
        found = self.bindings.get(code)
        if found is None:
            found = self.bindings[code] = [
                Binding(statement[2], statement[3], max(node[1] for node in _nodes(statement)))
                for statement in _statements(code.body)
                if statement[0] == "assign"
            ]
        return found

    def _is_read(self, code: Code, target: Expr, after: int) -> bool:
        """Whether a variable is read after a number, and not bound again before; others are read anywhere."""
        if target[0] != "name":
            return True
        name = target[2]
        again = min(
            (
                each.end
                for each in self._bindings(code)
                if each.end > after and any(part == ("name", part[1], name) for part in _named(each.targets))
            ),
            default=None,
        )
        for node in _nodes(code.body):
            if node[0] == "name" and node[2] == name and after < node[1]:
                if again is None or node[1] <= again:
                    return True
            elif node[0] in ("def", "lambda", "class") and len(node) == 3 and after < node[1]:
                inner = self.program.classes if node[0] == "class" else self.program.codes
                if (again is None or node[1] <= again) and mentions(inner[node[2]].body, {name}):
                    return True
        return False


def _named(targets: Sequence[Expr]) -> Iterator[Expr]:
    for target in targets:
        yield from (part for part in parts(target) if part[0] == "name")


def _statements(body: Sequence[Stmt]) -> Iterator[Stmt]:
    for statement in body:
        yield statement
        for block in bodies(statement):
            yield from _statements(block)


def _nodes(node: Any) -> Iterator[Any]:
    """The nodes that have a number, but the variables that an assignment binds."""
    if not isinstance(node, tuple) or not node or (node[0] == "const" and len(node) == 2):
        return
    if len(node) > 2 and isinstance(node[0], str) and type(node[1]) is int:
        yield node
        if node[0] == "assign":
            for target in node[2]:
                for part in parts(target):
                    if part[0] != "name":
                        yield from _nodes(part)
            yield from _nodes(node[3])
            return
    for part in node:
        yield from _nodes(part)
