"""Keys from which parameters are drawn: where equal parameters cannot be meant, and where they may be.

In: the place that is analyzed. Out: the token by which a key counts as consumed there. What makes a layer may
be a function that somebody calls, so a key is `INITIAL` until it is known who does.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from jaxlint.domain.key_tokens import initial_of
from jaxlint.domain.objects import CONSTRUCTION, Environment, Instance
from jaxlint.ir.nodes import AttrExpr, CallExpr, ExprStmt, NameExpr, Stmt
from jaxlint.ir.walks import nodes_of

if TYPE_CHECKING:
    from jaxlint.analysis.flow_state import FlowState


def counted_here(token: Hashable, flow: FlowState) -> Hashable:
    """The token of a key at the place that is analyzed, where it may be `INITIAL` no more. Two objects may be
    meant to begin alike, layers of one are not."""
    initial = initial_of(token)
    if initial is None:
        return _within(token, flow)
    key, which, is_layer = initial
    if _is_repeated(flow):
        return key, "fold", ("handed on", which)
    owner = _constructed(flow) if is_layer else None
    return token if owner is None else _layer_of(owner, key)


def _within(token: Hashable, flow: FlowState) -> Hashable:
    """What a layer is made from, where the constructor of a module around it makes that one."""
    if not (isinstance(token, tuple) and len(token) == 3 and token[1] == "fold"):
        return token
    key, _, which = token
    held = which[1] if isinstance(which, tuple) and which[:1] == ("handed on",) and which[1:] else None
    inner = held[0] if isinstance(held, tuple) and held else None
    if not isinstance(inner, Instance) or token != _layer_of(inner, key):
        return token
    owner = _constructed(flow)
    is_part = owner is not None and owner is not inner and owner.cls.has_mark("equinox")
    return _layer_of(owner, key) if owner is not None and is_part else token


def _layer_of(owner: Instance, key: Hashable) -> Hashable:
    return key, "fold", ("handed on", (owner, "layer"))


def _is_repeated(flow: FlowState) -> bool:
    """Whether a comprehension, or a loop that only appends, does what is called there again and again, with
    nothing that varies: else equal parameters may be meant, as those of the runs of a sweep."""
    around = flow.frame.turns[-1:]
    if not around or not isinstance(around[0].target, NameExpr):
        return False
    name, body = around[0].target.name, around[0].body
    if not body:
        return name == "_"
    read = (each.name for each in nodes_of(body) if isinstance(each, NameExpr))
    return all(map(_appends, body)) and name not in read


def _appends(statement: Stmt) -> bool:
    call = statement.value if isinstance(statement, ExprStmt) else None
    func = call.func if isinstance(call, CallExpr) else None
    return isinstance(func, AttrExpr) and func.name == "append"


def _constructed(flow: FlowState) -> Instance | None:
    """The object whose constructor, or a function in that, is analyzed."""
    env: Environment | None = flow.env
    while env is not None and env.code is not None:
        owner = env.vars.get(env.code.params[0].name) if env.code.params else None
        if env.code.in_class and env.code.name in CONSTRUCTION:
            return owner if isinstance(owner, Instance) else None
        env = env.parent
    return None
