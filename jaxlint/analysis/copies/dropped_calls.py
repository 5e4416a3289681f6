"""Which calls of JAX that run functions leave nothing behind when their results are dropped.

In: a call of `jax.tree.map`, of a loop or a branch of `jax.lax`, or of what `vmap` gave, and the flow state
there. Out: yes or no. It refuses to know calls whose functions may do something else than to compute.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.copies.descriptions import is_description
from jaxlint.analysis.copies.pure_code import changes_leaves, computes, full_name, maps_purely, reads_time
from jaxlint.analysis.flow_state import FlowState
from jaxlint.ir.nodes import CallExpr, Expr, LambdaExpr, ListExpr, StarExpr, TupleExpr
from jaxlint.ir.replaced_fields import MAPS, PATH_MAPS
from jaxlint.ir.value_reads import is_place
from jaxlint.ir.walks import dotted, last_name, walk
from jaxlint.tables.jax_functions import FUNCTIONS

MAPPED = "$vmap"  # what is called was given by `vmap`
_OF_LAX = frozenset(
    f"jax.lax.{name}"
    for name in ("associative_scan", "cond", "fori_loop", "map", "scan", "switch", "while_loop")
)
_OPERANDS = ("init_val", "init", "xs", "operands", "operand", "elems")  # and what they compute with
_FUNCTION = ("f", "fn", "branches")  # what the parameters of these are called that are functions


def changes_nothing(node: CallExpr, name: str, flow: FlowState) -> bool:
    """Whether all that a call of this function of JAX does is to compute its result."""
    if name in MAPS | PATH_MAPS:
        return maps_purely(node, flow.module.program) or _compute(node.args[:1], node, flow, False)
    if name not in _OF_LAX and name != MAPPED:
        return False
    if is_timed(flow) or not _is_of_place(node, name):
        return False
    if name != MAPPED:
        run = _run(node, name)
    elif isinstance(node.func, CallExpr):
        run = [*node.func.args[:1]]
    else:
        return flow.context.staged and _computes(node, flow, None, True)
    return bool(run) and _compute(run, node, flow, True)


def _is_of_place(node: CallExpr, name: str) -> bool:
    """Whether something that it computes with goes on to be there, so that it may be meant to be changed."""
    given: list[Expr] = [*node.args, *(each.value for each in node.keywords)]
    if name != MAPPED:
        names = [each.lstrip("*") for each in FUNCTIONS[name][2] if each != "*"]
        first = next(place for place, each in enumerate(names) if each in _OPERANDS)
        given = [*node.args[first:], *(each.value for each in node.keywords if each.name in _OPERANDS)]
    parts = [part for each in given for part in (each.items if isinstance(each, TupleExpr) else (each,))]
    return any(map(is_place, parts))


def is_timed(flow: FlowState) -> bool:
    """Whether a call may be there to be compiled before others are timed, or for its own time."""
    return not flow.context.staged and reads_time(flow.module.program)


def _run(node: CallExpr, name: str) -> list[Expr]:
    """The functions that a loop or a branch is given."""
    found: list[Expr] = []
    for place, param in enumerate(each for each in FUNCTIONS[name][2] if each != "*"):
        if param not in _FUNCTION and not param.endswith("_fun"):
            continue
        given = [each.value for each in node.keywords if each.name == param]
        given += node.args[place : place + 1]
        if len(given) != 1 or any(isinstance(each, StarExpr) for each in node.args[: place + 1]):
            return []
        (each,) = given
        found += each.items if isinstance(each, (ListExpr, TupleExpr)) else given
    return found


def _compute(run: Iterable[Expr], node: CallExpr, flow: FlowState, is_any: bool) -> bool:
    """Whether these functions, which a call was given, only compute: lambdas, functions of JAX and what was
    run there under the name that is written, also as part of a `partial`. is_any: also if one gives what it
    is given."""
    here = flow.module.program
    for mapped in run:
        if isinstance(mapped, CallExpr) and last_name(mapped.func) == "partial" and mapped.args:
            mapped, *given = mapped.args
            if any(isinstance(each, CallExpr) for each in walk(*given)):
                return False
        if isinstance(mapped, LambdaExpr):
            is_pure = changes_leaves(here.codes[mapped.index], here, (), is_any)
        else:
            name = dotted(mapped)
            is_pure = computes(name) and not is_description(name, full_name)
            is_pure = is_pure or _computes(node, flow, last_name(mapped), is_any)
        if not is_pure:
            return False
    return True


def _computes(node: CallExpr, flow: FlowState, name: str | None, is_any: bool) -> bool:
    """Whether what was run at a call, under this name if it is given, only computes."""
    frame = flow.frame
    codes = [code for code, site in frame.sites if site == node.nid and name in (None, code.name)]
    homes = {each.func.code: each.module.program for each in frame.callees if each.func}
    here = flow.module.program
    return bool(codes) and all(changes_leaves(code, homes.get(code, here), (), is_any) for code in codes)
