"""Which code only computes: what it does is over when its result is dropped.

In: the text of a function, or of an expression. Out: yes or no. It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from jaxlint.analysis.copies.descriptions import describes, is_description
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.limits import COPIES, REACHED
from jaxlint.ir.loop_carried import parts, updated_by
from jaxlint.ir.nodes import (
    NONE,
    AnnotatedStmt,
    AssertStmt,
    AssignStmt,
    AttrExpr,
    BinaryExpr,
    CallExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ExprStmt,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    RaiseStmt,
    ReturnStmt,
    Stmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.replaced_fields import MAPS, PATH_MAPS
from jaxlint.ir.walks import dotted, last_name, nodes_of, reads_clock, walk
from jaxlint.tables.host_methods import HOST_METHODS
from jaxlint.tables.jax_functions import ALIASES, FUNCTIONS

_SHORT = {"jnp": "jax.numpy", "lax": "jax.lax"}  # how modules of JAX are imported
_OF_NUMPY = ("jnp.", "jax.numpy.")
# what of JAX runs functions that it is given, and nothing else
_RUNNING = frozenset(
    (
        *MAPS,
        *PATH_MAPS,
        *(f"jax.lax.{name}" for name in ("scan", "fori_loop", "while_loop", "cond", "switch", "map")),
    )
)
# methods of NumPy's arrays that have another effect than those of JAX's
_IN_PLACE = frozenset(("fill", "partition", "put", "resize", "sort"))
_VIEWS = frozenset(("items", "keys", "values"))
_BUILTINS = frozenset(
    "abs all any bool callable dict divmod enumerate float frozenset getattr hasattr int isinstance "
    "issubclass len list max min range repr reversed round set sorted str sum tuple type zip".split()
)
_LEVELS = frozenset("critical debug error exception info log warn warning".split())  # of a log


def full_name(written: str) -> str:
    """The name of a function of JAX, as the tables have it."""
    module, _, name = written.partition(".")
    full = f"{_SHORT.get(module, module)}.{name}"
    return ALIASES.get(full, full)


def computes(written: str) -> bool:
    """Whether a function of JAX is known to give a result, and nothing else, and draws nothing."""
    name = full_name(written)
    row = FUNCTIONS.get(name)
    return row is not None and row[0] not in ("?", "none", "function") and not row[5]


def differentiates(code: Code) -> bool:
    """Whether a function takes a gradient."""
    names = {full_name(dotted(part)) for part in nodes_of(code.body) if isinstance(part, AttrExpr)}
    return any(name in WRAPPERS and "grad" in WRAPPERS[name].kind for name in names)


@lru_cache(maxsize=64)
def reads_time(program: Program) -> bool:
    """Whether a file reads a clock: what it calls for nothing may be called to be compiled before."""
    return any(reads_clock(*code.body) for code in (program.body, *program.codes))


def is_logged(node: Expr, program: Program) -> bool:
    """Whether a call writes to a log of Python's `logging`, or absl's."""
    if not isinstance(node, CallExpr) or last_name(node.func) not in _LEVELS:
        return False
    root = node.func.value if isinstance(node.func, AttrExpr) else node.func
    if dotted(root).rpartition(".")[2] == "logging":
        return True
    made = [value for target, value in assigned(program.body.body) if dotted(target) == dotted(root)]
    return bool(made) and all(
        isinstance(each, CallExpr) and last_name(each.func) == "getLogger" for each in made
    )


def only_computes(program: Program, *nodes: Node | None, within: Sequence[Code] = ()) -> bool:
    """Whether code calls nothing but what only computes: functions of JAX, `x.at[...]` included, and of the
    program, and what transforms make of these."""
    found = [*walk(*nodes)]
    errors = {id(part.value) for part in found if isinstance(part, RaiseStmt)}
    calls = (part for part in found if isinstance(part, CallExpr) and id(part) not in errors)
    return all(updated_by(each) is not each or _is_pure(each, program, within) for each in calls)


def _is_pure(call: CallExpr, program: Program, within: Sequence[Code]) -> bool:
    func = call.func
    if isinstance(func, CallExpr):  # `jax.grad(loss)(params)`: what is made there is looked at by itself
        return full_name(dotted(func.func)) in WRAPPERS
    given = (*call.args, *(each.value for each in call.keywords))
    name = full_name(dotted(func))
    if name in WRAPPERS or name in _RUNNING:
        return all(_runs_purely(each, program, within) for each in given[:1] if name in WRAPPERS) and all(
            _runs_purely(each, program, within) for each in given if _is_function(each, program, within)
        )
    if computes(dotted(func)):
        return all(_runs_purely(each, program, within) for each in given if isinstance(each, LambdaExpr))
    if isinstance(func, AttrExpr):
        is_read = func.name in _VIEWS and not given
        is_alike = func.name in HOST_METHODS and computes(f"jax.numpy.{func.name}")
        return is_read or (is_alike and func.name not in _IN_PLACE)
    if not isinstance(func, NameExpr):
        return False
    found = named(func.name, program, within)
    if not found:
        return func.name in _BUILTINS
    return len(found) == 1 and computes_only(found[0], program, within, True)


def named(name: str, program: Program, within: Sequence[Code] = ()) -> list[Code]:
    """The functions of a file that have a name, or the one of them that the innermost of the functions around
    can mean."""
    found = [code for code in program.codes if code.name == name and not code.in_class]
    scope = within[-1].qualname if within and len(found) > 1 else ""
    while scope:
        near = [code for code in found if code.qualname == f"{scope}.{name}"]
        if near:
            return near
        scope = scope.rpartition(".")[0]
    return found


def _is_function(node: Expr, program: Program, within: Sequence[Code]) -> bool:
    if isinstance(node, NameExpr):
        return bool(named(node.name, program, within))
    return isinstance(node, LambdaExpr)


def _runs_purely(node: Expr, program: Program, within: Sequence[Code]) -> bool:
    """Whether a function that is handed on is one of JAX, or one of the file, that only computes."""
    if isinstance(node, LambdaExpr):
        return computes_only(program.codes[node.index], program, within, True)
    if isinstance(node, NameExpr):
        found = named(node.name, program, within)
        return len(found) == 1 and computes_only(found[0], program, within, True)
    return computes(dotted(node))


def maps_purely(node: CallExpr, program: Program, within: Sequence[Code] = ()) -> bool:
    """Whether a function that maps is given one of jax.numpy, or a function of the file that does nothing
    but to compute with JAX."""
    mapped = node.args[0] if node.args else None
    if mapped is not None and dotted(mapped).startswith(_OF_NUMPY):
        return computes(dotted(mapped)) and not is_description(dotted(mapped), full_name)
    if isinstance(mapped, LambdaExpr):
        return changes_leaves(program.codes[mapped.index], program, within)
    found = named(mapped.name, program, within) if isinstance(mapped, NameExpr) else []
    return len(found) == 1 and changes_leaves(found[0], program, within)


def changes_leaves(code: Code, program: Program, within: Sequence[Code] = (), is_any: bool = False) -> bool:
    """Whether a function that is mapped does nothing but to compute: one that may raise an error is there to
    check each leaf, and one that says what each leaf is like, to look at that. is_any: also if it gives what
    it is given."""
    checks = any(isinstance(each, (RaiseStmt, AssertStmt)) for each in nodes_of(code.body))
    return (
        not checks
        and not describes(code, full_name)
        and _gives(code)
        and computes_only(code, program, within, is_any)
    )


def computes_only(code: Code, program: Program, within: Sequence[Code] = (), is_any: bool = False) -> bool:
    """Whether a function does nothing but to compute with JAX. is_any: also if it gives what it is given."""
    if code in within or code.is_generator or code.is_async or code.global_names or code.nonlocal_names:
        return False
    if len(within) >= COPIES.most:
        REACHED["copies"] += 1
        return False
    if not all(_is_plain(each) for each in _statements(code.body)):
        return False
    changes = any(isinstance(part, (CallExpr, BinaryExpr)) for part in nodes_of(code.body))
    return (changes or is_any) and only_computes(program, *code.body, within=(*within, code))


def _gives(code: Code) -> bool:
    """Whether a function gives back a value."""
    returned = (each for each in nodes_of(code.body) if isinstance(each, ReturnStmt))
    return any(each.value != NONE for each in returned)


def _statements(body: Iterable[Stmt]) -> Iterator[Stmt]:
    for each in body:
        yield each
        if isinstance(each, IfStmt):
            yield from _statements((*each.body, *each.orelse))


def _is_plain(statement: Stmt) -> bool:
    """Whether a statement binds names of the function, or gives a value."""
    if isinstance(statement, ExprStmt):
        return isinstance(statement.value, ConstExpr)
    if isinstance(statement, AssignStmt):
        return all(isinstance(part, NameExpr) for each in statement.targets for part in parts(each))
    if isinstance(statement, AnnotatedStmt):
        return isinstance(statement.target, NameExpr)
    return isinstance(statement, (ReturnStmt, IfStmt, DefStmt, AssertStmt, RaiseStmt))


def is_effect(node: Expr, program: Program) -> bool:
    """Whether the expression of a statement is there for what it does elsewhere: not a docstring, a check or
    a line in a log."""
    if isinstance(node, ConstExpr):
        return False
    return not is_logged(node, program) and not only_computes(program, node)


def has_effect(code: Code, program: Program) -> bool:
    """Whether a function has a statement that is there for what it does elsewhere."""
    held = (part for part in nodes_of(code.body) if isinstance(part, ExprStmt))
    return any(is_effect(each.value, program) for each in held)
