"""Which fields of what an attribute holds an assignment replaces, and which fields a function reads.

In: the text of an assignment `owner.name = value`, and the functions that its calls lead to. Out: the fields
that differ from those of what was there, where the new value is a copy of it, as `state.replace(step=1)` is.
It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from jaxlint.ir.constant_attributes import assigned, is_alike
from jaxlint.ir.limits import COPIES, REACHED
from jaxlint.ir.loop_carried import parts, statements, updated_by
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    ClassStmt,
    ComprehensionExpr,
    ConstExpr,
    DefStmt,
    Expr,
    ExprStmt,
    ForStmt,
    IfStmt,
    LambdaExpr,
    NameExpr,
    Node,
    OpaqueExpr,
    ReturnStmt,
    StarExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    WithStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import dotted, last_name, walk
from jaxlint.tables.jax_functions import ALIASES, FUNCTIONS

Fields = frozenset[str]
Found = tuple[Expr, int | None]  # an expression, and which item of its value

# static fields of flax's TrainState: a state that is made of another one has those of the other one
STATIC_FIELDS = frozenset(("apply_fn", "tx"))
# what of an array is the same for all of one shape and dtype
_SHAPES = frozenset(("shape", "dtype", "ndim", "size"))
STATIC_PARTS = STATIC_FIELDS | _SHAPES
# functions that read no more than the structure or the shapes of their first argument
READERS_OF_STRUCTURE = frozenset(
    (
        *("builtins.len", "builtins.isinstance", "jax.tree.structure", "jax.tree_util.tree_structure"),
        *(
            f"{module}.{name}"
            for module in ("jax.numpy", "numpy")
            for name in ("zeros_like", "ones_like", "full_like", "empty_like", "shape", "ndim", "size")
        ),
    )
)
MAPS = frozenset(("jax.tree.map", "jax.tree_util.tree_map", "jax.tree_map"))  # of a function over leaves
# of a function over leaves and what leads to them
PATH_MAPS = frozenset(("jax.tree.map_with_path", "jax.tree_util.tree_map_with_path"))
_MAP_NAMES = frozenset(name.rpartition(".")[2] for name in MAPS | PATH_MAPS)
STATIC_PART: Final = OpaqueExpr()  # where the constant stands that says which item is read: one of these

_MAKERS = frozenset(("__init__", "__post_init__", "setup"))  # methods that set what an object begins with
_SHORT = {"jnp": "jax.numpy", "lax": "jax.lax"}  # how modules of JAX are imported
_OF_NUMPY = ("jnp.", "jax.numpy.")
_COPYING = frozenset(("replace", "_replace", "apply_gradients", "tree_at"))
# functions of JAX that give an array like the one that they are given first
_SAME_SHAPE = frozenset(
    "clip roll flip flipud fliplr dynamic_update_slice dynamic_update_slice_in_dim "
    "dynamic_update_index_in_dim".split()
)
_GRADIENTS = frozenset(("params", "opt_state", "step"))  # what flax's TrainState.apply_gradients replaces


@dataclass(eq=False)
class Body:
    """A function's text, or a module's; in a call of it, what its parameters are given, and by whom."""

    code: Code
    program: Program
    path: str
    given: dict[str, Expr] = field(default_factory=dict)
    outer: Body | None = None
    depth: int = 0


class Replacing:
    """Finds what assignments replace.

    callees: the functions that a call leads to, with their modules. methods: names of methods that classes
    of the project define, which may do anything.
    """

    def __init__(
        self, callees: Callable[[str, int], Iterable[tuple[Code, Program, str]]], methods: Fields
    ) -> None:
        self.callees = callees
        self.methods = methods
        self.target: Expr = OPAQUE
        self.open: set[tuple[str, Code]] = set()

    def fields(self, home: Body, nid: int) -> Fields | None:
        """The fields that the assignment with this number, or to the target with this number, replaces. None:
        any of them."""
        for statement in statements(home.code.body):
            if not isinstance(statement, AssignStmt):
                continue
            for target in statement.targets:
                for each, item in _targets(target):
                    if isinstance(each, (AttrExpr, NameExpr)) and nid in (each.nid, statement.nid):
                        self.target = each
                        self.open.clear()
                        return self._of(statement.value, item, home)
        return None

    def _of(self, value: Expr, item: int | None, body: Body) -> Fields | None:
        if body.outer is None and item is None and is_alike(value, self.target):
            return frozenset()
        if isinstance(value, TupleExpr) and item is not None:
            plain = item < len(value.items) and not _has_star(value.items)
            return self._of(value.items[item], None, body) if plain else None
        if isinstance(value, NameExpr):
            if body.outer is None and isinstance(self.target, NameExpr) and value.name == self.target.name:
                return frozenset() if item is None else None
            return self._of_name(value.name, item, body)
        if isinstance(value, CallExpr):
            is_copy = item is None and last_name(value.func) in _COPYING
            if is_copy and not any(True for _ in self.callees(body.path, value.nid)):
                return self._of_copy(value, body)
            return self._of_call(value, item, body)
        return None

    def _of_name(self, name: str, item: int | None, body: Body) -> Fields | None:
        if (name, body.code) in self.open:
            return frozenset()
        found = _definitions(body.code.body, name)
        is_param = any(param.name == name for param in body.code.params)
        if found is None or not (found or is_param) or (is_param and name not in body.given):
            return None
        self.open.add((name, body.code))
        parts: list[Fields | None] = []
        for value, which in found:
            if item is not None and which is not None:
                parts.append(None)
            else:
                parts.append(self._of(value, item if which is None else which, body))
        self.open.discard((name, body.code))
        if is_param and body.outer is not None:
            parts.append(self._of(body.given[name], item, body.outer))
        return _union(parts)

    def _of_copy(self, call: CallExpr, body: Body) -> Fields | None:
        """The call of a method or function that copies all but some fields."""
        func, args = call.func, call.args
        keywords = frozenset(each.name for each in call.keywords if each.name is not None)
        name = last_name(func)
        if name in self.methods or len(keywords) < len(call.keywords) or _has_star(args):
            return None
        if name == "tree_at":
            replaced = _chosen(args[0], body.program) if len(args) > 1 else None
            return None if replaced is None else _union((replaced, self._of(args[1], None, body)))
        if len(args) == 1 and name == "replace":
            base = args[0]
        elif not args and isinstance(func, AttrExpr):
            base = func.value
        else:
            return None
        replaced = keywords | _GRADIENTS if name == "apply_gradients" else keywords
        return _union((replaced, self._of(base, None, body)))

    def _of_call(self, call: CallExpr, item: int | None, body: Body) -> Fields | None:
        """The call of functions of the project, each of which returns a copy of what it is given."""
        if _has_star(call.args):
            return None
        if body.depth >= COPIES.most:
            REACHED["copies"] += 1
            return None
        parts: list[Fields | None] = []
        for code, program, path in self.callees(body.path, call.nid):
            params = [param.name for param in code.params if param.kind in "pn"]
            if code.in_class and isinstance(call.func, AttrExpr) and len(params) > len(call.args):
                params = params[1:]
            given = dict(zip(params, call.args, strict=False))
            given.update({each.name: each.value for each in call.keywords if each.name is not None})
            inner = Body(code, program, path, given, body, body.depth + 1)
            returns = [each.value for each in statements(code.body) if isinstance(each, ReturnStmt)]
            if not returns or code.is_generator or code.is_async:
                return None
            parts += [self._of(each, item, inner) for each in returns]
        return _union(parts) if parts else None


def changes_other_fields(code: Code, program: Program, nid: int, programs: Collection[Program]) -> bool:
    """Whether no assignment to an attribute, or to a variable of a module, replaces the fields of it that a
    function reads, once it is made: each puts a copy there."""
    found = fields_read(code, program, nid)
    named = (part for part in walk(*code.body) if isinstance(part, (AttrExpr, NameExpr)))
    read = next((part for part in named if part.nid == nid), None)
    if found is None or read is None:
        return False
    fields, called = found
    methods = frozenset(each.name for one in programs for each in one.codes if each.in_class)
    if called or not fields.isdisjoint(methods):
        return False
    replacing = Replacing(lambda path, call: (), methods)
    homes = programs if isinstance(read, AttrExpr) else (program,)
    holder = _holder_of(read.name, code, program)
    for home in homes:
        for each in home.codes:
            if each.in_class and each.name in _MAKERS:
                continue
            for number in _assignments_to(read, each, holder):
                replaced = replacing.fields(Body(each, home, ""), number)
                if replaced is None or not fields.isdisjoint(replaced):
                    return False
    return True


def _holder_of(name: str, code: Code, program: Program) -> Code:
    """The function, or the module's body, whose variable a function reads under a name."""
    around = [each for each in program.codes if code.qualname.startswith(f"{each.qualname}.")]
    found = [each for each in around if name in each.bound]
    return max(found, key=lambda each: len(each.qualname), default=program.body)


