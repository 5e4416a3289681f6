"""What a call does with what variables of the caller hold, of which little is known: keys, and NumPy arrays.

In: a call of a function of the program, with what the function consumes and writes into. Out: an identity for
the key that a variable holds, which a second call with it meets; and which arrays the call writes into. It
refuses to know where a key or an array comes from.
"""

from __future__ import annotations

from collections.abc import Mapping

from jaxlint.analysis.copies.shared_memory import SharedMemory, written_by
from jaxlint.analysis.core import Core
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Tokens, parameter_of
from jaxlint.calling.handed_tests import arguments_given
from jaxlint.domain.key_tokens import key_of
from jaxlint.domain.objects import Bound, Function, Partial, Transformed
from jaxlint.domain.values import UNKNOWN, Unknown, Value
from jaxlint.ir.nodes import CallExpr, Expr, NameExpr, StarExpr

# what these make of a function is called with its arguments
_ALIKE = frozenset(("jit", "pmap", "vmap", "checkpoint", "grad", "value_and_grad", "transparent"))


def note_given(
    core: Core, memory: SharedMemory, activation: FunctionContext, tokens: Tokens, node: CallExpr | None,
    nid: int,
) -> None:  # fmt: skip
    """What a variable of the caller holds of which nothing is known has an identity once a function draws
    from it as from a key; and an array of NumPy is another one once a function has written into it."""
    func = activation.func
    if func is None or node is None or node.nid != nid:
        return
    written = written_by(func.code)
    unknown = None in tokens.back.values()
    given: Mapping[str, Expr] = {}
    if written or unknown:
        given = arguments_given(func, node) or _behind(tokens.called, func, node)
    memory.note_given([each for name, each in given.items() if name in written], nid)
    drawn = {key_of(each.token): None for each in activation.consumptions if not each.weak} if unknown else {}
    for base in drawn:
        is_unknown = base in tokens.back and tokens.back[base] is None
        position = parameter_of(base, func.code) if is_unknown else None
        if position is None:
            continue
        named = given.get(func.code.params[position].name)
        if isinstance(named, NameExpr) and core.flow.env.vars.get(named.name) == UNKNOWN:
            tokens.back[base] = token = core.fresh()
            tokens.noted |= {token}
            core.flow.env.vars[named.name] = Unknown(token)


def _behind(called: Value | None, func: Function, node: CallExpr) -> Mapping[str, Expr]:
    """The expressions of arguments by parameters of a function which a call reaches by another name, as what
    a transform or a partial has made of it; none where other arguments may reach it."""
    first, named = 0, set[str]()
    while not isinstance(called, Function):
        if isinstance(called, Partial):
            first += len(called.args)
            named.update([name for name, _ in called.keywords])
        elif isinstance(called, Bound):
            first += 1
        elif not isinstance(called, Transformed) or called.kind not in _ALIKE:
            return {}
        called = called.func
    if called.code is not func.code or any(isinstance(each, StarExpr) for each in node.args):
        return {}
    names = [param.name for param in func.code.params if param.kind in "pn"][first:]
    given = dict(zip([name for name in names if name not in named], node.args, strict=False))
    return given | {each.name: each.value for each in node.keywords if each.name is not None}
