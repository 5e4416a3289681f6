"""Which functions only compute, and which only give back a changed copy of what they are given.

In: the text of a function, or of an expression. Out: yes or no. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from jaxlint.analysis.function_context import FunctionContext, below
from jaxlint.domain.objects import CONSTRUCTION
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts, updated_by
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    ComprehensionExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    ReturnStmt,
    Stmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.replaced_fields import COPYING, MAPS, PATH_MAPS
from jaxlint.ir.walks import dotted, last_name, walk
from jaxlint.tables.jax_functions import ALIASES, FUNCTIONS

_MAP_NAMES = frozenset(name.rpartition(".")[2] for name in MAPS | PATH_MAPS)
_SHORT = {"jnp": "jax.numpy", "lax": "jax.lax"}  # how modules of JAX are imported
_OF_NUMPY = ("jnp.", "jax.numpy.")
# functions of JAX that give an array like the one that they are given first
_SAME_SHAPE = frozenset(
    "clip maximum minimum nan_to_num roll flip flipud fliplr dynamic_update_slice "
    "dynamic_update_slice_in_dim dynamic_update_index_in_dim".split()
)


class Called(NamedTuple):
    """What a function calls: by its name a function of its module, a method by that of what was called."""

    program: Program
    methods: Mapping[str, Sequence[tuple[Code, Program]]]


def calls_of(context: FunctionContext) -> Called:
    """What was called while a function was analyzed."""
    methods: dict[str, list[tuple[Code, Program]]] = {}
    for each in below([context]):
        if each.func is not None and each is not context and each.func.code.in_class:
            methods.setdefault(each.func.code.name, []).append((each.func.code, each.func.module.program))
    return Called(context.module.program, methods)


def writes_others(context: FunctionContext) -> bool:
    """Whether a call sets attributes of objects that it has not made."""
    contexts = below([context])
    made = set().union(*(each.instances for each in contexts))
    return any(id(owner) not in made for each in contexts for owner, _ in each.writes)


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
    names = [last_name(part.func) for part in walk(*code.body) if isinstance(part, CallExpr)]
    if any(name in COPYING for name in names):
        return all(name == "tree_at" or name not in COPYING for name in names)
    called = [program.function(name) for name in names]
    inner = [each for each in called if each is not None and each not in (*within, code)]
    return any(copies_tree(each, program, (*within, code)) for each in inner)


def _given_back(
    body: Sequence[Stmt], copies: set[str], made: set[str], called: Called, within: Sequence[Code]
) -> list[bool] | None:
    """For each `return` in a block whether it gives a changed copy; None where the block does something else.
    `copies`: the variables that hold an argument, or a copy of one; `made`: those that hold a changed one."""
    found: list[bool] = []
    for statement in body:
        if isinstance(statement, ExprStmt) and isinstance(statement.value, ConstExpr):
            continue  # the docstring
        if isinstance(statement, ReturnStmt):
            value = statement.value
            found.append(last_name(value) in made or _is_changed_copy(value, copies, called, within))
        elif isinstance(statement, IfStmt) and _only_computes(statement.test):
            for block in (statement.body, statement.orelse):
                inner = _given_back(block, set(copies), set(made), called, within)
                if inner is None:
                    return None
                found += inner
                changed = {last_name(target) for target, _ in assigned(block)}
                copies -= changed
                made -= changed
        elif isinstance(statement, AssignStmt) and all(
            isinstance(each, NameExpr) for each in statement.targets
        ):
            for target in statement.targets:
                name = last_name(target)
                made.discard(name)
                if _is_changed_copy(statement.value, copies, called, within):
                    made.add(name)
                    copies.add(name)
                else:
                    copies.discard(name)
        else:
            return None
    return found


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


def _only_computes(*nodes: Node | None) -> bool:
    """Whether code calls nothing but what JAX computes with, `x.at[...]` included."""
    calls = (part for part in walk(*nodes) if isinstance(part, CallExpr))
    return all(_computes(dotted(each.func)) or updated_by(each) is not each for each in calls)


def _computes(written: str) -> bool:
    """Whether a function of JAX is known to give a result, and nothing else, and draws nothing."""
    module, _, name = written.partition(".")
    full = f"{_SHORT.get(module, module)}.{name}"
    row = FUNCTIONS.get(ALIASES.get(full, full))
    return row is not None and row[0] not in ("?", "none", "function") and not row[5]


def maps_purely(node: CallExpr, program: Program) -> bool:
    """Whether a function that maps is given one of jax.numpy, or a function of the file that does nothing
    but to compute with JAX."""
    mapped = node.args[0] if node.args else None
    if mapped is not None and dotted(mapped).startswith(_OF_NUMPY):
        return _computes(dotted(mapped))
    if isinstance(mapped, LambdaExpr):
        return computes_only(program.codes[mapped.index])
    name = mapped.name if isinstance(mapped, NameExpr) else ""
    named = [code for code in program.codes if code.name == name and not code.in_class]
    return len(named) == 1 and computes_only(named[0])


def computes_only(code: Code) -> bool:
    """Whether a function does nothing but to compute with JAX."""
    targets = [each for part in code.body if isinstance(part, AssignStmt) for each in part.targets]
    is_plain = all(isinstance(each, (AssignStmt, ReturnStmt)) for each in code.body)
    if not is_plain or not all(isinstance(part, NameExpr) for each in targets for part in parts(each)):
        return False
    changes = any(isinstance(part, (CallExpr, BinaryExpr)) for part in walk(*code.body))
    return changes and _only_computes(*code.body)


def _is_mapped(node: ComprehensionExpr, copied: Collection[str]) -> bool:
    """Whether a list or dict is computed of the items of one that is in one of these variables."""
    (clause, *rest) = node.clauses
    iterable = clause.iterable
    if rest or clause.tests or not _only_computes(node.element, node.key):
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


def _only_keeps(code: Code) -> bool:
    """Whether a constructor does nothing but to set attributes of its object."""
    own = code.params[0].name if code.params else ""
    targets = [each for part in code.body if isinstance(part, AssignStmt) for each in part.targets]
    return (
        all(isinstance(part, AssignStmt) for part in code.body)
        and all(isinstance(each, AttrExpr) and last_name(each.value) == own for each in targets)
        and _only_computes(*code.body)
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
            return _is_mapped(node, copied)
        if not isinstance(node, CallExpr):
            return False
        if _is_class(node.func):
            given = (*node.args, *(each.value for each in node.keywords))
            makers = [code for name in CONSTRUCTION for code, _ in called.methods.get(name, ())]
            if _is_class_of(node.func, copied) and any(_root(each) in copied for each in given):
                return all(map(_only_keeps, makers))
            return any(_is_changed_copy(each, copied, called, within) for each in given)
        name = last_name(node.func)
        if name in _MAP_NAMES and len(node.args) > 1:
            if not maps_purely(node, called.program):
                return False
            owner = node.args[1]
        elif name == "tree_at" and len(node.args) > 1:
            owner = node.args[1]
        elif name in _SAME_SHAPE and not _computes(dotted(node.func)):
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
