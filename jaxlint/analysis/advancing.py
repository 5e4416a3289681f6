"""What a loop runs to take its next item: a generator between two `yield`, `__next__`, the function of `map`.

In: what a loop goes through, as it is written, and the function contexts that were analyzed for it. Out: what
these write is written again. Of generators in other places than the loop nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.ir.loop_carried import assignments, statements
from jaxlint.ir.nodes import CallExpr, Expr, ForStmt, NameExpr, WhileStmt, YieldExpr
from jaxlint.ir.program import Code
from jaxlint.ir.walks import last_name, nodes_of, number_of

# functions whose result takes items of what they are given only when it is asked for one
_LAZY = frozenset("enumerate iter islice tqdm trange zip".split())
_RUNNING = frozenset("map filter starmap takewhile".split())  # and runs a function for each


def advance(staleness: TraceStaleness, frame: FunctionContext, iterable: Expr, nid: int) -> None:
    """A loop at the node `nid` takes another item of what it goes through."""
    written = [each for each in frame.callees if each.affected is not None and each.affected.written]
    if frame.context.staged or not written:
        return
    calls = [*_run_lazily(iterable, frame.code)]
    running = {call.nid for call in calls if last_name(call.func) in _RUNNING}
    numbers = {nid, *(call.nid for call in calls)}
    for each in written:
        found = {link.nid for link in each.links if link.parent is frame} & numbers
        if not found or each.func is None or each.affected is None:
            continue
        code = each.func.code
        if code.is_generator:
            keys = _written_between(each, code)
        elif found & running or (nid in found and code.name == "__next__"):
            keys = {*each.affected.written}
        else:
            continue
        if not keys:
            continue
        for made in each.affected.made:
            staleness.trace_cache.make(made, staleness.index)
        for key, write in each.affected.written.items():
            if key in keys:
                renewed = each.affected.made_with.get(key, ())
                staleness.trace_cache.write(key, write, staleness.index, renewed)


def _run_lazily(node: Expr, code: Code, seen: frozenset[str] = frozenset()) -> Iterator[CallExpr]:
    """The calls that give what a loop takes its items from, one by one. `seen`: the variables that were
    followed to this."""
    if isinstance(node, NameExpr) and node.name not in seen:
        bound = [
            value
            for targets, value in assignments(code.body)
            if any(isinstance(each, NameExpr) and each.name == node.name for each in targets)
        ]
        if len(bound) == 1 and isinstance(bound[0], CallExpr):
            yield from _run_lazily(bound[0], code, seen | {node.name})
    if isinstance(node, CallExpr):
        yield node
        if last_name(node.func) in _LAZY | _RUNNING:
            for each in node.args:
                yield from _run_lazily(each, code, seen)


def _written_between(context: FunctionContext, code: Code) -> set[object]:
    """What a generator writes in the loops in which it gives its items."""
    numbers, effects = _in_loops(code), context.affected
    if effects is None:
        return set()
    found: set[object] = {
        key
        for key, write in effects.written.items()
        if write.module is context.module and write.nid in numbers
    }
    for each in context.callees:
        if each.affected is not None and any(
            link.parent is context and link.nid in numbers for link in each.links
        ):
            found |= each.affected.written.keys() & effects.written.keys()
    return found


@lru_cache(maxsize=512)
def _in_loops(code: Code) -> frozenset[int]:
    """The numbers of what is in the loops of a generator that give items."""
    loops = [each for each in statements(code.body) if isinstance(each, (ForStmt, WhileStmt))]
    inner = [nodes_of(each.body) for each in loops]
    giving = [nodes for nodes in inner if any(isinstance(each, YieldExpr) for each in nodes)]
    return frozenset(
        [number for nodes in giving for each in nodes if (number := number_of(each)) is not None]
    )
