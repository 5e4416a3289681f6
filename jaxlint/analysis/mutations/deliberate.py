"""Changes of Python's state in traced code that are meant, as far as the text shows.

In: a change, and the text of its module. Out: whether it counts traces for tests and asserts, fills scratch
that every function writes before it reads it, is made once for each of the things that a collection
remembers, or makes again what the module made. It refuses to know what the values are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.domain.join import MutableContainer
from jaxlint.domain.values import Product
from jaxlint.ir.constant_attributes import is_alike
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.mentions import is_local_to
from jaxlint.ir.nodes import (
    TRUE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ClassStmt,
    CompareExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ExprStmt,
    IfStmt,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TryStmt,
    UnaryExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, last_name, number_of, numbers_of, suites, walk

_KEPT = 64  # functions of which is kept what their text says
# decorators that keep what a function gives
_KEEPS = re.compile(r"_*(lru_)?(cache|memo|lazy)", re.IGNORECASE)
# names that say that traces are counted: `n_traces`, `compile_count`, `retraced`
_COUNTS = re.compile(r"(^|_)(num|n)?_?(re)?(trac(e|es|ed|ing|ings)|compil[a-z]*)(_|$)", re.IGNORECASE)


def is_meant(change: Mutation) -> bool:
    """Whether the text says in some way that a change is meant to happen once for each trace, or that its
    happening so is never seen."""
    ways = counts_traces, adds_alike, is_own, is_scratch, is_done_once, makes_again, is_kept_for
    return any(is_of_this_way(change) for is_of_this_way in ways)


def counts_traces(change: Mutation) -> bool:
    """Whether `n += 1` or `traces.append(...)` counts traces by its name, or counts for asserts and tests
    alone: no other code reads what it is called."""
    func = change.frame.func
    counter = None if func is None else _counted(func.code, change.nid)
    if func is None or counter is None:
        return False
    if any(map(_COUNTS.search, _texts_of(counter))):
        return True
    return _is_only_asserted(func.module.program, _name(counter))


@lru_cache(maxsize=_KEPT)
def _is_only_asserted(program: Program, name: str) -> bool:
    """Whether asserts and tests alone, one at least, read what has this name in a file."""
    asserted = False
    for code in program.codes:
        is_test = code.name.startswith("test")
        for statement in statements(code.body):
            appended = _appended(statement)
            is_read = any(_reads(part, name) for part in _parts(statement, name))
            if not is_read or (appended is not None and _name(appended) == name):
                continue
            if not is_test and not _asserts(statement):
                return False
            asserted = True
    return asserted


def _counted(code: Code, nid: int) -> Expr | None:
    """The counter to which a function adds one, or the list to which it appends, at a place."""
    found: list[Expr | None] = []
    for each in statements(code.body):
        if isinstance(each, AugmentedStmt) and _is_at(each, nid):
            found.append(each.target if each.operator == "+" and each.value == ConstExpr(1) else None)
        elif isinstance(each, ExprStmt) and nid in (each.nid, number_of(each.value)):
            found.append(_appended(each))
        elif _is_at(each, nid):
            found.append(None)
    return found[0] if len(found) == 1 else None


def _texts_of(node: Expr) -> Iterator[str]:
    """The names and the texts of which an expression is written."""
    for part in walk(node):
        if isinstance(part, (NameExpr, AttrExpr)):
            yield part.name
        elif isinstance(part, ConstExpr) and isinstance(part.value, str):
            yield part.value


def _appended(statement: Stmt) -> Expr | None:
    """The list that a statement appends to."""
    call = statement.value if isinstance(statement, ExprStmt) else None
    if not isinstance(call, CallExpr) or not isinstance(call.func, AttrExpr) or call.func.name != "append":
        return None
    return call.func.value


def _asserts(statement: Stmt) -> bool:
    """Whether a statement is an assert, `if ...: raise ...`, or a call of a function such as
    `np.testing.assert_equal`."""
    if isinstance(statement, IfStmt):
        return not statement.orelse and all(isinstance(each, RaiseStmt) for each in statement.body)
    call = statement.value if isinstance(statement, ExprStmt) else None
    named = isinstance(call, CallExpr) and last_name(call.func).startswith("assert")
    return named or isinstance(statement, AssertStmt)


def adds_alike(change: Mutation) -> bool:
    """Whether something is added to a set, where once for each trace leaves what once for each call would; or
    the structure of a pytree is kept, of which a trace has one."""
    target = change.target
    if isinstance(change.new, Product) and change.new.kind == "treedef":
        return True
    return change.how == "append" and isinstance(target, MutableContainer) and target.kind == "set"


def is_own(change: Mutation) -> bool:
    """Whether a variable of the module is used by one function as if it were its own."""
    func = change.frame.func
    return (
        func is not None
        and change.how == "global"
        and is_local_to(change.name, func.code, func.module.program)
    )


def is_scratch(change: Mutation) -> bool:
    """Whether a list or dict of the function around is filled by each function that reads it, item by
    item and before it is read, so that what a trace leaves in it is never seen."""
    func = change.frame.func
    if func is None or change.how != "item":
        return False
    written = [each for each in statements(func.code.body) if _is_at(each, change.nid)]
    targets = [target for each in written if isinstance(each, AssignStmt) for target in each.targets]
    owners = [target.value for target in targets if isinstance(target, SubscriptExpr)]
    names = {owner.name for owner in owners if isinstance(owner, NameExpr)}
    if len(names) != 1:
        return False
    name = names.pop()
    env = func.env
    while env.code is not None and name not in env.code.bound and env.parent is not None:
        env = env.parent
    maker = env.code
    if maker is None or env.parent is None or name not in maker.bound or name in func.code.bound:
        return False
    program = func.module.program
    inner = [each for each in program.codes if name in each.free and _is_below(each, maker)]
    items = [item for each in inner for item in _stored(each.body, name)]
    return not _loads(maker, name, program) and all(_fills(each, name, items) for each in inner)


def is_done_once(change: Mutation) -> bool:
    """Whether a change is made once for each thing: where it is not yet in a collection, to which it is added
    beside the change. Or once, where a flag is not set that is set beside the change."""
    func = change.frame.func
    body: Sequence[Stmt] = () if func is None else func.code.body
    for test, answer, block in _chosen(body):
        is_not = isinstance(test, UnaryExpr) and test.operator == "not"
        flag = test.operand if isinstance(test, UnaryExpr) else test
        if answer is is_not and any(_sets(each, flag) for each in statements(block)):
            if change.nid in numbers_of(block):
                return True
    for statement in statements(body):
        if not isinstance(statement, IfStmt) or not isinstance(statement.test, CompareExpr):
            continue
        if len(statement.test.rest) == 1:
            thing, ((operator, seen),) = statement.test.left, statement.test.rest
            block = statement.body if operator == "not in" else statement.orelse if operator == "in" else ()
            if any(_adds(each, seen, thing) for each in block) and change.nid in numbers_of(block):
                return True
    return False


def is_kept_for(change: Mutation) -> bool:
    """Whether a change is made where a test has compared what is kept with what is asked for, as a table that
    grows with the largest size so far. What only counts on from what is kept is not made for anything."""
    func = change.frame.func
    if func is None or change.how != "attribute":
        return False
    written = [each for each in statements(func.code.body) if _is_at(each, change.nid)]
    counted: list[Expr] = []
    for each in written:
        if isinstance(each, AugmentedStmt):
            return False
        if isinstance(each, AssignStmt):
            own = any(is_alike(part, target) for target in each.targets for part in walk(each.value))
            counted += (each.value,) * own
    return any(
        change.nid in numbers_of(block)
        and any(_compares(test, _name(target)) for target in _stored_in(block))
        and all(_shares_name(test, value) for value in counted)
        for test, _, block in _chosen(func.code.body)
    )


def _shares_name(test: Expr, value: Expr) -> bool:
    """Whether a value is made of a variable that a test is of, beside an attribute of one."""
    owners = {id(each.value) for each in walk(test, value) if isinstance(each, AttrExpr)}
    one, other = (
        {each.name for each in walk(node) if isinstance(each, NameExpr) and id(each) not in owners}
        for node in (test, value)
    )
    return not one.isdisjoint(other)


def _chosen(body: Sequence[Stmt]) -> Iterator[tuple[Expr, bool, Sequence[Stmt]]]:
    """Tests, each with an answer and the statements that are run then alone: a block, or what follows where
    the block leaves."""
    for position, statement in enumerate(body):
        if isinstance(statement, IfStmt):
            yield statement.test, True, statement.body
            if statement.body and isinstance(statement.body[-1], ReturnStmt):
                yield statement.test, False, (*statement.orelse, *body[position + 1 :])
        for block in suites(statement):
            yield from _chosen(block)


def _stored_in(block: Sequence[Stmt]) -> Iterator[Expr]:
    for each in block:
        if isinstance(each, AssignStmt):
            yield from (target for target in each.targets if isinstance(target, AttrExpr))


def _compares(test: Expr, name: str) -> bool:
    """Whether a test, or a part of it, compares an attribute of this name, or its size, with something."""
    return any(isinstance(each, CompareExpr) and _asks(each, name) for each in walk(test))


def _asks(node: Node, name: str) -> bool:
    """Whether an expression reads an attribute of this name."""
    return any(isinstance(each, AttrExpr) and each.name == name for each in walk(node))


def fills_once(change: Mutation) -> bool:
    """Whether a change is made where a test has shown that it is not there yet."""
    func = change.frame.func
    if not change.memo or func is None:
        return False
    if change.how != "item":
        return True
    body = list(statements(func.code.body))
    written = [each for each in body if _is_at(each, change.nid)]
    targets = [target for each in written if isinstance(each, AssignStmt) for target in each.targets]
    names = {_name(target) for target in targets}
    for each in body:
        if isinstance(each, AssignStmt) and any(_reads(each.value, name) for name in names):
            names = names.union(_name(target) for target in each.targets if isinstance(target, NameExpr))
    asked: list[Node] = [each.test for each in body if isinstance(each, IfStmt)]
    for each in body:
        asked += each.body if isinstance(each, TryStmt) else ()
    return any(_reads(part, name) for part in asked for name in names)


def is_memoised(code: Code) -> bool:
    """Whether a decorator keeps what a function gives, by its name."""
    names = (last_name(each.func if isinstance(each, CallExpr) else each) for each in code.decorators)
    return any(map(_KEEPS.match, names))


def computed_attributes(code: Code, nid: int) -> set[str]:
    """The attributes in which a function keeps what a place is a part of computing."""
    return {target.name for target in _kept(code, nid) if isinstance(target, AttrExpr)}


def keeps(code: Code, nid: int) -> bool:
    """Whether a function keeps what a place is a part of computing."""
    return any(True for _ in _kept(code, nid))


def _kept(code: Code, nid: int) -> Iterator[Expr]:
    """The attributes, the variables of the module and the items of these in which a function keeps something
    where it has looked whether that is there, and which what happens at a place is a part of computing."""
    if not _keeps_anything(code):
        return
    asked: list[Node] = []
    for each in statements(code.body):
        if isinstance(each, IfStmt) and each.nid < nid:
            asked.append(each.test)
        elif isinstance(each, TryStmt) and any(nid in numbers_of(handler.body) for handler in each.handlers):
            asked += each.body
        elif isinstance(each, AssignStmt) and (
            each.nid > nid or any(number_of(part) == nid for part in walk(each))
        ):
            yield from (target for target, owner in _lasting(each, code) if _is_looked_for(owner, asked))
        if isinstance(each, AssignStmt) and each.nid < nid and len(each.targets) == 1:
            # `v = self.kept.get(name)`, and then `if v is None`
            bound = _name(each.targets[0])
            asked += [each.value] if bound in _tested(code) else []


def is_kept_by_callers(frame: FunctionContext, nid: int, staleness: TraceStaleness) -> bool:
    """Whether functions that have run outside of traces first keep what is computed at a place, or functools
    does for them: the function itself, or one on each way that leads to it."""
    seen, pending = {(frame, nid)}, [(frame, nid)]
    while pending:
        each, place = pending.pop()
        if each.func is None:
            return False
        if staleness.is_given_again(each) or (
            keeps(each.func.code, place) and staleness.has_run_first(each.func)
        ):
            continue
        links = [link for link in each.links if link.parent is not each]
        if not links or any(link.transform or link.parent is None for link in links):
            return False
        places = {(link.parent, link.nid) for link in links if link.parent is not None}
        pending += places - seen
        seen |= places
    return True


def _lasting(statement: AssignStmt, code: Code) -> Iterator[tuple[Expr, AttrExpr | NameExpr]]:
    """The targets of a statement that outlast the call, with what they are or are items of."""
    for target in statement.targets:
        owner = target
        while isinstance(owner, SubscriptExpr):
            owner = owner.value
        if isinstance(owner, AttrExpr) or (isinstance(owner, NameExpr) and _is_outer(owner.name, code)):
            yield target, owner


def _is_outer(name: str, code: Code) -> bool:
    return name in code.global_names or name not in code.bound


def _is_looked_for(owner: AttrExpr | NameExpr, asked: Iterable[Node]) -> bool:
    """Whether one of these reads such an attribute or the variable, or asks for it by its name."""
    kind, name = type(owner), owner.name
    parts = walk(*asked)
    return any(each == ConstExpr(name) or (isinstance(each, kind) and each.name == name) for each in parts)


@lru_cache(maxsize=_KEPT)
def _keeps_anything(code: Code) -> bool:
    stored = (each for each in statements(code.body) if isinstance(each, AssignStmt))
    return any(True for each in stored for _ in _lasting(each, code))


@lru_cache(maxsize=_KEPT)
def _tested(code: Code) -> frozenset[str]:
    """The variables and attributes that the tests of a function read."""
    tests = [each.test for each in statements(code.body) if isinstance(each, IfStmt)]
    return frozenset([part.name for part in walk(*tests) if isinstance(part, (NameExpr, AttrExpr))])


def makes_again(change: Mutation) -> bool:
    """Whether a variable of the module is given once more what the module gives it, by the same call."""
    func = change.frame.func
    if func is None:
        return False
    names = func.code.global_names
    for statement in statements(func.code.body):
        if not isinstance(statement, AssignStmt) or not _is_at(statement, change.nid):
            continue
        if isinstance(statement.value, CallExpr):
            target, value = statement.targets[0], statement.value
            if len(statement.targets) > 1 or not isinstance(target, NameExpr) or target.name not in names:
                return False
            given = [
                each.value
                for each in statements(func.module.program.body.body)
                if isinstance(each, AssignStmt) and any(_name(one) == target.name for one in each.targets)
            ]
            local = func.code.bound.union(func.code.free) - names
            return any(is_alike(each, value) for each in given) and not any(
                mentions(value, (name,)) and _is_local(func.code, name, func.module.program) for name in local
            )
    return False


def _is_local(code: Code, name: str, program: Program) -> bool:
    """Whether a name is one of the function's, or of a function around it."""
    return name in code.bound or any(
        name in each.bound for each in program.codes[1:] if _is_below(code, each)
    )


