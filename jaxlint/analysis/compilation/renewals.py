"""Compiled functions that are made anew, or asked for by another key, where an attribute has another value.

In: the text of a program, the function that is compiled, an attribute that it reads, and where that is
written. Out: whether the text shows that JAX traces again after each of these writes. It refuses to know what
the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.domain.objects import Module
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import same_place, statements
from jaxlint.ir.nodes import (
    NONE,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    CompareExpr,
    ConstExpr,
    Expr,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    Stmt,
    SubscriptExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import calls_in, calls_of, last_name, number_of, numbers_of, suites, walk

_JITS = frozenset("jit pmap filter_jit filter_pmap".split())
_ANY = "*"  # in place of the name of an attribute: any of them


def is_made_anew(frame: FunctionContext, name: str, writes: Sequence[tuple[Module, int]]) -> bool:
    """Whether what is compiled, in which an attribute is read, is made anew for another value of it."""
    reader: FunctionContext | None = frame
    while reader is not None and reader.link is not None and reader.link.transform not in _JITS:
        reader = reader.link.parent
    if reader is None or reader.func is None:
        return False
    code, codes = reader.func.code, _of_one_class(reader.module.program, reader.func.code)
    if _is_kept_under(codes, reader.module.program, code, name) or _is_made_static(codes, name):
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


def _is_made_static(codes: Sequence[Code], name: str) -> bool:
    """Whether an attribute that is made of this one, as its hash is, is a static argument of a compiled
    function; also where both are named by what is computed."""
    made: set[str] = set()
    for code in codes:
        for statement in statements(code.body):
            for target, value in _set_by(statement):
                if any(isinstance(part, AttrExpr) and part.name == name for part in walk(value)):
                    made.add(target.name)
        for call in calls_of(code.body):
            if last_name(call.func) == "setattr" and len(call.args) == 3:
                if any(last_name(each.func) == "getattr" for each in calls_in(call.args[2])):
                    made.add(_ANY)
    with_static = {each for code in codes for each in _with_static(code)}
    given = {
        part.name
        for code in codes
        for call in calls_of(code.body)
        if made and last_name(call.func) in with_static
        for part in (*call.args, *(each.value for each in call.keywords))
        if isinstance(part, AttrExpr)
    }
    return bool(given) if _ANY in made else not given.isdisjoint(made - {name})


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
    """Whether what writes an attribute sets a flag of the same object, too, that is asked where the function
    is compiled, or counts up a number that is a static argument of it, or gives a variable that is one
    another constant; or it is compiled again where the attribute is not what it was compiled for."""
    homes = (code for code in writer.codes if nid in numbers_of(code.body))
    home = next(homes, None)
    if home is None or home.name == "__init__":
        return False
    if _has_other_static(codes, home, nid):
        return True
    beside = [*_beside(home.body, nid)]
    own = [each for statement in beside for each in _set_by(statement) if each[0].name == name]
    flags = [
        (target, value)
        for statement in beside
        for target, value in _set_by(statement)
        if target.name != name and any(same_place(target.value, each.value) for each, _ in own)
    ]
    counters = {
        statement.target.name
        for statement in beside
        if isinstance(statement, AugmentedStmt) and isinstance(statement.target, AttrExpr)
    } - {name}
    with_static = {each for code in codes for each in _with_static(code)}
    for code in codes:
        for call in calls_of(code.body):
            given = (*call.args, *(each.value for each in call.keywords))
            if last_name(call.func) in with_static:
                if any(isinstance(each, AttrExpr) and each.name in counters for each in given):
                    return True
        for statement in statements(code.body):
            if isinstance(statement, IfStmt) and _asks(statement.test, name, flags):
                if _compiles(statement.body, codes):
                    return True
    return False


def _has_other_static(codes: Sequence[Code], home: Code, nid: int) -> bool:
    """Whether a test under which a statement of this number runs gives a variable another constant, which is
    handed to a compiled function of these as a static argument, also by a function that calls it."""
    changed: set[str] = set()
    for statement in _under_test(home.body, nid):
        for target, value in assigned((statement,)) if isinstance(statement, AssignStmt) else ():
            if isinstance(target, NameExpr) and isinstance(value, ConstExpr):
                others = [before for each, before in assigned(home.body) if same_place(each, target)]
                if any(before != value for before in others):
                    changed.add(target.name)
    return bool(changed) and any(_takes_static(codes, call, changed) for call in calls_of(home.body))


def _takes_static(codes: Sequence[Code], call: CallExpr, names: Collection[str], depth: int = 3) -> bool:
    """Whether a call hands a variable of these names to a static parameter."""
    for code in codes if depth else ():
        if code.name != last_name(call.func):
            continue
        static, params = {*_static_params(code)}, [each.name for each in code.params]
        own = params[1:] if code.in_class and isinstance(call.func, AttrExpr) else params
        given = [*zip(own, call.args, strict=False), *((each.name, each.value) for each in call.keywords)]
        handed = {name for name, arg in given if name and isinstance(arg, NameExpr) and arg.name in names}
        if not static.isdisjoint(handed):
            return True
        if handed and any(_takes_static(codes, each, handed, depth - 1) for each in calls_of(code.body)):
            return True
    return False


def _static_params(code: Code) -> Iterator[str]:
    """The parameters that a function takes as static arguments, by what it is decorated with."""
    for call in calls_in(*code.decorators):
        for keyword in call.keywords if _has_static(call) else ():
            for each in walk(keyword.value):
                which = each.value if isinstance(each, ConstExpr) else None
                if isinstance(which, str):
                    yield which
                elif type(which) is int and -len(code.params) <= which < len(code.params):
                    yield code.params[which].name


def _under_test(body: Sequence[Stmt], nid: int, is_tested: bool = False) -> Iterator[Stmt]:
    """The statements beside one of this number, and beside the blocks that it is in, under a test."""
    for statement in body:
        if any(number_of(each) == nid for each in walk(statement)):
            yield from body if is_tested else ()
            for block in suites(statement):
                yield from _under_test(block, nid, is_tested or isinstance(statement, IfStmt))


def _beside(body: Sequence[Stmt], nid: int) -> Iterator[Stmt]:
    """The statements that run wherever a statement of this number does: it, and those of the blocks around
    it."""
    for statement in body:
        if any(number_of(each) == nid for each in walk(statement)):
            yield from body
            for block in suites(statement):
                yield from _beside(block, nid)


def _set_by(statement: Stmt) -> Iterator[tuple[AttrExpr, Expr]]:
    """The attributes that a statement sets, or changes an item of, with the values."""
    if not isinstance(statement, (AssignStmt, AugmentedStmt)):
        return
    for target, value in assigned((statement,)):
        place = target.value if isinstance(target, SubscriptExpr) else target
        if isinstance(place, AttrExpr):
            yield place, value


def _with_static(code: Code) -> Iterator[str]:
    """What a function calls what it compiles with static arguments, and its own name where it is compiled
    so."""
    for target, value in assigned(code.body):
        if any(last_name(call.func) in _JITS and _has_static(call) for call in calls_in(value)):
            yield last_name(target)
    if any(_has_static(call) for call in calls_in(*code.decorators)):
        yield code.name


def _has_static(call: CallExpr) -> bool:
    return any((each.name or "").startswith("static_arg") for each in call.keywords)


def _asks(test: Expr, name: str, flags: Sequence[tuple[AttrExpr, Expr]]) -> bool:
    """Whether a test asks for a flag, and holds for what that is set to as far as it is written out; or
    compares the attribute with another one."""
    read = {part.name for part in walk(test) if isinstance(part, AttrExpr)}
    if isinstance(test, CompareExpr) and name in read and len(read) > 1:
        return True
    return any(target.name in read and _may_hold(test, value) for target, value in flags)


def _may_hold(test: Expr, value: Expr) -> bool:
    """Whether a test of a flag may hold where that is set to a value."""
    if isinstance(test, UnaryExpr) and test.operator == "not" and isinstance(test.operand, AttrExpr):
        return not (isinstance(value, ConstExpr) and value.value)
    if isinstance(test, AttrExpr):
        return not (isinstance(value, ConstExpr) and not value.value)
    if isinstance(test, CompareExpr) and test.rest == (("is", NONE),):
        return not isinstance(value, ConstExpr) or value == NONE
    return True


def _compiles(body: Sequence[Node], codes: Sequence[Code]) -> bool:
    """Whether a block compiles a function, or calls one of these functions that does."""
    called = {last_name(call.func) for call in calls_of(body)}
    inner = (code for code in codes if code.name in called)
    return not called.isdisjoint(_JITS) or any(
        last_name(call.func) in _JITS for code in inner for call in calls_of(code.body)
    )
