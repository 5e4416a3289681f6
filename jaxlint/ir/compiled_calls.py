"""What a function does with a function that it compiles, as far as the text says.

In: the body of a function, and the number of a call in it that compiles something, or runs what was compiled.
Out: whose method is compiled, and whether what comes of it is only waited for or checked. It refuses to know
what the values are.
"""

from __future__ import annotations

from collections.abc import Sequence

from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    CallExpr,
    ConditionalExpr,
    ExprStmt,
    NameExpr,
    Node,
    Stmt,
)
from jaxlint.ir.program import Code
from jaxlint.ir.repetition import assignments, calls_in, names_from, variables
from jaxlint.ir.walks import last_name, number_of, suites, walk


def owner_of(body: Sequence[Stmt], nid: int) -> str:
    """The variable whose method a call transforms, as `env` in `jit(vmap(env.reset))`; empty without one."""
    call = next((each for each in calls_in(*body) if each.nid == nid), None)
    while isinstance(call, CallExpr) and call.args:
        func = call.args[0]
        if isinstance(func, AttrExpr):
            while isinstance(func, AttrExpr):
                func = func.value
            return func.name if isinstance(func, NameExpr) else ""
        call = func if isinstance(func, CallExpr) else None
    return ""


def sources(code: Code, name: str) -> set[str]:
    """The parameters of a function, its object apart, that a variable of it is, or is made of."""
    params = [param.name for param in code.params[code.in_class :]]
    return {param for param in params if name in names_from({param}, code.body)}


def is_made_there(code: Code, name: str) -> bool:
    """Whether a function binds a variable to what a call gives, or may do so."""
    for targets, value in assignments(code.body):
        arms = (value.body, value.orelse) if isinstance(value, ConditionalExpr) else (value,)
        if name in variables(targets) and any(isinstance(arm, CallExpr) for arm in arms):
            return True
    return False


def is_only_checked(body: Sequence[Stmt], nid: int) -> bool:
    """Whether what a call gives is only waited for, or looked at by an `assert`."""
    simple = [each for each in statements(body) if not any(suites(each))]
    holder = next((each for each in simple if any(number_of(part) == nid for part in walk(each))), None)
    if not isinstance(holder, (AssignStmt, AnnotatedStmt)):
        return holder is not None and _checks(holder)
    names = variables(holder.targets if isinstance(holder, AssignStmt) else (holder.target,))
    uses = [each for each in simple[simple.index(holder) + 1 :] if _reads(each, names)]
    return bool(uses) and all(map(_checks, uses))


def _reads(node: Node, names: set[str]) -> bool:
    return any(isinstance(part, NameExpr) and part.name in names for part in walk(node))


def _checks(statement: Stmt) -> bool:
    value = statement.value if isinstance(statement, ExprStmt) else None
    waits = isinstance(value, CallExpr) and last_name(value.func) == "block_until_ready"
    return waits or isinstance(statement, AssertStmt)