def _sets(statement: Stmt, flag: Expr) -> bool:
    return (
        isinstance(statement, AssignStmt)
        and statement.value == TRUE
        and any(is_alike(target, flag) for target in statement.targets)
    )


def _adds(statement: Stmt, collection: Expr, thing: Expr) -> bool:
    """Whether a statement puts a thing into a collection."""
    if isinstance(statement, AssignStmt):
        return any(
            isinstance(target, SubscriptExpr)
            and is_alike(target.value, collection)
            and is_alike(target.index, thing)
            for target in statement.targets
        )
    call = statement.value if isinstance(statement, (ExprStmt, ReturnStmt, AnnotatedStmt)) else None
    if not isinstance(call, CallExpr) or not isinstance(call.func, AttrExpr):
        return False
    added = call.func.name in ("add", "append") and len(call.args) == 1
    return added and is_alike(call.func.value, collection) and is_alike(call.args[0], thing)


def _is_at(statement: Stmt, nid: int) -> bool:
    if not isinstance(statement, (AssignStmt, AugmentedStmt)):
        return False
    return statement.nid == nid or any(number_of(each) == nid for each in _targets(statement))


def _targets(statement: AssignStmt | AnnotatedStmt | AugmentedStmt) -> tuple[Expr, ...]:
    return statement.targets if isinstance(statement, AssignStmt) else (statement.target,)