def _assignments_to(read: AttrExpr | NameExpr, code: Code, holder: Code) -> Iterator[int]:
    """The numbers of the targets in a function that have the name of an attribute, or of a variable of a
    function or module. What that assigns first, where it is no parameter, makes what is there."""
    is_own = code is holder
    elsewhere = code.nonlocal_names | code.global_names
    if isinstance(read, NameExpr) and not is_own and read.name not in elsewhere:
        return
    numbers = [
        target.nid
        for target, _ in assigned(code.body)
        if isinstance(target, type(read)) and target.name == read.name
    ]
    is_given = any(param.name == read.name for param in code.params)
    yield from numbers[is_own and not is_given :] if isinstance(read, NameExpr) else numbers


def fields_read(code: Code, program: Program, nid: int) -> tuple[Fields, Fields] | None:
    """The fields that a function reads of what the expression with this number gives, and those of them that
    it calls. None: maybe all."""
    reads: list[AttrExpr] | None = None
    for part in walk(*code.body):
        if isinstance(part, AttrExpr) and _is_numbered(part.value, nid):
            reads = [part]
        elif isinstance(part, AssignStmt) and _is_numbered(part.value, nid):
            if len(part.targets) != 1 or not isinstance(target := part.targets[0], NameExpr):
                return None
            reads = _reads_of_name(code, program, target.name)
    if reads is None:
        return None
    calls = (part for part in walk(*code.body) if isinstance(part, CallExpr))
    called = {call.func.nid for call in calls if isinstance(call.func, AttrExpr)}
    fields = frozenset(each.name for each in reads)
    return fields, frozenset(each.name for each in reads if each.nid in called)


