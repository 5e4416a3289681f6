"""Objects that a function makes for one call, and that nothing reads after it.

In: a change that a trace makes to an object. Out: whether anyone can see it once the trace is over, as far as
the text of the function shows that made the object. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.analysis.function_context import FunctionContext, Mutation
from jaxlint.calling.reads_after import ReadsAfter
from jaxlint.domain.objects import Instance
from jaxlint.ir.nodes import AttrExpr, CallExpr, ComprehensionExpr, DefStmt, NameExpr, Node, SubscriptExpr
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import codes_in, number_of, walk


def is_left_unread(change: Mutation) -> bool:
    """Whether a change sets an attribute of an object that the function around all traces has made: it keeps
    the object in a variable alone, and reads that no more once the call is over that begins the trace."""
    owner = change.target
    if change.how != "attribute" or not isinstance(owner, Instance) or change.depth:
        return False
    begun = _begun(change.frame)
    return bool(begun) and all(_ends_with(maker, nid, owner) for maker, nid in begun)


def _begun(frame: FunctionContext) -> list[tuple[FunctionContext, int]]:
    """The functions outside of traces that lead to a function context, or the module's body, and their calls
    that do; none where others may lead there."""
    found: list[tuple[FunctionContext, int]] = []
    seen, stack = {frame}, [frame]
    while stack:
        for link in stack.pop().live_links():
            caller = link.parent
            if caller is None:
                return []
            if not caller.context.depth:
                found.append((caller, link.nid))
            elif caller not in seen:
                seen.add(caller)
                stack.append(caller)
    return found


def _ends_with(maker: FunctionContext, call: int, owner: Instance) -> bool:
    """Whether a function has made an object, or others like it, and lets nothing see them after a call."""
    func = maker.func
    if func is None:
        return False
    code, program = func.code, func.module.program
    names = [
        name
        for name, value in maker.env.vars.items()
        if isinstance(value, Instance) and value.cls is owner.cls and id(value) in maker.instances
    ]
    return bool(names) and all(
        isinstance(name, str) and name in code.bound and _is_last_read(code, program, call, name)
        for name in names
    )


def _is_last_read(code: Code, program: Program, call: int, name: str) -> bool:
    """Whether a call is the last thing that sees what a variable holds, which nothing else is handed."""
    flow = ReadsAfter(code, program, call, name)
    later = flow.after()
    if later is None:
        return False
    nodes = [*walk(*code.body)]
    within = {number_of(part) for node in nodes if number_of(node) == call for part in walk(node)}
    if any(isinstance(each, ComprehensionExpr) and _holds(each, call) for each in nodes):
        return False  # the next turn sees it
    bound = [seen for each, seen in flow.reads.items() if flow.names[each] == name]
    here = [seen for seen in bound if not within.isdisjoint(seen)] or bound
    read = {number for seen in here for number in seen}.union(later)
    fine = within | {number_of(each) for each in _owners(nodes)}
    for each in nodes:
        if isinstance(each, NameExpr) and each.name == name and each.nid in read:
            if each.nid in later or each.nid not in fine:
                return False
    return all(
        _is_for(each, code, program, call, nodes, within)
        for each in codes_in(code, program)
        if name in each.free
    )


def _is_for(
    inner: Code, code: Code, program: Program, call: int, nodes: list[Node], within: set[int | None]
) -> bool:
    """Whether a function inside of another one is called by nothing after a call."""
    if inner.is_lambda:
        return inner.nid in within
    is_own = any(isinstance(each, DefStmt) and program.codes[each.index] is inner for each in nodes)
    named = [each.nid for each in nodes if isinstance(each, NameExpr) and each.name == inner.name]
    is_handed = any(number not in within for number in named)
    return is_own and not is_handed and ReadsAfter(code, program, call, inner.name).after() == ()


def _holds(node: Node, number: int) -> bool:
    return any(number_of(each) == number for each in walk(node))


def _owners(nodes: list[Node]) -> Iterator[Node]:
    """Whatever an attribute or an item is read or set of; of methods, which may keep it, none."""
    called = {number_of(each.func) for each in nodes if isinstance(each, CallExpr)}
    for each in nodes:
        if isinstance(each, (AttrExpr, SubscriptExpr)) and each.nid not in called:
            yield each.value
