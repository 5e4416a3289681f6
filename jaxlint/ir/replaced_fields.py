"""Which fields of what an attribute holds an assignment replaces, and which fields a function reads.

In: the text of an assignment `owner.name = value`, and the functions that its calls lead to. Out: the fields
that differ from those of what was there, where the new value is a copy of it, as `state.replace(step=1)` is.
It refuses to know what the values are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from jaxlint.ir.constant_attributes import assigned, is_alike
from jaxlint.ir.limits import COPIES, REACHED
from jaxlint.ir.loop_carried import statements
from jaxlint.ir.nodes import (
    OPAQUE,
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    CallExpr,
    ClassStmt,
    DefStmt,
    Expr,
    ForStmt,
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
from jaxlint.ir.walks import last_name, nodes_of, walk

Fields = frozenset[str]
Found = tuple[Expr, int | None]  # an expression, and which item of its value

# static fields of the TrainState of flax, and of that of flax nnx, whose `graphdef` has no leaves: a state
# that is made of another one has those of it
STATIC_FIELDS = frozenset(("apply_fn", "graphdef", "tx"))
# what of an array is the same for all of one shape and dtype
_SHAPES = frozenset(("shape", "dtype", "ndim", "size"))
STATIC_PARTS = STATIC_FIELDS | _SHAPES
_OF_LEAF = "dtype"  # what the leaves of a pytree keep where it is replaced
_LEAVES = frozenset(("leaves", "tree_leaves"))  # functions that list the leaves of their argument
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
# functions and methods that give a changed copy of a record
COPYING = frozenset(("replace", "_replace", "apply_gradients", "tree_at"))
STATIC_PART: Final = OpaqueExpr()  # where the constant stands that says which item is read: one of these

_MAKERS = frozenset(("__init__", "__post_init__", "setup"))  # methods that set what an object begins with
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
            is_copy = item is None and last_name(value.func) in COPYING
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
            replaced = chosen(args[0], body.program) if len(args) > 1 else None
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
    named = (part for part in nodes_of(code.body) if isinstance(part, (AttrExpr, NameExpr)))
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


def read_for_part(node: Expr, part: str) -> NameExpr | AttrExpr | None:
    """The variable or the attribute of which no more is read than what is the same for all of one structure:
    that part of it, or the dtype of an item or a leaf of it."""
    if part == _OF_LEAF:
        while isinstance(node, (SubscriptExpr, CallExpr)):
            if isinstance(node, SubscriptExpr):
                node = node.value
            elif last_name(node.func) in _LEAVES and len(node.args) == 1 and not node.keywords:
                node = node.args[0]
            else:
                break
    return node if part in STATIC_PARTS and isinstance(node, (NameExpr, AttrExpr)) else None


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
    for part in nodes_of(code.body):
        if isinstance(part, AttrExpr) and _is_numbered(part.value, nid):
            reads = [part]
        elif isinstance(part, AssignStmt) and _is_numbered(part.value, nid):
            if len(part.targets) != 1 or not isinstance(target := part.targets[0], NameExpr):
                return None
            reads = _reads_of_name(code, program, target.name)
    if reads is None:
        return None
    calls = (part for part in nodes_of(code.body) if isinstance(part, CallExpr))
    called = {call.func.nid for call in calls if isinstance(call.func, AttrExpr)}
    fields = frozenset(each.name for each in reads)
    return fields, frozenset(each.name for each in reads if each.nid in called)


def _reads_of_name(code: Code, program: Program, name: str) -> list[AttrExpr] | None:
    """The attributes that are read of a variable that is assigned once, where that is all that is done."""
    found: list[AttrExpr] = []
    mentions = 0
    for part in nodes_of(code.body):
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


def chosen(where: Expr, program: Program) -> Fields | None:
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