def _reads_of_name(code: Code, program: Program, name: str) -> list[AttrExpr] | None:
    """The attributes that are read of a variable that is assigned once, where that is all that is done."""
    found: list[AttrExpr] = []
    mentions = 0
    for part in walk(*code.body):
        if isinstance(part, NameExpr):
            mentions += part.name == name
        elif isinstance(part, AttrExpr) and isinstance(part.value, NameExpr) and part.value.name == name:
            found.append(part)
        elif isinstance(part, ClassStmt):
            return None
        elif isinstance(part, (DefStmt, LambdaExpr)) and name in program.codes[part.index].free:
            return None
    return found if mentions == len(found) + 1 else None


def _is_numbered(value: Expr, nid: int) -> bool:
    return isinstance(value, (AttrExpr, NameExpr, CallExpr, SubscriptExpr)) and value.nid == nid


def _has_star(values: Iterable[Expr]) -> bool:
    return any(isinstance(each, StarExpr) for each in values)


def _chosen(where: Expr, program: Program) -> Fields | None:
    """The fields in which `lambda tree: (tree.a, tree.b.c)` finds what it gives."""
    if not isinstance(where, LambdaExpr):
        return None
    code = program.codes[where.index]
    own = code.params[0].name if code.params else ""
    found = set()
    for each in _given(code):
        outer = None
        while isinstance(each, (AttrExpr, SubscriptExpr)):
            outer, each = each, each.value
        if not isinstance(outer, AttrExpr) or not isinstance(each, NameExpr) or each.name != own:
            return None
        found.add(outer.name)
    return frozenset(found)


def _given(code: Code) -> Iterator[Expr]:
    """What a lambda gives: the items of a tuple, or one value."""
    for statement in code.body:
        if isinstance(statement, ReturnStmt):
            value = statement.value
            yield from value.items if isinstance(value, TupleExpr) else (value,)


