"""Which functions only compute, and which only give back a changed copy of what they are given.

In: the text of a function, or of an expression. Out: yes or no. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from jaxlint.analysis.copies.pure_code import (
    computes,
    full_name,
    has_effect,
    is_effect,
    maps_purely,
    only_computes,
    reads_time,
)
from jaxlint.analysis.function_context import FunctionContext, below
from jaxlint.domain.objects import CONSTRUCTION
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts, updated_by
from jaxlint.ir.nodes import (
    AssertStmt,
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    ComprehensionExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    NameExpr,
    RaiseStmt,
    ReturnStmt,
    Stmt,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.replaced_fields import COPYING, MAPS, PATH_MAPS
from jaxlint.ir.walks import dotted, last_name, nodes_of

_MAP_NAMES = frozenset(name.rpartition(".")[2] for name in MAPS | PATH_MAPS)
_CARRYING = {"scan": 1, "fori_loop": 3, "while_loop": 2}  # loops of jax.lax: where what they begin with is
# functions of JAX that give an array like the one that they are given first
_SAME_SHAPE = frozenset(
    "clip maximum minimum nan_to_num roll flip flipud fliplr dynamic_update_slice "
    "dynamic_update_slice_in_dim dynamic_update_index_in_dim".split()
)


class Called(NamedTuple):
    """What a function calls: by its name a function of its module, a method by that of what was called.
    steps: a sum or a difference, as `w - rate * slope`, counts as a changed copy."""

    program: Program
    methods: Mapping[str, Sequence[tuple[Code, Program]]]
    steps: bool = False


def calls_of(context: FunctionContext) -> Called:
    """What was called while a function was analyzed."""
    methods: dict[str, list[tuple[Code, Program]]] = {}
    for each in below([context]):
        if each.func is not None and each is not context and each.func.code.in_class:
            methods.setdefault(each.func.code.name, []).append((each.func.code, each.func.module.program))
    return Called(context.module.program, methods)


def acts_elsewhere(context: FunctionContext) -> bool:
    """Whether a call changes what it has not made, or calls something for what it does."""
    contexts = below([context])
    made = set().union(*(each.instances for each in contexts))
    return any(
        each.mutations
        or each.touched
        or has_effect(each.code, each.module.program)
        or any(id(owner) not in made for owner, _ in each.writes)
        for each in contexts
    )


def gives_changed_copy(code: Code, called: Called, within: Sequence[Code] = ()) -> bool:
    """Whether all that a function does is to give back a changed copy of an argument or a part of it: what
    `x.at[i].set(v)`, `state.replace(n=1)`, `dataclasses.replace(p, x=v)`, `jnp.clip(x, 0, 1)` or
    `jax.tree.map(f, tree)` give, or another such function or method. `within`: those that call this one.
    """
    copies = {param.name for param in code.params}
    given = _given_back(code.body, copies, set(), called, (*within, code))
    return bool(given) and all(given or ())


def copies_tree(code: Code, program: Program, within: Sequence[Code] = ()) -> bool:
    """Whether what copies in a function that only gives back a changed copy is equinox's `tree_at`, which
    gives a tree whatever it is given: `replace` may also be a method of strings."""
    names = _called(code)
    if any(name in COPYING for name in names):
        return all(name == "tree_at" or name not in COPYING for name in names)
    called = [program.function(name) for name in names]
    inner = [each for each in called if each is not None and each not in (*within, code)]
    return any(copies_tree(each, program, (*within, code)) for each in inner)


@lru_cache(maxsize=1024)
def _called(code: Code) -> list[str]:
    """The last names of what a function calls."""
    return [last_name(part.func) for part in nodes_of(code.body) if isinstance(part, CallExpr)]


def _given_back(
    body: Sequence[Stmt], copies: set[str], made: set[str], called: Called, within: Sequence[Code]
) -> list[bool] | None:
    """For each `return` in a block whether it gives a changed copy; None where the block does something else.
    `copies`: the variables that hold an argument, or a copy of one; `made`: those that hold a changed one."""
    found: list[bool] = []
    for statement in body:
        if _is_idle(statement, called.program):
            continue
        if isinstance(statement, ReturnStmt):
            value = statement.value
            is_made = last_name(value) in made or _is_changed_copy(value, copies, called, within)
            if is_made or not (isinstance(value, NameExpr) and value.name in _given(within)):
                found.append(is_made)  # what gives back an argument where there is nothing to be done is one
        elif isinstance(statement, IfStmt) and only_computes(called.program, statement.test, within=within):
            for block in (statement.body, statement.orelse):
                inner = _given_back(block, set(copies), set(made), called, within)
                if inner is None:
                    return None
                found += inner
                changed = {last_name(target) for target, _ in assigned(block)}
                copies -= changed
                made -= changed
        elif isinstance(statement, ForStmt) and only_computes(
            called.program, statement.iterable, within=within
        ):
            inner = _given_back(statement.body, copies, made, called, within)
            if inner is None or statement.orelse:
                return None
            found += inner
        elif isinstance(statement, AssignStmt) and all(
            isinstance(part, NameExpr) for each in statement.targets for part in parts(each)
        ):
            for target in statement.targets:
                changed = {last_name(part) for part in parts(target)}
                copies -= changed
                made -= changed
                changed = _changed_by(target, statement.value, copies | changed, called, within)
                made |= changed
                copies |= changed
        else:
            return None
    return found


def _given(within: Sequence[Code]) -> frozenset[str]:
    """The parameters of the innermost one of some functions that it does not bind again."""
    code = within[-1]
    bound = {last_name(part) for target, _ in assigned(code.body) for part in parts(target)}
    return frozenset([each.name for each in code.params if each.name not in bound])


def _is_idle(statement: Stmt, program: Program) -> bool:
    """Whether a statement changes nothing: a docstring, a check, a line in a log, a function that is made."""
    if isinstance(statement, ExprStmt):
        return not is_effect(statement.value, program)
    if isinstance(statement, AssertStmt):
        return only_computes(program, statement.test)
    return isinstance(statement, (DefStmt, RaiseStmt))


def _changed_by(
    target: Expr, value: Expr, copied: Collection[str], called: Called, within: Sequence[Code]
) -> set[str]:
    """The variables that an assignment gives a changed copy."""
    if not isinstance(target, TupleExpr):
        return {last_name(target)} if _is_changed_copy(value, copied, called, within) else set()
    begun = _begun_with(value, called.program, within)
    if begun is None or not target.items or not isinstance(value, CallExpr):
        return set()
    carry = target.items[0] if last_name(value.func) == "scan" else target
    if isinstance(carry, TupleExpr) and isinstance(begun, TupleExpr):
        if len(carry.items) != len(begun.items):
            return set()
        pairs = zip(carry.items, begun.items, strict=True)
        return {last_name(name) for name, each in pairs if _root(each) in copied}
    return {last_name(carry)} if _root(begun) in copied and isinstance(carry, NameExpr) else set()


def _begun_with(node: Expr, program: Program, within: Sequence[Code]) -> Expr | None:
    """What a loop of `jax.lax` carries on, where its functions only compute."""
    name = full_name(dotted(node.func)) if isinstance(node, CallExpr) else ""
    place = _CARRYING.get(name.removeprefix("jax.lax."))
    if (
        place is None
        or reads_time(program)
        or not isinstance(node, CallExpr)
        or not only_computes(program, node, within=within)
    ):
        return None
    given = {each.name: each.value for each in node.keywords}
    return node.args[place] if place < len(node.args) else given.get("init", given.get("init_val"))


def _is_copier(func: Expr, copied: Collection[str], called: Called, within: Sequence[Code]) -> bool:
    """Whether a function of the module, or a method of what is copied, only gives a changed copy."""
    name = last_name(func)
    if isinstance(func, NameExpr):
        found = called.program.function(name)
        codes = [] if found is None else [(found, called.program)]
    else:
        owner = func.value if isinstance(func, AttrExpr) else func
        is_own = isinstance(owner, CallExpr) and last_name(owner.func) == "super"
        is_copy = _root(owner) in copied or _is_changed_copy(owner, copied, called, within)
        codes = [*called.methods.get(name, ())] if is_own or is_copy else []
        # a method and the one of a base that it calls have one name
        codes = [each for each in codes if each[0] not in within] if is_own else codes
    return bool(codes) and all(
        code not in within and gives_changed_copy(code, called._replace(program=program), within)
        for code, program in codes
    )


def _root(node: Expr) -> str:
    while isinstance(node, AttrExpr):
        node = node.value
    return last_name(node)


def _carried_on(node: Expr, program: Program, within: Sequence[Code]) -> Expr | None:
    """What a loop begins with of which this is the result: `scan(body, init, xs)[0]`, `fori_loop(...)`."""
    if isinstance(node, SubscriptExpr):
        call = node.value
        is_carry = isinstance(node.index, ConstExpr) and node.index.value == 0
        is_scan = isinstance(call, CallExpr) and last_name(call.func) == "scan"
        return _begun_with(call, program, within) if is_carry and is_scan else None
    is_scan = isinstance(node, CallExpr) and last_name(node.func) == "scan"
    return None if is_scan else _begun_with(node, program, within)


def _is_step(node: BinaryExpr, copied: Collection[str]) -> bool:
    """Whether this is `w - rate * slope`, of one of these variables."""
    first: Expr = node
    products = False
    while isinstance(first, BinaryExpr) and first.operator in ("+", "-"):
        products = products or (isinstance(first.right, BinaryExpr) and first.right.operator in ("*", "/"))
        first = first.left
    return products and first is not node and _root(first) in copied


def _is_mapped(
    node: ComprehensionExpr, copied: Collection[str], program: Program, within: Sequence[Code]
) -> bool:
    """Whether a list or dict is computed of the items of one that is in one of these variables."""
    (clause, *rest) = node.clauses
    iterable = clause.iterable
    if rest or clause.tests or not only_computes(program, node.element, node.key, within=within):
        return False
    if isinstance(iterable, CallExpr) and last_name(iterable.func) in ("items", "values"):
        iterable = iterable.func.value if isinstance(iterable.func, AttrExpr) else iterable
    return last_name(iterable) in copied and isinstance(node.element, (CallExpr, BinaryExpr))


def _is_class(func: Expr) -> bool:
    """Whether what is called is a class, by its name or as that of an object."""
    if isinstance(func, CallExpr):
        return last_name(func.func) == "type" and len(func.args) == 1
    name = last_name(func)
    return name in ("__class__", "cls") or name.lstrip("_")[:1].isupper()


def _only_keeps(code: Code, program: Program) -> bool:
    """Whether a constructor does nothing but to set attributes of its object."""
    own = code.params[0].name if code.params else ""
    targets = [each for part in code.body if isinstance(part, AssignStmt) for each in part.targets]
    return (
        all(isinstance(part, AssignStmt) for part in code.body)
        and all(isinstance(each, AttrExpr) and last_name(each.value) == own for each in targets)
        and only_computes(program, *code.body)
    )


def _is_class_of(func: Expr, copied: Collection[str]) -> bool:
    """Whether what is called is the class of what one of these variables holds."""
    if isinstance(func, CallExpr):
        return last_name(func.func) == "type" and len(func.args) == 1 and last_name(func.args[0]) in copied
    return isinstance(func, AttrExpr) and func.name == "__class__" and last_name(func.value) in copied


def _is_changed_copy(node: Expr, copied: Collection[str], called: Called, within: Sequence[Code]) -> bool:
    """Whether an expression is a changed copy of one of these variables, or of a part of it, or an object
    that is made of such a copy: `Board(self.cells.at[i].set(v))`, `type(self)(...)`."""
    owner = updated_by(node)
    if owner is node:
        if isinstance(node, ComprehensionExpr) and node.kind in ("list", "dict"):
            return _is_mapped(node, copied, called.program, within)
        if isinstance(node, BinaryExpr) and called.steps and not reads_time(called.program):
            return _is_step(node, copied) and only_computes(called.program, node, within=within)
        if (begun := _carried_on(node, called.program, within)) is not None:
            return _root(begun) in copied
        if not isinstance(node, CallExpr):
            return False
        if _is_class(node.func):
            given = (*node.args, *(each.value for each in node.keywords))
            makers = [each for name in CONSTRUCTION for each in called.methods.get(name, ())]
            if _is_class_of(node.func, copied) and any(_root(each) in copied for each in given):
                return all(_only_keeps(code, program) for code, program in makers)
            return any(_is_changed_copy(each, copied, called, within) for each in given)
        name = last_name(node.func)
        if name in _MAP_NAMES and len(node.args) > 1:
            if not maps_purely(node, called.program, within):
                return False
            owner = node.args[1]
        elif name == "tree_at" and len(node.args) > 1:
            owner = node.args[1]
        elif name in _SAME_SHAPE and not computes(dotted(node.func)):
            return False
        elif name in COPYING or (name in _SAME_SHAPE and node.args):
            owner = node.args[0] if node.args else node.func
        elif isinstance(node.func, AttrExpr):
            return _is_copier(node.func, copied, called, within)
        elif node.args and _is_copier(node.func, copied, called, within):
            owner = node.args[0]
        else:
            return False
    while isinstance(owner, AttrExpr):
        owner = owner.value
    return last_name(owner) in copied or _is_changed_copy(owner, copied, called, within)
