"""Which children of a split a function reads, as its text says.

In: a program and the number of a `split` in it. Out: the positions of the children that are read before their
variable is bound again, and whether what a call gives is read at all. Where a key comes from and what is done
with the children is of no interest here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple

from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.program import Code, Expr, Program, Stmt

_REST = 64  # a starred target takes the children up to this one: more are not told apart
ALL = frozenset(range(_REST))


class Binding(NamedTuple):
    """A statement that assigns. end: the last number in it, so that what follows has greater ones."""

    targets: Sequence[Expr]
    value: Expr
    end: int


class _Text:
    """What the text of a function says of its variables, without that of the functions in it.

    calls: the numbers of its calls and lambdas. bindings: by the number of a call or lambda, the first
    assignment of its value. bound: by variable, the ends of the assignments to it, in order. reads: by
    variable, the numbers of where it is read, and of the functions and classes that mention it, in order.
    takers: by the number of a read, the last name of the function of which it is the first argument.
    """

    def __init__(self, code: Code, program: Program) -> None:
        self.calls: set[int] = set()
        self.bindings: dict[int, Binding] = {}
        self.bound: dict[str, list[int]] = {}
        self.reads: dict[str, list[int]] = {}
        self.takers: dict[int, str] = {}
        for node in _nodes((code.decorators, *(param.default for param in code.params))):
            if node[0] in ("call", "lambda"):
                self.calls.add(node[1])
        for node in _nodes(code.body):
            kind = node[0]
            if kind in ("call", "lambda"):
                self.calls.add(node[1])
            if kind == "call" and node[3] and node[3][0][0] == "name" and node[2][0] in ("name", "attr"):
                self.takers[node[3][0][1]] = node[2][-1]
            if kind == "name":
                self.reads.setdefault(node[2], []).append(node[1])
            elif kind in ("def", "lambda", "class") and len(node) == 3:
                inner = program.classes if kind == "class" else program.codes
                for name in _mentioned(inner[node[2]].body):
                    self.reads.setdefault(name, []).append(node[1])
        for statement in statements(code.body):
            if statement[0] == "assign":
                self._bind(statement)
        for numbers in (*self.reads.values(), *self.bound.values()):
            numbers.sort()

    def _bind(self, statement: Stmt) -> None:
        binding = Binding(statement[2], statement[3], max(node[1] for node in _nodes(statement)))
        for node in _nodes(binding.value):
            if node[0] in ("call", "lambda"):
                self.bindings.setdefault(node[1], binding)
        for each in _named(binding.targets):
            self.bound.setdefault(each[2], []).append(binding.end)

    def reads_of(self, name: str, after: int) -> Sequence[int]:
        """Where a variable is read after a number, before it is bound again."""
        reads, ends = self.reads.get(name, ()), self.bound.get(name, ())
        first, again = bisect_right(reads, after), bisect_right(ends, after)
        return reads[first : None if again == len(ends) else bisect_right(reads, ends[again])]


class Children:
    """Answers for the functions of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts: dict[Code, _Text] = {}
        self.homes: dict[int, Code | None] = {}  # the function that a call is in, by the number of the call

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

    def takers_of(self, split: int) -> dict[int, frozenset[str]]:
        """The functions whose first arguments the children of a split are, by position. What else may be done
        with a child is not known: it is left out."""
        found = self._binding(split)
        if found is None or len(found[1].targets) != 1 or found[1].targets[0][0] != "tuple":
            return {}
        code, binding = found
        text = self._text(code)
        answers = {}
        for position, each in enumerate(binding.targets[0][1]):
            if each[0] == "star":
                break
            reads = text.reads_of(each[2], binding.end) if each[0] == "name" else ()
            if reads and all(read in text.takers for read in reads):
                answers[position] = frozenset(text.takers[read] for read in reads)
        return answers

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
        code = self._home(call)
        while code is not None:
            binding = self._text(code).bindings.get(call)
            if binding is not None:
                return code, binding
            call = code.nid
            code = self._home(call) if code.is_lambda else None
        return None

    def _home(self, call: int) -> Code | None:
        """The function that a call is in: nearly always the last one that begins before it, or the module."""
        if call not in self.homes:
            codes = self.program.codes
            last = bisect_right(codes, call, key=lambda code: code.nid) - 1
            order = chain((last, 0), range(last - 1, 0, -1), range(last + 1, len(codes)))
            found = (codes[place] for place in order if call in self._text(codes[place]).calls)
            self.homes[call] = next(found, None)
        return self.homes[call]

    def _text(self, code: Code) -> _Text:
        found = self.texts.get(code)
        if found is None:
            found = self.texts[code] = _Text(code, self.program)
        return found

    def _is_read(self, code: Code, target: Expr, after: int) -> bool:
        """Whether a variable is read after a number, and not bound again before; others are read anywhere."""
        return target[0] != "name" or bool(self._text(code).reads_of(target[2], after))


def _mentioned(node: object) -> set[str]:
    """The variables that a body mentions, without the functions in it."""
    found: set[str] = set()
    stack = [node]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple) and part and part[0] != "const":
            if len(part) > 2 and part[0] == "name":
                found.add(part[2])
            stack.extend(part)
    return found


def _named(targets: Sequence[Expr]) -> Iterator[Expr]:
    for target in targets:
        yield from (part for part in parts(target) if part[0] == "name")


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
