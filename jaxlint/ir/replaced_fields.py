"""Which fields of what an attribute holds an assignment replaces, and which fields a function reads.

In: the text of an assignment `owner.name = value`, and the functions that its calls lead to. Out: the fields
that differ from those of what was there, where the new value is a copy of it, as `state.replace(step=1)` is.
It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from jaxlint.ir.constant_attributes import is_alike
from jaxlint.ir.limits import COPIES, REACHED
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.program import Code, Expr, Program, Stmt

Fields = frozenset[str]
Found = tuple[Expr, int | None]  # an expression, and which item of its value

# static fields of flax's TrainState: a state that is made of another one has those of the other one
STATIC_FIELDS = frozenset(("apply_fn", "tx"))
STATIC_PART: Expr = ("static fields",)  # where the constant stands that says which item is read: one of these

_GRADIENTS = frozenset(("params", "opt_state", "step"))  # what flax's TrainState.apply_gradients replaces


@dataclass(eq=False)
class Body:
    """A function's text, or a module's; in a call of it, what its parameters are given, and by whom."""

    code: Code
    program: Program
    path: str
    given: dict[str, Expr] = field(default_factory=dict)
    outer: Body | None = None
    depth: int = 0


class Replacing:
    """Finds what assignments replace.

    callees: the functions that a call leads to, with their modules. methods: names of methods that classes
    of the project define, which may do anything.
    """

    def __init__(
        self, callees: Callable[[str, int], Iterable[tuple[Code, Program, str]]], methods: Fields
    ) -> None:
        self.callees = callees
        self.methods = methods
        self.target: Expr = ()
        self.open: set[tuple[str, Code]] = set()

    def fields(self, home: Body, nid: int) -> Fields | None:
        """The fields that the assignment with this number, or to the target with this number, replaces. None:
        any of them."""
        for statement in statements(home.code.body):
            for target in statement[2] if statement[0] == "assign" else ():
                for each, item in _targets(target):
                    if each[0] == "attr" and nid in (each[1], statement[1]):
                        self.target = each
                        self.open.clear()
                        return self._of(statement[3], item, home)
        return None

    def _of(self, value: Expr, item: int | None, body: Body) -> Fields | None:
        kind = value[0]
        if body.outer is None and item is None and is_alike(value, self.target):
            return frozenset()
        if kind == "tuple" and item is not None:
            plain = item < len(value[1]) and all(each[0] != "star" for each in value[1])
            return self._of(value[1][item], None, body) if plain else None
        if kind == "name":
            return self._of_name(value[2], item, body)
        if kind == "call":
            if item is None and _copies(value) and not any(True for _ in self.callees(body.path, value[1])):
                return self._of_copy(value, body)
            return self._of_call(value, item, body)
        return None

    def _of_name(self, name: str, item: int | None, body: Body) -> Fields | None:
        if (name, body.code) in self.open:
            return frozenset()
        found = _definitions(body.code.body, name)
        is_param = any(param.name == name for param in body.code.params)
        if found is None or not (found or is_param) or (is_param and name not in body.given):
            return None
        self.open.add((name, body.code))
        parts: list[Fields | None] = []
        for value, which in found:
            if item is not None and which is not None:
                parts.append(None)
            else:
                parts.append(self._of(value, item if which is None else which, body))
        self.open.discard((name, body.code))
        if is_param and body.outer is not None:
            parts.append(self._of(body.given[name], item, body.outer))
        return _union(parts)

    def _of_copy(self, call: Expr, body: Body) -> Fields | None:
        """The call of a method or function that copies all but some fields."""
        func, args, keywords = call[2], call[3], [name for name, _ in call[4]]
        name = func[-1]
        if name in self.methods or None in keywords or any(each[0] == "star" for each in args):
            return None
        if name == "tree_at":
            replaced = _chosen(args[0], body.program) if len(args) > 1 else None
            return None if replaced is None else _union((replaced, self._of(args[1], None, body)))
        if len(args) == 1 and name == "replace":
            base = args[0]
        elif not args and func[0] == "attr":
            base = func[2]
        else:
            return None
        replaced = frozenset(keywords)
        if name == "apply_gradients":
            replaced |= _GRADIENTS
        return _union((replaced, self._of(base, None, body)))

    def _of_call(self, call: Expr, item: int | None, body: Body) -> Fields | None:
        """The call of functions of the project, each of which returns a copy of what it is given."""
        args = call[3]
        if any(each[0] == "star" for each in args):
            return None
        if body.depth >= COPIES.most:
            REACHED["copies"] += 1
            return None
        parts: list[Fields | None] = []
        for code, program, path in self.callees(body.path, call[1]):
            params = [param.name for param in code.params if param.kind in "pn"]
            if code.in_class and call[2][0] == "attr" and len(params) > len(args):
                params = params[1:]
            given = dict(zip(params, args, strict=False))
            given.update({name: value for name, value in call[4] if name is not None})
            inner = Body(code, program, path, given, body, body.depth + 1)
            returns = [each[2] for each in statements(code.body) if each[0] == "return"]
            if not returns or code.is_generator or code.is_async:
                return None
            parts += [self._of(each, item, inner) for each in returns]
        return _union(parts) if parts else None


def fields_read(code: Code, program: Program, nid: int) -> tuple[Fields, Fields] | None:
    """The fields that a function reads of what the expression with this number gives, and those of them that
    it calls. None: maybe all."""
    reads: list[Expr] | None = None
    for part in _nodes(code.body):
        if part[0] == "attr" and _is_numbered(part[2], nid):
            reads = [part]
        elif part[0] == "assign" and _is_numbered(part[3], nid):
            if len(part[2]) != 1 or part[2][0][0] != "name":
                return None
            reads = _reads_of_name(code, program, part[2][0][2])
    if reads is None:
        return None
    called = {part[2][1] for part in _nodes(code.body) if part[0] == "call" and part[2][0] == "attr"}
    return frozenset(each[3] for each in reads), frozenset(each[3] for each in reads if each[1] in called)


def _reads_of_name(code: Code, program: Program, name: str) -> list[Expr] | None:
    """The attributes that are read of a variable that is assigned once, where that is all that is done."""
    found: list[Expr] = []
    mentions = 0
    for part in _nodes(code.body):
        if part[0] == "name":
            mentions += part[2] == name
        elif part[0] == "attr" and part[2][0] == "name" and part[2][2] == name:
            found.append(part)
        elif part[0] == "class":
            return None
        elif part[0] in ("def", "lambda") and name in program.codes[part[2]].free:
            return None
    return found if mentions == len(found) + 1 else None


def _is_numbered(value: Expr, nid: int) -> bool:
    return value[0] in ("attr", "name", "call", "sub") and value[1] == nid


def _copies(call: Expr) -> bool:
    func = call[2]
    return func[0] in ("attr", "name") and func[-1] in ("replace", "_replace", "apply_gradients", "tree_at")


def _chosen(where: Expr, program: Program) -> Fields | None:
    """The fields in which `lambda tree: (tree.a, tree.b.c)` finds what it gives."""
    if where[0] != "lambda":
        return None
    code = program.codes[where[2]]
    given = code.body[0][2]
    found = set()
    for each in given[1] if given[0] == "tuple" else (given,):
        outer = None
        while each[0] in ("attr", "sub"):
            outer, each = each, each[2]
        if outer is None or outer[0] != "attr" or each[0] != "name" or each[2] != code.params[0].name:
            return None
        found.add(outer[3])
    return frozenset(found)


def _union(parts: Iterable[Fields | None]) -> Fields | None:
    found: Fields = frozenset()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _definitions(body: Iterable[Stmt], name: str) -> list[Found] | None:
    """What assignments give a variable; None where something else binds it, too."""
    found: list[Found] = []
    for statement in statements(body):
        kind = statement[0]
        if kind == "assign":
            for target in statement[2]:
                for each, item in _targets(target):
                    if each[0] == "name" and each[2] == name:
                        found.append((statement[3], item))
                    elif each[0] in ("tuple", "star") and _names(each, name):
                        return None
        elif kind in ("for", "aug", "ann", "with"):
            if _names(statement[2], name):
                return None
        elif kind not in ("expr", "return", "if", "while") and name in statement:
            return None
    return found


def _names(node: object, name: str) -> bool:
    return any(part[0] == "name" and part[2] == name for part in _nodes((node,)))


def _targets(target: Expr) -> Iterator[Found]:
    """The parts of a target, and which item of the value each gets."""
    if target[0] != "tuple":
        yield target, None
    elif any(each[0] == "star" for each in target[1]):
        yield target, None
    else:
        yield from ((each, number) for number, each in enumerate(target[1]))


def _nodes(parts: Iterable[object]) -> Iterator[Expr]:
    """The numbered nodes, outermost first."""
    stack = list(parts)
    while stack:
        part = stack.pop()
        if isinstance(part, tuple) and part and part[0] != "const":
            if len(part) > 2 and isinstance(part[0], str) and isinstance(part[1], int):
                yield part
            stack.extend(part)
