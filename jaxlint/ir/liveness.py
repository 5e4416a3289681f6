"""Which calls of a function give values that nothing reads, or of which only the shape is read; and which
are arms of one selection, so that one of them is read at most.

In: the lowered code of a function or a module. Out: by the number of the call, `unread` where its value is
assigned and never read, or read for its shape only (a dummy input of `init`), and `discarded` where it is an
expression statement. The names of a module may be imported: they count as read unless all that reads them
here wants a shape.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from jaxlint.ir.loop_carried import bodies, parts
from jaxlint.ir.program import Code, Program

_SHAPES = frozenset("shape dtype ndim size itemsize nbytes aval sharding".split())
# functions that look at nothing but the shapes of their arguments
_SHAPE_ONLY = frozenset(
    "eval_shape zeros_like ones_like empty_like full_like ShapeDtypeStruct make_jaxpr tabulate".split()
)
# methods that make parameters for the shapes of what follows the key
_INIT = frozenset(("init", "lazy_init"))
_STARTS = ("init", "param", "mean", "position")  # in the names of arguments whose values count
_SELECTS = frozenset(("where", "select"))
_WAITS = "block_until_ready"


class Liveness:
    """What becomes of the values of calls, in a function and the functions in it."""

    def __init__(self, code: Code, program: Program, texts: dict[Code, Text] | None = None) -> None:
        """`texts`: those known of functions of this program, to which others are added."""
        texts = {} if texts is None else texts
        own = text_of(code, program, texts)
        self.loads: dict[str, set[bool]] = {}  # by name: whether only its shape is read, for each read
        self.unused: dict[int, str] = {}  # by the number of a call
        self.reads: dict[str, list[int]] = {}  # by name: the numbers of the reads
        self.arms: dict[int, frozenset[tuple[Any, Any]]] = {}  # the selections it is in, and which arm
        self._own = own
        self._add(own, program, texts)
        is_module = code is program.body
        outer = code.global_names | code.nonlocal_names
        for names, value in own.assigned:
            if all(self._is_unread(name, is_module) and name not in outer for name in names):
                for number in _calls(value):
                    self.unused[number] = "unread"

    def _add(self, text: Text, program: Program, texts: dict[Code, Text]) -> None:
        for name, shapes in text.loads.items():
            self.loads.setdefault(name, set()).update(shapes)
        for name, numbers in text.reads.items():
            self.reads.setdefault(name, []).extend(numbers)
        self.unused.update(text.unused)
        self.arms.update(text.arms)
        for code in text.nested:
            self._add(text_of(code, program, texts), program, texts)

    def _is_unread(self, name: str, is_module: bool) -> bool:
        loads = self.loads.get(name)
        if loads is None:
            return not is_module or name == "_"
        return all(loads)

    @cached_property
    def holders(self) -> dict[int, Sequence[str]]:
        """The variables that the value of a call goes into."""
        return {number: names for names, value in self._own.assigned for number in _calls(value)}

    @cached_property
    def returns(self) -> dict[int, int]:
        """The calls in a `return`, and the last number in that."""
        found: dict[int, int] = {}
        for statement in self._own.returned:
            last = max(_numbers(statement), default=0)
            found.update(dict.fromkeys(_calls(statement[2]), last))
        return found

    def leaves_unread(self, earlier: int, later: int) -> bool:
        """Whether the function returns with the later call, and has not read the value of the earlier one."""
        names, last = self.holders.get(earlier), self.returns.get(later)
        if not names or last is None:
            return False
        return not any(earlier < read <= last for name in names for read in self.reads.get(name, ()))


def text_of(code: Code, program: Program, texts: dict[Code, Text]) -> Text:
    found = texts.get(code)
    if found is None:
        found = texts[code] = Text(code, program)
    return found


class Text:
    """One walk over a function, without the functions in it: those are `nested`."""

    def __init__(self, code: Code, program: Program) -> None:
        self.program = program
        self.loads: dict[str, set[bool]] = {}
        self.reads: dict[str, list[int]] = {}
        self.unused: dict[int, str] = {}
        self.arms: dict[int, frozenset[tuple[Any, Any]]] = {}
        self.assigned: list[tuple[Sequence[str], Any]] = []
        self.returned: list[Any] = []  # the statements
        self.nested: list[Code] = []
        self.outermost = True
        self._block(code.body)

    def _block(self, body: Sequence[Any]) -> None:
        for statement in body:
            kind = statement[0]
            if kind == "assign":
                names = [*_target_names(statement[2])]
                if self.outermost and "" not in names:
                    self.assigned.append((names, statement[3]))
                for target in statement[2]:
                    self._target(target)
                self._expr(statement[3], False)
            elif kind == "expr":
                for number in _discarded(statement[2]):
                    self.unused.setdefault(number, "discarded")
                self._expr(statement[2], False)
            elif kind == "for":
                self._target(statement[2])
                self._expr(statement[3], False)
                self._blocks(statement)
            elif kind == "aug":
                self._expr(statement[2], False)
                self._expr(statement[4], False)
            elif kind in ("def", "class"):
                self._expr(statement, False)
            elif kind == "return" and self.outermost:
                self.returned.append(statement)
                self._expr(statement[2], False)
            else:
                inner = {id(block) for block in bodies(statement)}
                for part in statement[1:]:
                    if isinstance(part, tuple) and id(part) not in inner:
                        self._expr(part, False)
                self._blocks(statement)

    def _blocks(self, statement: Any) -> None:
        for block in bodies(statement):
            self._block(block)

    def _target(self, target: Any) -> None:
        for each in parts(target):
            if each[0] in ("attr", "sub"):
                self._expr(each, False)

    def _expr(self, node: Any, shape: bool) -> None:
        """`shape`: only its shape is read."""
        if type(node) is not tuple or not node:
            return
        kind = node[0]
        if kind == "const" and len(node) == 2 and type(node[1]) is not tuple:
            return
        if kind == "name" and len(node) == 3:
            name = node[2]
            if name in self.reads:
                self.loads[name].add(shape)
                self.reads[name].append(node[1])
            else:
                self.loads[name], self.reads[name] = {shape}, [node[1]]
        elif kind == "attr" and len(node) == 4:
            self._expr(node[2], shape or node[3] in _SHAPES)
        elif kind == "call" and len(node) == 6:
            self._call(node, shape)
        elif kind in ("lambda", "def") and len(node) == 3 and isinstance(node[2], int):
            self._nested(self.program.codes[node[2]])
        elif kind == "class" and len(node) == 3 and isinstance(node[2], int):
            record = self.program.classes[node[2]]
            self._expr((record.bases, record.keywords, record.decorators), False)
            self._inside(record.body)
        else:
            if kind == "bin" and node[2] == "*":
                for mask, value in (node[3:], node[:2:-1]):
                    if mask[0] == "cmp" and len(mask[3]) == 1 and mask[3][0][0] == "==":
                        if mask[3][0][1][0] == "const":
                            self._select(value, dotted(mask[2]), mask[3][0][1][1])
            for part in node:
                if type(part) is tuple and part:
                    self._expr(part, shape)

    def _select(self, node: Any, selection: Any, arm: Any) -> None:
        if selection:
            for number in _calls(node):
                self.arms[number] = self.arms.get(number, frozenset()) | {(selection, arm)}

    def _nested(self, code: Code) -> None:
        self._expr(code.decorators, False)
        for param in code.params:
            self._expr(param.default, False)
        self.nested.append(code)

    def _inside(self, body: Sequence[Any]) -> None:
        outermost, self.outermost = self.outermost, False
        self._block(body)
        self.outermost = outermost

    def _call(self, node: Any, shape: bool) -> None:
        _, number, func, args, keywords, _ = node
        if _called(func) in _SELECTS and len(args) == 3:
            for arm, each in enumerate(args[1:]):
                self._select(each, number, arm)
        if shape:
            self.unused[number] = "unread"
        self._expr(func, shape)
        name = _called(func)
        for position, each in enumerate(args):
            only = name in _SHAPE_ONLY or (name in _INIT and position > 0)
            self._expr(each, shape or only)
        for keyword, each in keywords:
            counts = keyword is None or any(part in keyword for part in _STARTS) or "rng" in keyword
            only = name in _SHAPE_ONLY or (name in _INIT and bool(args) and not counts)
            self._expr(each, shape or only)


def dotted(node: Any) -> str:
    """The text of a name or an attribute; empty for anything else."""
    if node[0] == "name":
        return str(node[2])
    owner = dotted(node[2]) if node[0] == "attr" else ""
    return f"{owner}.{node[3]}" if owner else ""


def _called(func: Any) -> str:
    """The last part of the name of what is called, through a transform of it: `jit(model.init)(key, x)`."""
    while func[0] == "call" and func[3] and _called(func[2]) not in _SHAPE_ONLY:
        func = func[3][0]
    if func[0] == "call":
        return _called(func[2])
    if func[0] == "attr":
        return str(func[3]) if func[3] != "lower" else "eval_shape" if func[2][0] == "call" else ""
    return str(func[2]) if func[0] == "name" else ""


def _target_names(targets: Sequence[Any]) -> Iterator[str]:
    """The names that an assignment binds; an empty one for anything else."""
    for target in targets:
        for each in parts(target):
            yield each[2] if each[0] == "name" else ""


def _calls(node: Any) -> Iterator[int]:
    """The numbers of the calls in a node, the outer ones first."""
    for each in _nodes(node):
        if each[0] == "call" and len(each) == 6:
            yield each[1]


def _numbers(node: Any) -> Iterator[int]:
    """The numbers of the nodes in a statement."""
    for each in _nodes(node):
        if len(each) > 2 and isinstance(each[0], str) and type(each[1]) is int:
            yield each[1]


def _nodes(node: Any) -> Iterator[Any]:
    """A node and all that is in it, in the order of the text."""
    stack = [node]
    while stack:
        each = stack.pop()
        if isinstance(each, tuple) and each:
            yield each
            if each[0] != "const" or len(each) != 2:
                stack.extend(reversed(each))


def _discarded(node: Any) -> Iterator[int]:
    """The calls whose value an expression statement drops, through `block_until_ready`."""
    if node[0] != "call":
        return
    yield node[1]
    func = node[2]
    if func[0] == "attr" and func[3] == _WAITS:
        inner = node[3][0] if node[3] else func[2]
        yield from _discarded(inner)
