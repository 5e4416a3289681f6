"""Compiled functions that are made anew, or asked for by another key, where an attribute has another value.

In: the text of a program, the function that is compiled, an attribute that it reads, and where that is
written. Out: whether the text shows that JAX traces again after each of these writes. It refuses to know what
the values are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import Module
from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CompareExpr,
    Expr,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import calls_in, last_name, number_of, suites, walk

_JITS = frozenset("jit pmap filter_jit filter_pmap".split())


def is_made_anew(frame: FunctionContext, name: str, writes: Sequence[tuple[Module, int]]) -> bool:
    """Whether what is compiled, in which an attribute is read, is made anew for another value of it."""
    reader: FunctionContext | None = frame
    while reader is not None and reader.link is not None and not reader.link.transform:
        reader = reader.link.parent
    if reader is None or reader.func is None:
        return False
    code, codes = reader.func.code, _of_one_class(reader.module.program, reader.func.code)
    if _is_kept_under(codes, reader.module.program, code, name):
        return True
    return bool(writes) and all(_is_told(codes, name, module.program, nid) for module, nid in writes)


def _of_one_class(program: Program, code: Code) -> Sequence[Code]:
    """The functions of the class that a function is written in, or of the function at the top of the file."""
    outermost = code.qualname.partition(".")[0]
    return [each for each in program.codes if each.qualname.partition(".")[0] == outermost]


def _is_kept_under(codes: Sequence[Code], program: Program, code: Code, name: str) -> bool:
    """Whether what makes a function keeps it in a collection under a key that is made of an attribute of this
    name: where the attribute has another value, another function is kept."""
    for outer in codes:
        body = [*statements(outer.body)]
        for statement in body:
            if not isinstance(statement, AssignStmt):
                continue
            keys: list[Node] = [each.index for each in statement.targets if isinstance(each, SubscriptExpr)]
            if not keys or not _is_made_in(statement.value, code, outer, program):
                continue
            named = {each.name for key in keys for each in walk(key) if isinstance(each, NameExpr)}
            for each in body:
                if isinstance(each, AssignStmt) and not named.isdisjoint(map(last_name, each.targets)):
                    keys.append(each.value)
            called = {last_name(call.func) for call in calls_in(*keys)}
            keys += (part for each in codes if each.name in called for part in each.body)
            if any(isinstance(part, AttrExpr) and part.name == name for part in walk(*keys)):
                return True
    return False


def _is_made_in(value: Expr, code: Code, outer: Code, program: Program) -> bool:
    """Whether an expression of a function has another one: written there or before, or a method."""
    for part in walk(value):
        if isinstance(part, LambdaExpr) and program.codes[part.index] is code:
            return True
        if isinstance(part, AttrExpr) and code.in_class and part.name == code.name:
            return True
        if isinstance(part, NameExpr) and part.name == code.name:
            return code.qualname.startswith(f"{outer.qualname}.")
    return False


def _is_told(codes: Sequence[Code], name: str, writer: Program, nid: int) -> bool:
    """Whether what writes an attribute sets a flag, too, that is asked where the function is compiled, or
    counts up a number that is passed to what is compiled; or it is compiled again where the attribute is not
    what it was compiled for."""
    homes = (code for code in writer.codes if any(number_of(each) == nid for each in walk(*code.body)))
    home = next(homes, None)
    if home is None or home.name == "__init__":
        return False
    beside = [*_beside(home.body, nid)]
    flags = {each for statement in beside for each in _set_by(statement)} - {name}
    counters = flags & {
        statement.target.name
        for statement in beside
        if isinstance(statement, AugmentedStmt) and isinstance(statement.target, AttrExpr)
    }
    for code in codes:
        for call in calls_in(*code.body):
            given = (*call.args, *(each.value for each in call.keywords))
            if any(isinstance(each, AttrExpr) and each.name in counters for each in given):
                return True
        for statement in statements(code.body):
            if isinstance(statement, IfStmt) and _asks(statement.test, name, flags):
                if _compiles(statement.body, codes):
                    return True
    return False


def _beside(body: Sequence[Stmt], nid: int) -> Iterator[Stmt]:
    """The statements that run wherever a statement of this number does: it, and those of the blocks around
    it."""
    for statement in body:
        if any(number_of(each) == nid for each in walk(statement)):
            yield from body
            for block in suites(statement):
                yield from _beside(block, nid)


def _set_by(statement: Stmt) -> Iterator[str]:
    """The attributes that a statement sets."""
    targets: Sequence[Expr] = ()
    if isinstance(statement, AssignStmt):
        targets = statement.targets
    elif isinstance(statement, AugmentedStmt):
        targets = (statement.target,)
    for target in targets:
        yield from (part.name for part in parts(target) if isinstance(part, AttrExpr))


def _asks(test: Expr, name: str, flags: set[str]) -> bool:
    """Whether a test asks for a flag, or compares the attribute with another one."""
    read = {part.name for part in walk(test) if isinstance(part, AttrExpr)}
    is_compared = isinstance(test, CompareExpr) and name in read and len(read) > 1
    return is_compared or not read.isdisjoint(flags)


def _compiles(body: Sequence[Node], codes: Sequence[Code]) -> bool:
    """Whether a block compiles a function, or calls one of these functions that does."""
    called = {last_name(call.func) for call in calls_in(*body)}
    inner = (code for code in codes if code.name in called)
    return not called.isdisjoint(_JITS) or any(
        last_name(call.func) in _JITS for code in inner for call in calls_in(*code.body)
    )
