"""Functions that give what a network makes of its input, and nothing of the shape of its parameters.

In: what is compiled, or the text of a function, with a parameter of it. Out: whether it does no more with the
parameter than to apply a network to it, and gives back what comes of that alone: there is no new array for
which the buffers of a donated one could be used. It refuses to know shapes: an array that happens to fit is
not found. Of any other function whose shapes are not known a result may fit: who donates an argument expects
one, and nearly always there is one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache

from jaxlint.domain.objects import Bound, Function, Partial, Transformed
from jaxlint.domain.values import Const, Product, Value
from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import APPLYING
from jaxlint.ir.nodes import (
    AttrExpr,
    CallExpr,
    ConstExpr,
    DictExpr,
    Expr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    StarExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import children, last_name, walk

_METHODS = frozenset(("haiku-method", "linen-method"))
_AS_IT_IS = frozenset(("jit", "pmap", "vmap", "checkpoint"))  # transforms that give what the function gives
_DEEP = 4  # functions that hand a parameter on


def leaves_parameters(func: Value, name: str, given: Collection[str | None]) -> bool:
    """Whether a compiled function gives nothing that a donated parameter of this name has the shape of.
    given: the keywords of the call."""
    keywords = dict.fromkeys(given, True)
    while isinstance(func, (Transformed, Partial, Bound)):
        if isinstance(func, Transformed) and func.kind not in _AS_IT_IS:
            return False
        if isinstance(func, Partial):
            keywords |= {each: value != Const(False) for each, value in func.keywords}
        func = func.func
    if isinstance(func, Function):
        return gives_activations(func.code, name, func.module.program, _DEEP)
    if not isinstance(func, Product) or func.kind not in _METHODS or func.parts[0] != "apply":
        return False
    return name in ("params", "variables") and not keywords.get("mutable") and None not in keywords


@lru_cache(maxsize=256)
def gives_activations(code: Code, name: str, program: Program, deep: int) -> bool:
    """Whether all that a function gives back is made of what networks applied to a parameter give."""
    if code.is_generator or code.is_async or name not in {each.name for each in code.params}:
        return False
    flow = _Flow(name, program, deep)
    before = -1
    while flow.size() != before:
        before = flow.size()
        for targets, value in assignments(code.body):
            if flow.is_made_of(value):
                flow.held |= variables(targets)
            elif flow.is_output(value):
                flow.made |= variables(targets)
    returned = [each.value for each in statements(code.body) if isinstance(each, ReturnStmt)]
    parts = [part for each in returned for part in _parts(each)]
    return (
        bool(parts)
        and flow.held.isdisjoint(flow.made)
        and all(not flow.is_made_of(part) and flow.is_output(part) for part in parts)
    )


def _parts(value: Expr) -> Iterator[Expr]:
    """The parts of what is given back."""
    if isinstance(value, (TupleExpr, ListExpr)):
        for each in value.items:
            yield from _parts(each)
    elif isinstance(value, DictExpr):
        for _, each in value.items:
            yield from _parts(each)
    else:
        yield value


class _Flow:
    """What the text of a function makes of a parameter. held: the variables that have it, parts of it or what
    is computed of these; made: those that have outputs of networks. deep: how many functions are looked
    into."""

    def __init__(self, name: str, program: Program, deep: int) -> None:
        self.held: set[str] = {name}
        self.made: set[str] = set()
        self.program = program
        self.deep = deep

    def size(self) -> int:
        return len(self.held) + len(self.made)

    def is_output(self, node: Node) -> bool:
        """Whether an expression is made of what a network gives that is applied to the parameter."""
        return mentions(node, self.made) or any(self._is_applied(each) for each in walk(node))

    def is_made_of(self, node: Node) -> bool:
        """Whether the parameter goes into an expression otherwise than to apply a network to it."""
        if isinstance(node, NameExpr):
            return node.name in self.held
        parts = children(node)
        if isinstance(node, CallExpr) and self._is_applied(node):
            parts = [*node.args[1:], *(each.value for each in node.keywords)]
            parts = parts if last_name(node.func) in APPLYING else []
            if not isinstance(node.func, AttrExpr):
                parts.append(node.func)
        return any(map(self.is_made_of, parts))

    def _is_applied(self, node: Node) -> bool:
        """Whether this applies a network to the parameter and gives its output alone."""
        if not isinstance(node, CallExpr) or not node.args:
            return False
        if last_name(node.func) in APPLYING:
            asked = [each.value for each in node.keywords if each.name in (None, "mutable")]
            is_plain = all(isinstance(each, ConstExpr) and not each.value for each in asked)
            return is_plain and mentions(node.args[0], self.held)
        return self._is_forward(node)

    def _is_forward(self, call: CallExpr) -> bool:
        """Whether a function of the file is called that gives no more than such outputs."""
        named = [each for each in self.program.codes if each.name == last_name(call.func)]
        if not self.deep or len(named) != 1 or named[0].in_class or not isinstance(call.func, NameExpr):
            return False
        if any(isinstance(each, StarExpr) for each in call.args) or any(
            not each.name for each in call.keywords
        ):
            return False
        given = [(param.name, each) for param, each in zip(named[0].params, call.args, strict=False)]
        given += [(each.name or "", each.value) for each in call.keywords]
        names = [name for name, each in given if mentions(each, self.held)]
        return bool(names) and all(
            gives_activations(named[0], each, self.program, self.deep - 1) for each in names
        )
