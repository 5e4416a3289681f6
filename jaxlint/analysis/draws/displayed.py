"""Loops of notebooks that fit or evaluate something in each turn, of which the results are only shown.

In: a call in a loop that draws the same in each turn, and the code around. Out: whether it is given what the
loop goes through or changes, nothing of what it gives comes into its next turn, and all of that ends in what
is printed, logged or plotted, or in collections that do, and from which nothing makes one number. What a
function does that is called for its effect is not known: it is taken to show what it is given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jaxlint.analysis.compilation.recompilation import ADDS
from jaxlint.analysis.consumption import DERIVES
from jaxlint.analysis.draws.flows import Flow, Flows, Unit, flows_of, put_into
from jaxlint.analysis.draws.plotted import plotting
from jaxlint.analysis.draws.sweeps import POOLS
from jaxlint.analysis.draws.texts import given_to
from jaxlint.ir.loop_carried import Turns, assignments, parts, statements
from jaxlint.ir.loop_guards import mentions
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    Clause,
    ComprehensionExpr,
    ContinueStmt,
    DeleteStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    ListExpr,
    NameExpr,
    Node,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import names_from, variables
from jaxlint.ir.walks import calls_by_number, calls_in, children, last_name, number_of, walk


def is_displayed(program: Program, code: Code, number: int, loop: Turns) -> bool:
    """Whether each turn of a loop runs a function on something else, and what it gives is only shown."""
    flows = flows_of(code, program)
    flow, start = flows.of(number), flows.units.get(number)
    call = calls_by_number(code.body).get(number)
    if start is None or call is None or _leaves_key_unread(flows, loop):
        return False
    if _reads(flows, (call.func, *given_to(call)), flow.reads - {number}):
        return False  # it goes on with what it has given
    if isinstance(start.statement, ExprStmt) and start.statement.value is call and _is_of_given(flows, call):
        return False  # it may change what the caller goes on with
    if not _is_of_others(flows, flow, start, call, loop) or _is_pooled(flows, flow, start, call, loop):
        return False
    users = [*flow.users.values()]
    return all(_only_shows(flows, each) for each in users) and any(_ends(each) for each in users)


def is_given_new_key(number: int, loop: Turns) -> bool:
    """Whether a call in a loop is given a key that the loop makes in each turn."""
    call = calls_by_number(loop.body).get(number)
    made = [variables(targets) for targets, value in assignments(loop.body) if _is_new_key(value)]
    return call is not None and any(mentions(each, names) for each in given_to(call) for names in made)


def _is_new_key(value: Expr) -> bool:
    return isinstance(value, CallExpr) and last_name(value.func) in DERIVES


def _leaves_key_unread(flows: Flows, loop: Turns) -> bool:
    """Whether the loop makes a key for each turn that nothing reads: it gives another one by mistake."""
    for each in statements(loop.body):
        if isinstance(each, AssignStmt) and _is_new_key(each.value):
            bound = [part for target in each.targets for part in parts(target)]
            names = [each for each in bound if isinstance(each, NameExpr) and not each.name.startswith("_")]
            if any(flows.flow.readers(name.nid) == () for name in names):
                return True
    return False


def _reads(flows: Flows, nodes: Iterable[Node], reads: set[int]) -> bool:
    return any(number_of(each) in reads for each in flows.nodes(*nodes) if isinstance(each, NameExpr))


def _is_of_others(flows: Flows, flow: Flow, start: Unit, call: CallExpr, loop: Turns) -> bool:
    """Whether the call is given what the loop goes through or changes; or what it gives is computed with is
    made of what the loop goes through."""
    settings = set[str]() if loop.target is None else names_from(variables((loop.target,)), loop.body)
    changed = {name for targets, _ in assignments(loop.body) for name in variables(targets)} | settings
    changed -= {flows.flow.names[nid] for unit in flow.users.values() for nid in flows.bound_by(unit)}
    given = (call.func, *given_to(call))
    if any(mentions(each, changed) for each in given):
        return True
    inside = {id(each) for each in statements(loop.body)}
    settings &= changed
    return any(
        any(mentions(each, settings) for each in unit.value)
        for unit in flow.users.values()
        if unit is not start and isinstance(unit.statement, AssignStmt) and id(unit.statement) in inside
    )


def _only_shows(flows: Flows, unit: Unit) -> bool:
    """Whether a statement computes something, puts it into a collection, or shows it."""
    statement = unit.statement
    if isinstance(statement, ExprStmt):
        holder = put_into(unit)
        return _is_told(flows, statement.value) if holder is None else _is_own(flows, holder)
    if isinstance(statement, IfStmt):
        inner = (*statement.body, *statement.orelse)
        return all(isinstance(each, (ContinueStmt, ExprStmt, AssertStmt)) for each in inner)
    if isinstance(statement, (AssertStmt, DeleteStmt)):
        return True
    if not isinstance(statement, (AssignStmt, AnnotatedStmt, AugmentedStmt, ForStmt)):
        return False
    for part in (part for target in unit.targets for part in parts(target)):
        while isinstance(part, SubscriptExpr):
            part = part.value
        if not isinstance(part, NameExpr) or (part.nid not in flows.flow.names and not _is_own(flows, part)):
            return False
    names = [part for target in unit.targets for part in parts(target) if isinstance(part, NameExpr)]
    outer = flows.flow.code.global_names | flows.flow.code.nonlocal_names
    return outer.isdisjoint(each.name for each in names) and not _adds_up(flows, unit)


def _is_own(flows: Flows, holder: NameExpr) -> bool:
    """Whether a collection is made there, so that what reads it is known."""
    bindings = flows.flow.seen_by(holder.nid)
    if not bindings.isdisjoint(each.nid for each in flows.flow.code.params):
        return False
    return bool(bindings)


def _adds_up(flows: Flows, unit: Unit) -> bool:
    """Whether a variable is assigned what is computed of its own value: all but a collection."""
    read = {each for nid in flows.bound_by(unit) for each in flows.flow.readers(nid) or ()}
    return _reads(flows, unit.value, read) and not _collects(unit)


def _collects(unit: Unit) -> bool:
    """Whether a variable gets a collection that it had, and more."""
    names = variables(unit.targets)
    value = unit.value[0] if unit.value else None
    if isinstance(unit.statement, AugmentedStmt):
        return isinstance(unit.statement.value, ListExpr)
    if isinstance(value, BinaryExpr):
        return value.operator == "+" and any(isinstance(each, ListExpr) for each in (value.left, value.right))
    if not isinstance(value, CallExpr) or not mentions(value, names):
        return False
    if isinstance(value.func, AttrExpr) and value.func.name in ADDS:
        return mentions(value.func.value, names)
    first = value.args[0] if value.args else None
    return isinstance(first, (ListExpr, TupleExpr)) and any(
        isinstance(each, NameExpr) and each.name in names for each in first.items
    )


def is_told(flows: Flows, unit: Unit) -> bool:
    """Whether a statement tells something to a module, or to an object that nothing asks for anything."""
    value = unit.statement.value if isinstance(unit.statement, ExprStmt) else None
    is_method = isinstance(value, CallExpr) and isinstance(value.func, AttrExpr)
    return value is not None and is_method and put_into(unit) is None and _is_told(flows, value)


def _is_told(flows: Flows, value: Expr) -> bool:
    """Whether an expression whose value is dropped shows something: no call, a call of a function, or of a
    method of what nothing asks for anything."""
    if not isinstance(value, CallExpr):
        return True
    root = _owner_of(value)
    if root is None or root is value.func:
        return root is not None
    bindings = flows.flow.seen_by(root.nid)
    if root.name in plotting(flows.flow.code, flows.program):
        return True
    if not bindings:
        return root.name in flows.modules
    return all(nid in flows.imported or _is_only_told(flows, nid) for nid in bindings)


def _is_of_given(flows: Flows, call: CallExpr) -> bool:
    """Whether a call is a method of a parameter, as of `self`."""
    root = _owner_of(call)
    if root is None or root is call.func:
        return False
    return not flows.flow.seen_by(root.nid).isdisjoint(each.nid for each in flows.flow.code.params)


def _owner_of(call: CallExpr) -> NameExpr | None:
    """The variable of which a call is one, or one of a method."""
    root = call.func
    while isinstance(root, (AttrExpr, SubscriptExpr, CallExpr)):
        root = root.func if isinstance(root, CallExpr) else root.value
    return root if isinstance(root, NameExpr) else None


def _is_only_told(flows: Flows, binding: int) -> bool:
    """Whether an object is only told things: all that reads it are calls of its methods for their effect."""
    readers = flows.flow.readers(binding)
    units = [flows.units[each].statement for each in readers or () if each in flows.units]
    calls = [each.value for each in units if isinstance(each, ExprStmt) and isinstance(each.value, CallExpr)]
    owners = {owner.nid for owner in map(_owner_of, calls) if owner is not None}
    return readers is not None and owners.issuperset(readers)


def _ends(unit: Unit) -> bool:
    """Whether a statement is there to show what it reads."""
    return isinstance(unit.statement, (AssertStmt, ExprStmt)) and put_into(unit) is None


def _is_pooled(flows: Flows, flow: Flow, start: Unit, call: CallExpr, loop: Turns) -> bool:
    """Whether one number is made of what several turns give."""
    comprehensions = [each for each in walk(*start.value) if isinstance(each, ComprehensionExpr)]
    around = [each for each in comprehensions if any(clause.target is loop.target for clause in each.clauses)]
    around = [each for each in around if call in calls_in(each)]
    pools = [each for each in calls_in(*start.value) if last_name(each.func) in POOLS]
    if any(one in [*walk(each)] for each in pools for one in around):
        return True
    found: set[int] = set()
    stack = [unit for unit in flow.users.values() if put_into(unit) is not None or _collects(unit)]
    stack += [start] if around else []
    done: set[int] = set()
    while stack:
        unit = stack.pop()
        if id(unit) in done:
            continue
        done.add(id(unit))
        for read in flows.readers(unit):
            found.add(read)
            user = flows.units.get(read)
            if user is not None and isinstance(user.statement, AssignStmt) and _has_whole(user, read):
                stack.append(user)
    return any(
        last_name(each.func) in POOLS and any(map(found.__contains__, _wholes(each)))
        for unit in flow.users.values()
        for each in calls_in(*unit.value)
    )


def _has_whole(unit: Unit, read: int) -> bool:
    return read in {*_wholes_in(unit.value)}


def _wholes(call: CallExpr) -> Iterator[int]:
    """The reads of variables that a call is given, or is a method of, as they are."""
    owner = (call.func.value,) if isinstance(call.func, AttrExpr) else ()
    yield from _wholes_in((*owner, *given_to(call)))


def _wholes_in(nodes: Sequence[Node]) -> Iterator[int]:
    """The reads of variables in nodes, but for those of which items are taken one by one."""
    stack = [*nodes]
    while stack:
        node = stack.pop()
        if isinstance(node, NameExpr):
            yield node.nid
        elif isinstance(node, SubscriptExpr):
            stack.append(node.index)
        elif isinstance(node, ComprehensionExpr):
            stack += [part for part in (node.key, node.element) if part is not None]
        elif not isinstance(node, Clause):
            stack += children(node)
