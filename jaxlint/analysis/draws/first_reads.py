"""What is first asked of an object that a call makes.

In: a function, and the number of a call in it. Out: the call that is certainly the first one to ask the
object for something, or to call it. It refuses to know what the object is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

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
    StarExpr,
    Stmt,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_in, calls_of, number_of, plain, suites, walk


def first_read(
    code: Code, program: Program, number: int, in_loops: bool = False
) -> tuple[CallExpr | None, bool]:
    """The first call of what a call gives, or of a method of that, if there is certainly one; and whether
    nothing else reads it. in_loops: it may be in a loop, which need not have a turn."""
    first, is_alone = first_reads(code, program, number, in_loops)
    return (first[0] if first else None), is_alone


def first_reads(
    code: Code, program: Program, number: int, in_loops: bool = False
) -> tuple[Sequence[CallExpr], bool]:
    """The first calls, one after another, of what a call gives, or of methods of that, as far as these are
    certainly the first to read it; and whether there is one that alone reads it."""
    for call in calls_of(code.body):
        if number_of(_owner(call)) == number:
            return (call,), True
    blocks = (code.body, *(block for each in statements(code.body) for block in suites(each)))
    for block in blocks:
        for place, statement in enumerate(map(plain, block)):
            name = _name_of(statement, number) if isinstance(statement, AssignStmt) else ""
            if name and _is_own(name, code, program):
                return _first_of(name, code, [*_followed(block[place + 1 :], in_loops)])
    return (), False


def _name_of(statement: AssignStmt, number: int) -> str:
    """The variable that an assignment binds to what a call gives, also as one of several."""
    target, value = statement.targets[0], statement.value
    pairs = [(target, value)]
    if isinstance(target, TupleExpr) and isinstance(value, TupleExpr):
        parts = (*target.items, *value.items)
        is_paired = len(target.items) == len(value.items) and not any(isinstance(e, StarExpr) for e in parts)
        pairs = [*zip(target.items, value.items, strict=True)] if is_paired else []
    return next((e.name for e, made in pairs if isinstance(e, NameExpr) and number_of(made) == number), "")


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


def _first_of(name: str, code: Code, rest: Sequence[Stmt]) -> tuple[Sequence[CallExpr], bool]:
    """The same of a variable; `rest`: what follows its assignment."""
    reads = sorted(
        part.nid
        for each in statements(code.body)
        for part in walk(*read_by(each))
        if isinstance(part, NameExpr) and part.name == name
    )
    found: dict[int, CallExpr] = {}
    for statement in rest:
        read = read_by(statement)
        again = {
            id(call) for part in walk(*read) if isinstance(part, ComprehensionExpr) for call in calls_in(part)
        }
        if not isinstance(statement, WhileStmt):
            found.update({number_of(_owner(e)) or 0: e for e in calls_in(*read) if id(e) not in again})
    first = [found[each] for each in takewhile(found.__contains__, reads)]
    return first, len(first) == len(reads) == 1