def _is_below(code: Code, maker: Code) -> bool:
    return code.qualname.startswith(f"{maker.qualname}.")


def _stored(body: Iterable[Stmt], name: str) -> Iterator[Expr]:
    """The items that statements of the body itself store."""
    for statement in body:
        for target in statement.targets if isinstance(statement, AssignStmt) else ():
            if isinstance(target, SubscriptExpr) and isinstance(target.value, NameExpr):
                if target.value.name == name:
                    yield target.index


def _fills(code: Code, name: str, items: Sequence[Expr]) -> bool:
    """Whether a body stores all of these items before anything else of it mentions the container."""
    missing = list(items)
    for statement in code.body:
        if missing and mentions(statement, (name,)):
            stored = list(_stored((statement,), name))
            if not stored or not isinstance(statement, AssignStmt) or mentions(statement.value, (name,)):
                return False
            missing = [each for each in missing if not any(is_alike(each, item) for item in stored)]
    return not missing


def _loads(maker: Code, name: str, program: Program) -> bool:
    """Whether the function that makes a container reads it, or hands it to anyone."""
    for statement in statements(maker.body):
        if isinstance(statement, (DefStmt, ClassStmt)):
            continue
        if any(mentions(part, (name,)) for part in _parts(statement, name)):
            return True
    return any(
        mentions(statement, (name,))
        for each in program.classes
        if each.qualname.startswith(f"{maker.qualname}.")
        for statement in each.body
    )


def _parts(statement: Stmt, name: str) -> Iterator[Node]:
    """What a statement evaluates: all but the places where it stores, and but its blocks."""
    if isinstance(statement, (AssignStmt, AnnotatedStmt, AugmentedStmt)):
        targets = _targets(statement)
        for target in targets:
            if _name(target) != name:
                yield target
            elif isinstance(target, SubscriptExpr):
                yield target.index
        if not isinstance(statement, AugmentedStmt) or _name(statement.target) != name:
            yield from (each for each in children(statement) if not any(each is one for one in targets))
    elif not isinstance(statement, TryStmt):
        yield from (each for each in children(statement) if not isinstance(each, Stmt))


def _name(target: Expr) -> str:
    """The variable or the attribute that a target is, or is an item of."""
    while isinstance(target, SubscriptExpr):
        target = target.value
    return last_name(target)


def _reads(node: Node, name: str) -> bool:
    """Whether an expression reads a variable or an attribute of this name."""
    return any(isinstance(each, (NameExpr, AttrExpr)) and each.name == name for each in walk(node))
