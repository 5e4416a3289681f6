"""Functions that keep what is donated: a partial that is given it, and parameters whose default it is.

In: the lowered code of a function, and the values of its variables. Out: the variables that the text names,
and the calls that compute with what was kept. It refuses to know what is donated.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.calling.donated.copies import computes, place_of
from jaxlint.domain.objects import Function, Partial
from jaxlint.domain.values import Value
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.nodes import CallExpr, DefStmt, LambdaExpr, NameExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, last_name, nodes_of


def keeping(code: Code, program: Program, place: str) -> frozenset[str]:
    """The variables that a function sets to a partial which is given a place as it is, or to a function of
    which it is a default."""
    found = set()
    for target, value in assigned(code.body):
        given: list[object] = []
        if isinstance(value, CallExpr) and last_name(value.func) == "partial":
            given = [*value.args[1:], *(each.value for each in value.keywords)]
        elif isinstance(value, LambdaExpr):
            given = [each.default for each in program.codes[value.index].params]
        if isinstance(target, NameExpr) and place in _places(given):
            found.add(target.name)
    for node in nodes_of(code.body):
        inner = program.codes[node.index] if isinstance(node, DefStmt) else None
        if inner is not None and place in _places([each.default for each in inner.params]):
            found |= set() if inner.decorators else {inner.name}
    return frozenset(found)


def _places(nodes: list[object]) -> list[str]:
    return [place_of(each) for each in nodes if isinstance(each, NameExpr)]


def calls_with(code: Code, name: str, func: Value | None, value: Value) -> Iterator[int]:
    """The names by which a function calls one that computes with a value, which it keeps: calls that give
    nothing else for it."""
    func, given = (func.func, func) if isinstance(func, Partial) else (func, None)
    if not isinstance(func, Function):
        return
    params = [each.name for each in func.code.params]
    kept = {each for each, default in func.defaults.items() if default is value} if given is None else set()
    if given is not None:
        kept |= {each for each, one in zip(params, given.args, strict=False) if one is value}
        kept |= {each for each, one in given.keywords if one is value}
    first = 0 if given is None else len(given.args)
    for node in nodes_of(code.body):
        if not isinstance(node, CallExpr) or not isinstance(node.func, NameExpr) or node.func.name != name:
            continue
        others = {*params[first : first + len(node.args)], *(each.name for each in node.keywords)}
        if None not in others and any(_computes_with(func, each) for each in kept - others):
            yield node.func.nid


def _computes_with(func: Function, name: str) -> bool:
    """Whether a function computes with what it has for a parameter."""
    code, reads = func.code, Liveness(func.code, func.module.program)
    shaped = reads.shaped - reads.waited
    return all(place_of(target) != name for target, _ in assigned(code.body)) and any(
        computes(node, code)
        and any(isinstance(each, NameExpr) and each.name == name for each in children(node))
        and not any(isinstance(each, NameExpr) and each.nid in shaped for each in children(node))
        for node in nodes_of(code.body)
    )
