"""Keys of which nothing is known where a variable holds them, and which a function draws from.

In: a call of a function of the program, with what the function consumes. Out: an identity for what the
variable holds, which a second call with it meets. It refuses to know where the key comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from jaxlint.analysis.function_context import FunctionContext
from jaxlint.analysis.token_names import Tokens, position_of
from jaxlint.calling.handed_tests import arguments_given
from jaxlint.domain.key_tokens import key_of
from jaxlint.domain.objects import Environment
from jaxlint.domain.values import UNKNOWN, Unknown
from jaxlint.ir.nodes import CallExpr, NameExpr


def name_given(
    activation: FunctionContext, tokens: Tokens, node: CallExpr | None, nid: int, env: Environment,
    fresh: Callable[[], Hashable],
) -> None:  # fmt: skip
    """What a variable of the caller holds of which nothing is known has an identity once a function draws
    from it as from a key."""
    func = activation.func
    if func is None or node is None or node.nid != nid or None not in tokens.back.values():
        return
    for base in {key_of(each.token): None for each in activation.consumptions if not each.weak}:
        place = position_of(base) if base in tokens.back and tokens.back[base] is None else None
        if place is None or place[0] != id(func.code):
            continue
        given = (arguments_given(func, node) or {}).get(func.code.params[place[1]].name)
        if isinstance(given, NameExpr) and env.vars.get(given.name) == UNKNOWN:
            tokens.back[base] = token = fresh()
            env.vars[given.name] = Unknown(token)
