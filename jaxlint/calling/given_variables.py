"""What a call does with what variables of the caller hold, of which little is known: keys, and NumPy arrays.

In: a call of a function of the program, with what the function consumes and writes into. Out: an identity for
the key that a variable holds, which a second call with it meets; and which arrays the call writes into. It
refuses to know where a key or an array comes from.
"""

from __future__ import annotations

from jaxlint.analysis.copies.shared_memory import SharedMemory, written_by
from jaxlint.analysis.core import Core
from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Tokens, parameter_of
from jaxlint.calling.handed_tests import arguments_given
from jaxlint.domain.key_tokens import key_of
from jaxlint.domain.values import UNKNOWN, Unknown
from jaxlint.ir.nodes import CallExpr, NameExpr


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
    given = (arguments_given(func, node) or {}) if written or unknown else {}
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
            core.flow.env.vars[named.name] = Unknown(token)
