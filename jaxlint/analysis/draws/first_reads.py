"""What is first asked of an object that a call makes.

In: a function, and the number of a call in it. Out: the call that is certainly the first one to ask the
object for something, or to call it. It refuses to know what the object is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.mentions import read_by
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ComprehensionExpr,
    Expr,
    ForStmt,
    NameExpr,
    Stmt,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_in, number_of, plain, suites, walk


def first_read(
    code: Code, program: Program, number: int, in_loops: bool = False
) -> tuple[CallExpr | None, bool]:
    """The first call of what a call gives, or of a method of that, if there is certainly one; and whether
    nothing else reads it. in_loops: it may be in a loop, which need not have a turn."""
    for call in calls_in(*code.body):
        if number_of(_owner(call)) == number:
            return call, True
    blocks = (code.body, *(block for each in statements(code.body) for block in suites(each)))
    for block in blocks:
        for place, statement in enumerate(map(plain, block)):
            if isinstance(statement, AssignStmt) and number_of(statement.value) == number:
                target = statement.targets[0]
                if isinstance(target, NameExpr) and _is_own(target.name, code, program):
                    return _first_of(target.name, code, [*_followed(block[place + 1 :], in_loops)])
    return None, False


def _followed(rest: Sequence[Stmt], in_loops: bool) -> Iterator[Stmt]:
    for statement in map(plain, rest):
        yield statement
        if in_loops and isinstance(statement, ForStmt):
            yield from _followed(statement.body, in_loops)


def _owner(call: CallExpr) -> Expr:
    return call.func.value if isinstance(call.func, AttrExpr) else call.func


def _is_own(name: str, code: Code, program: Program) -> bool:
    """Whether a variable is bound once, to one value, and no function in there reads it."""
    bound = [targets for targets, _ in assignments(code.body) if name in variables(targets)]
    return len(bound) == 1 and len(bound[0]) == 1 and not any(name in each.free for each in program.codes)


def _first_of(name: str, code: Code, rest: Sequence[Stmt]) -> tuple[CallExpr | None, bool]:
    """The same of a variable; `rest`: what follows its assignment."""
    reads = [
        part.nid
        for each in statements(code.body)
        for part in walk(*read_by(each))
        if isinstance(part, NameExpr) and part.name == name
    ]
    for statement in rest:
        read = read_by(statement)
        again = [part for part in walk(*read) if isinstance(part, ComprehensionExpr)]
        calls = [call for call in calls_in(*read) if reads and number_of(_owner(call)) == min(reads)]
        if calls and not isinstance(statement, WhileStmt) and calls[0] not in calls_in(*again):
            return calls[0], len(reads) == 1
    return None, False