def _union(parts: Iterable[Fields | None]) -> Fields | None:
    found: Fields = frozenset()
    for part in parts:
        if part is None:
            return None
        found |= part
    return found


def _definitions(body: Iterable[Stmt], name: str) -> list[Found] | None:
    """What assignments give a variable; None where something else binds it, too."""
    found: list[Found] = []
    for statement in statements(body):
        if isinstance(statement, AssignStmt):
            for target in statement.targets:
                for each, item in _targets(target):
                    if isinstance(each, NameExpr) and each.name == name:
                        found.append((statement.value, item))
                    elif isinstance(each, (TupleExpr, StarExpr)) and _names(name, each):
                        return None
        elif isinstance(statement, (ForStmt, AugmentedStmt, AnnotatedStmt)):
            if _names(name, statement.target):
                return None
        elif isinstance(statement, WithStmt):
            if any(_names(name, value, target) for value, target in statement.items):
                return None
    return found


def _names(name: str, *nodes: Node | None) -> bool:
    return any(isinstance(part, NameExpr) and part.name == name for part in walk(*nodes))


def _targets(target: Expr) -> Iterator[Found]:
    """The parts of a target, and which item of the value each gets."""
    if not isinstance(target, TupleExpr) or _has_star(target.items):
        yield target, None
    else:
        yield from ((each, number) for number, each in enumerate(target.items))


def gives_changed_copy(code: Code, program: Program, within: Sequence[Code] = ()) -> bool:
    """Whether all that a function does is to give back a changed copy of an argument or a part of it: what
    `x.at[i].set(v)`, `state.replace(n=1)`, `dataclasses.replace(p, x=v)`, `jnp.clip(x, 0, 1)` or
    `jax.tree.map(f, tree)` give, or another such function of the module. `within`: those that call this one.
    """
    copies = {param.name for param in code.params}
    given = _given_back(code.body, copies, set(), program, (*within, code))
    return bool(given) and all(given or ())


def _given_back(
    body: Sequence[Stmt], copies: set[str], made: set[str], program: Program, within: Sequence[Code]
) -> list[bool] | None:
    """For each `return` in a block whether it gives a changed copy; None where the block does something else.
    `copies`: the variables that hold an argument, or a copy of one; `made`: those that hold a changed one."""
    found: list[bool] = []
    for statement in body:
        if isinstance(statement, ExprStmt) and isinstance(statement.value, ConstExpr):
            continue  # the docstring
        if isinstance(statement, ReturnStmt):
            value = statement.value
            found.append(last_name(value) in made or _is_changed_copy(value, copies, program, within))
        elif isinstance(statement, IfStmt) and _only_computes(statement.test):
            for block in (statement.body, statement.orelse):
                inner = _given_back(block, set(copies), set(made), program, within)
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
                if _is_changed_copy(statement.value, copies, program, within):
                    made.add(name)
                    copies.add(name)
                else:
                    copies.discard(name)
        else:
            return None
    return found


def _is_copier(name: str, program: Program, within: Sequence[Code]) -> bool:
    """Whether a function of a module, by its name, gives a changed copy."""
    found = program.function(name)
    return found is not None and found not in within and gives_changed_copy(found, program, within)


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


def _is_changed_copy(node: Expr, copied: Collection[str], program: Program, within: Sequence[Code]) -> bool:
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
            return any(_is_changed_copy(each, copied, program, within) for each in given)
        name = last_name(node.func)
        if name in _MAP_NAMES and len(node.args) > 1:
            if not maps_purely(node, program):
                return False
            owner = node.args[1]
        elif name == "tree_at" and len(node.args) > 1:
            owner = node.args[1]
        elif name in _SAME_SHAPE and not _computes(dotted(node.func)):
            return False
        elif name in _COPYING or (name in _SAME_SHAPE and node.args):
            owner = node.args[0] if node.args else node.func
        elif isinstance(node.func, NameExpr) and node.args and _is_copier(name, program, within):
            owner = node.args[0]
        else:
            return False
    while isinstance(owner, AttrExpr):
        owner = owner.value
    return last_name(owner) in copied or _is_changed_copy(owner, copied, program, within)
