"""Functions that callers hand to a function which compiles what calls them.

In: the call sites of a function, and its parameters that hold such functions. Out: whether a loop hands it
the same ones in each turn. It refuses to know what is compiled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from jaxlint.ir.loop_carried import Turns
from jaxlint.ir.loop_guards import bound_by, mentions
from jaxlint.ir.nodes import (
    AttrExpr,
    BreakStmt,
    ComprehensionExpr,
    DefStmt,
    Expr,
    ForStmt,
    NameExpr,
    ReturnStmt,
    Stmt,
    TryStmt,
    WhileStmt,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import Sites, given_in, is_in_test, names_from, shapes_program, variables
from jaxlint.ir.walks import calls_by_number, has_call, nodes_of


def are_alike(
    sites: Sites, programs: Mapping[Code, Program], code: Code, names: Collection[str],
    seen: frozenset[Code] = frozenset(),
) -> bool:  # fmt: skip
    """Whether a loop calls a function, itself or by callers that hand on what they are given, and each turn
    gives these parameters what the turn before did, and no array of another shape."""
    if code in seen:
        return False
    for (path, nid), site in sites.get(code, {}).items():
        home = site.home
        call = calls_by_number(home.body).get(nid)
        program = programs.get(home)
        if call is None or program is None or is_in_test(path, site.caller):
            continue
        given = [given_in(call, code, name) for name in names]
        roots = {_root(each) for each in given}
        params = {each.name for each in home.params}
        if "" in roots or (isinstance(call.func, NameExpr) and call.func.name in params):
            continue
        loop = _loop_around(home.body, nid)
        if loop is None:
            local = {*bound_by(Turns(None, home.body)), *_defined(home.body, program)}
            if site.caller is not None and not local & roots:
                if are_alike(sites, programs, home, roots & params, seen | {code}):
                    return True
            continue
        targets, body = loop
        bound = {*variables(targets), *bound_by(Turns(None, body)), *_defined(body, program)}
        is_other = any(mentions(each, bound) for each in given if each is not None)
        if is_other or not site.looped or _is_left(body):
            continue
        shaping = names_from(shapes_program(home, names_from(variables(targets), body), program), body)
        if not any(mentions(each, shaping) for each in (*call.args, *(key.value for key in call.keywords))):
            return True
    return False


def _root(node: Expr | None) -> str:
    """The variable that an expression is, or is an attribute of; empty for anything else."""
    while isinstance(node, AttrExpr):
        node = node.value
    return node.name if isinstance(node, NameExpr) else ""


def _loop_around(body: Sequence[Stmt], nid: int) -> tuple[Sequence[Expr], Sequence[Stmt]] | None:
    """What the innermost loop or comprehension around a call binds itself, and the statements in it."""
    found: tuple[Sequence[Expr], Sequence[Stmt]] | None = None
    for part in nodes_of(body):
        if isinstance(part, (ForStmt, WhileStmt)) and has_call(part.body, nid):
            found = (part.target,) if isinstance(part, ForStmt) else (), part.body
        elif isinstance(part, ComprehensionExpr) and has_call((part,), nid):
            found = [clause.target for clause in part.clauses], ()
    return found


def _defined(body: Sequence[Stmt], program: Program) -> Iterator[str]:
    """The functions that are defined in a body."""
    return (program.codes[each.index].name for each in nodes_of(body) if isinstance(each, DefStmt))


def _is_left(body: Sequence[Stmt]) -> bool:
    """Whether the first turn of a loop is the last one."""
    return any(
        isinstance(each, (BreakStmt, ReturnStmt))
        or (isinstance(each, (TryStmt, WithStmt)) and _is_left(each.body))
        or (isinstance(each, TryStmt) and _is_left(each.orelse))
        for each in body
    )
