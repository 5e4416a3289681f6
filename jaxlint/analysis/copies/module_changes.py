"""Changes of what modules of flax nnx hold, in another trace than the one that made them.

In: a change, as it happens, or a call that makes one. Out: an event, where flax refuses it. It
refuses to know what the change is.
"""

from __future__ import annotations

from collections.abc import Iterable

from jaxlint.analysis.core import Core
from jaxlint.analysis.events import ModuleChange
from jaxlint.domain.join import VariableRef, options_of
from jaxlint.domain.objects import Instance, Transformed
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.values import UNKNOWN, Const, Product, Value
from jaxlint.ir.nodes import AttrExpr, CallExpr, Expr, NameExpr


def put_in(core: Core, box: VariableRef, value: Value, owner: Value, nid: int) -> None:
    """A variable of a module is set; `owner`: what it is one of."""
    note_change(core, owner, nid)
    box.put(value)


def note_change(core: Core, owner: Value, nid: int) -> None:
    """What is changed was made outside of the innermost trace, whichever of several values it is."""
    depth = core.flow.context.depth
    if depth and all(_depth_of(each, depth) < depth for each in options_of(owner)):
        core.emit("ModuleChange", ModuleChange(nid, core.flow.frame, owner))


def note_modules_given(core: Core, func: Transformed, arguments: Iterable[Value], nid: int) -> None:
    """Modules are given to a transform of flax, which refuses those of other traces: some do so
    when they put the variables back that a module has."""
    depth = core.flow.context.depth
    if not depth or core.flow.context.unjitted or func.option(LEAVES) != Const("module"):
        return
    if any(func.option(name) is not None for name in ("graph", "graph_updates", "**")):
        return  # it may leave them as they are
    takes_any = func.kind not in ("jit", "checkpoint")
    for each in arguments:
        is_outer = isinstance(each, Instance) and _depth_of(each, depth) < depth
        if isinstance(each, Instance) and is_outer and (takes_any or _has_variables(each)):
            core.emit("ModuleChange", ModuleChange(nid, core.flow.frame, each, True))
            return


def _has_variables(module: Instance, far: int = 4) -> bool:
    """Whether a module has a variable for certain, itself or in one that it holds."""
    return any(
        isinstance(each, VariableRef)
        or (isinstance(each, Instance) and bool(far) and is_module(each) and _has_variables(each, far - 1))
        for each in module.attributes.values()
    )


def note_draw(core: Core, call: CallExpr | None, nid: int) -> None:
    """Streams of keys are asked for one, which counts: those that a variable of a function around holds, or
    of a module."""
    node = None if call is None or call.nid != nid else call.func
    if isinstance(node, AttrExpr) and isinstance(node.value, NameExpr):
        node = node.value  # one of the streams
    held = _outer(core, node)
    if isinstance(held, Product) and held.kind == "rngs":
        core.emit("ModuleChange", ModuleChange(nid, core.flow.frame, held))


def note_update(core: Core, module: Value, call: CallExpr | None, nid: int) -> None:
    """A module gets other arrays, whatever it is."""
    if any(isinstance(each, Instance) for each in options_of(module)):
        note_change(core, module, nid)
        return
    held = _outer(core, call.args[0] if call is not None and call.nid == nid and call.args else None)
    if held is not None:
        core.emit("ModuleChange", ModuleChange(nid, core.flow.frame, held))


def _outer(core: Core, node: Expr | None) -> Value | None:
    """What a variable holds that is bound outside of the innermost trace."""
    if not isinstance(node, NameExpr):
        return None
    home = core.flow.home_of(node.name)
    return home.vars.get(node.name) if home.depth < core.flow.context.depth else None


def _depth_of(value: Value, here: int) -> int:
    """How many traces enclosed the making of a variable or a module; as here, where it is neither."""
    if isinstance(value, VariableRef):
        return value.depth
    return value.depth if isinstance(value, Instance) and value.cls.has_mark("nnx") else here


def is_module(value: Value | None) -> bool:
    """Whether a value is certainly a module of flax nnx."""
    options = options_of(UNKNOWN if value is None else value)
    return all(
        each.cls.has_mark("nnx")
        if isinstance(each, Instance)
        else isinstance(each, Product) and each.kind == "layer" and str(each.parts[0]).startswith("flax.nnx.")
        for each in options
    )
