"""Objects of which only their use says that they are records of JAX, which `x.replace(field=...)` copies.

In: a call of a method such as `replace` of a variable of which nothing is known, and the flow state there.
Out: whether the variable holds a pytree, or what is drawn with. Dates, texts, paths and tables have such
methods, too, and a compiled function takes none of them: it counts what gives the variable its value, and
where that goes. It refuses to know records whose class is known.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from jaxlint.analysis.copies.pure_code import full_name
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.objects import Function, Key, Transformed
from jaxlint.domain.tokens import LEAVES
from jaxlint.domain.transforms import JITS
from jaxlint.domain.values import External, Product, TracerPytree, Unknown, Value
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.loop_carried import assignments, parts, statements
from jaxlint.ir.nodes import (
    NONE,
    AttrExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    SubscriptExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.repetition import variables
from jaxlint.ir.walks import calls_of, dotted, last_name, structure_of, walk

# methods that records have, called with keywords alone, and what rules are told of a call
_METHODS = {
    "replace": "$replace",
    "_replace": "builtins.tuple._replace",
    "apply_gradients": "flax.training.train_state.TrainState.apply_gradients",
}
_NONE = ConstExpr(None)  # for what is to be restored, which then is no record
_NOT_ALL = frozenset(("static_argnums", "static_argnames", "static_broadcasted_argnums", LEAVES))


def copied_record(
    node: CallExpr, flow: FlowState, packages: Collection[str], programs: Sequence[Program]
) -> str:
    """What a call is that makes a copy of a record with other fields; nothing of others. `packages`: those of
    JAX and around it; `programs`: the project, of whose classes the record may be."""
    func, code = node.func, flow.frame.code
    if not isinstance(func, AttrExpr) or func.name not in _METHODS or node.args or not node.keywords:
        return ""
    owner = func.value
    if _is_as_it_is(node, owner, code) or any(_has_in_place(each, func.name) for each in programs):
        return ""
    if _is_of_pytree(owner, flow):
        return "$update" if isinstance(owner, CallExpr) else _METHODS[func.name]
    if not isinstance(owner, NameExpr) or flow.env is not flow.frame.env:
        return ""
    if not isinstance(flow.env.vars.get(owner.name), (Unknown, TracerPytree)):
        return ""
    uses = def_use_of(code, flow.module.program)
    bindings = uses.seen_by(owner.nid)
    if not bindings:
        return ""
    if not all(_is_given_by(each, code, flow, packages) for each in bindings):
        reads = {each for binding in bindings for each in uses.readers(binding) or ()} - {owner.nid}
        if not _is_taken(code, flow.module.program, reads, flow):
            return ""
    return _METHODS[func.name]


def _is_of_pytree(owner: Expr, flow: FlowState) -> bool:
    """Whether this is a pytree that a trace was given, a part of one, or a copy with other fields of such."""
    while not isinstance(owner, NameExpr):
        if isinstance(owner, CallExpr):
            func = owner.func
            if not isinstance(func, AttrExpr) or func.name not in _METHODS or owner.args:
                return False
            owner = func
        if not isinstance(owner, (AttrExpr, SubscriptExpr)):
            return False
        owner = owner.value
    held = flow.named(owner)
    return isinstance(held, TracerPytree) and held.level > 0


def _has_in_place(program: Program, name: str) -> bool:
    """Whether a class of a file has a method of this name that may change its object."""
    return any(each.in_class and each.name == name and _may_change_own(each) for each in program.codes)


def _may_change_own(code: Code) -> bool:
    """Whether a method gives nothing, gives its object back, writes to it, or calls something of it alone.
    One that only raises, or has no body, says nothing."""
    own = code.params[0].name if code.params else ""
    written = list(statements(code.body))
    given = [each.value for each in written if isinstance(each, ReturnStmt)]
    called = [each.value for each in written if isinstance(each, ExprStmt)]
    changed = [part for targets, _ in assignments(code.body) for each in targets for part in parts(each)]
    changed += [each.func for each in called if isinstance(each, CallExpr)]
    return (
        (not given and not all(isinstance(each, (ExprStmt, RaiseStmt)) for each in written))
        or any(each == NONE or (isinstance(each, NameExpr) and each.name == own) for each in given)
        or any(not isinstance(each, NameExpr) and _root_of(each) == own for each in changed)
    )


def _root_of(place: Expr) -> str:
    while isinstance(place, (AttrExpr, SubscriptExpr)):
        place = place.value
    return last_name(place)


def _is_as_it_is(node: CallExpr, owner: Expr, code: Code) -> bool:
    """Whether each field gets what the record has there, which may have been changed in place."""
    of_fields = {
        name
        for targets, value in assignments(code.body)
        if isinstance(value, AttrExpr) and structure_of(value.value) == structure_of(owner)
        for name in variables(targets)
    }
    return all(
        (isinstance(each.value, NameExpr) and each.value.name in of_fields)
        or (isinstance(each.value, AttrExpr) and structure_of(each.value.value) == structure_of(owner))
        for each in node.keywords
    )


def _is_given_by(binding: int, code: Code, flow: FlowState, packages: Collection[str]) -> bool:
    """Whether a function of JAX, or of a library around it, gives a variable its value, or one that the
    program has compiled."""
    for targets, value in assignments(code.body):
        names = [part.nid for target in targets for part in walk(target) if isinstance(part, NameExpr)]
        if binding in names and isinstance(value, CallExpr):
            called = flow.named(value.func)
            if isinstance(called, External):
                is_of_jax = called.name.partition(".")[0] in packages
                return is_of_jax and not any(each == _NONE for _, each in _given(value))
            return _is_compiled(called)
    return False


def _is_compiled(called: Value | None) -> bool:
    """Whether a function gives nothing but arrays and trees of them: it raises otherwise."""
    if isinstance(called, Product) and called.kind == "transformed-unknown":
        return called.parts[0] in JITS
    return isinstance(called, Transformed) and called.kind in JITS


def _takes_pytrees(called: Value | None) -> bool:
    """Whether a function raises where it is given anything but arrays and trees of them."""
    return (
        isinstance(called, Transformed)
        and called.kind in JITS
        and _NOT_ALL.isdisjoint(name for name, _ in called.options)
    )


def _is_taken(
    code: Code, program: Program, reads: Collection[int], flow: FlowState, far: bool = False
) -> bool:
    """Whether what these reads see is given to a compiled function, or to a call that is given a random key
    as well, here or in a function of the program (`far`) that is called here."""
    keys = {
        name
        for targets, value in assignments(code.body)
        if isinstance(value, CallExpr) and full_name(dotted(value.func)).startswith("jax.random.")
        for name in variables(targets)
    }
    for call in calls_of(code.body):
        given = [*_given(call)]
        if not any(isinstance(each, NameExpr) and each.nid in reads for _, each in given):
            continue
        others = [each.name for _, each in given if isinstance(each, NameExpr) and each.nid not in reads]
        if not keys.isdisjoint(others):
            return True
        if far:
            continue
        if any(isinstance(flow.env.vars.get(name), Key) for name in others):
            return True
        called = flow.named(call.func)
        if _takes_pytrees(called):
            return True
        places = [place for place, each in given if isinstance(each, NameExpr) and each.nid in reads]
        if isinstance(called, Function) and _is_taken_in(called, places, flow):
            return True
    return False


def _is_taken_in(called: Function, places: Collection[int | str], flow: FlowState) -> bool:
    """The same of the parameters of a function of the program that get it."""
    code, program = called.code, called.module.program
    uses = def_use_of(code, program)
    positions = [each for each in code.params if each.kind in "pn"]
    params = [each for each in code.params if each.name in places]
    params += [positions[each] for each in places if isinstance(each, int) and each < len(positions)]
    reads = {read for each in params for read in uses.readers(each.nid) or ()}
    return _is_taken(code, program, reads, flow, far=True)


def _given(call: CallExpr) -> Iterator[tuple[int | str, Expr]]:
    """The arguments of a call, with their places or names."""
    yield from enumerate(call.args)
    yield from ((each.name or "", each.value) for each in call.keywords)
