"""Functions by which a module tests itself when it is run as a program.

In: a function context. Out: whether its function is such a test, or is written in one: a function `test_...`
of the module that makes all that it needs, gives nothing back, and is called by nothing but the module's `if
__name__ == "__main__":` and other such tests. It refuses to know what the function does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.ir.loop_carried import assignments
from jaxlint.ir.nodes import ConstExpr, NameExpr, Node, ReturnStmt
from jaxlint.ir.places import main_blocks
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import nodes_of, number_of, walk


def is_in_own_test(context: FunctionContext) -> bool:
    """Whether a function context is of a test of the module, or of a function in one, in all calls of it."""
    func = context.func
    if func is None or func.code.qualname.partition(".")[0] not in _own_tests(context.module.program):
        return False
    seen, stack = {context}, [context]
    while stack:
        for link in stack.pop().live_links():
            parent = link.parent
            if parent is None or parent in seen:
                continue
            if link.module is not context.module:
                return False
            if parent.func is None:
                if link.nid not in _under_main(context.module.program):
                    return False
            elif parent.func.code.qualname.partition(".")[0] not in _own_tests(context.module.program):
                return False
            seen.add(parent)
            stack.append(parent)
    return True


@lru_cache(maxsize=64)
def _own_tests(program: Program) -> frozenset[str]:
    """The functions of a module that by its text are its own tests."""
    blocks = main_blocks(program)
    if not blocks:
        return frozenset()
    made = {name for targets, _ in assignments(blocks) for name in variables(targets)}
    found = {each.name: each for each in program.codes if _is_test(each) and made.isdisjoint(each.free)}
    while True:
        called = _mentioned([*blocks, *(part for each in found.values() for part in each.body)])
        others = _mentioned_outside(program, found)
        kept = {name: each for name, each in found.items() if name in called and name not in others}
        if len(kept) == len(found):
            return frozenset(kept)
        found = kept


def _is_test(code: Code) -> bool:
    """Whether a function of a module looks like a test: it needs no arguments and gives nothing back."""
    if not code.name.startswith("test_") or code.qualname != code.name or code.is_generator:
        return False
    if code.decorators or code.global_names or any(param.default is None for param in code.params):
        return False
    return all(
        each.value is None or each.value == ConstExpr(None)
        for each in nodes_of(code.body)
        if isinstance(each, ReturnStmt)
    )


def _mentioned(nodes: Sequence[Node]) -> set[str]:
    return {each.name for each in walk(*nodes) if isinstance(each, NameExpr)}


def _mentioned_outside(program: Program, tests: dict[str, Code]) -> set[str]:
    """The variables that a module reads, or binds, elsewhere than in these tests and where it is run."""
    inside = _under_main(program).union(*(_numbers(each.body) for each in tests.values()))
    bodies = [each.body for each in program.codes] + [each.body for each in program.classes]
    nodes = walk(*(statement for body in bodies for statement in body))
    return {each.name for each in nodes if isinstance(each, NameExpr) and each.nid not in inside}


@lru_cache(maxsize=64)
def _under_main(program: Program) -> frozenset[int]:
    return frozenset(_numbers(main_blocks(program)))


def _numbers(nodes: Sequence[Node]) -> set[int]:
    return {number for each in walk(*nodes) if (number := number_of(each)) is not None}
