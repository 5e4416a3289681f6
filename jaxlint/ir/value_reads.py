"""What one function does with its variables: where it reads them, and whether for a shape only.

In: the lowered code of a function. Out: its reads, its assignments, and the calls in it whose values are
dropped or asked for their shape. What is in the functions inside is in their own texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import TypeAlias

from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.loop_guards import mentions, names_in
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    ClassStmt,
    Clause,
    CompareExpr,
    ComprehensionExpr,
    ConditionalExpr,
    ConstExpr,
    DefStmt,
    DictExpr,
    Expr,
    ExprStmt,
    ForStmt,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SliceExpr,
    Stmt,
    SubscriptExpr,
    TupleExpr,
    UnaryExpr,
    WalrusExpr,
    WhileStmt,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import (
    children,
    dotted,
    last_name,
    nodes_of,
    number_of,
    plain,
    structure_of,
    suites,
    walk,
)

Arms: TypeAlias = "dict[int, frozenset[tuple[Hashable, Hashable]]]"
"""By the number of a call or of the read of a variable: the selections it is in, each with the arm, or with
those of which it is in one."""

_SHAPES = frozenset("shape dtype ndim size itemsize nbytes aval sharding".split())
# functions that look at nothing but the shapes of their arguments
_SHAPE_ONLY = frozenset(
    "eval_shape zeros_like ones_like empty_like full_like ShapeDtypeStruct make_jaxpr tabulate".split()
)
# the same, as functions of a module: what others call so may be anything
_ASKING = frozenset("shape ndim size result_type typeof structure tree_structure".split())
_LEAVES = frozenset(("leaves", "tree_leaves"))
# methods of arrays that ask for no number
_STATES = frozenset(("is_deleted", "is_ready"))
# functions that put what was saved in place of the leaves of an argument: its position and its name
TEMPLATES = {
    "tree_deserialise_leaves": (1, "like"),
    "from_bytes": (0, "target"),
    "from_state_dict": (0, "target"),
    "restore_checkpoint": (1, "target"),
}
# methods that make parameters for the shapes of what follows the key
_INIT = frozenset(("init", "lazy_init"))
# what makes a store of experience: for the shapes of an example
_STORES = re.compile(r"(^|_)(replay|buffer|memory)(_|$)", re.IGNORECASE)
_STARTS = ("init", "param", "mean", "position")  # in the names of arguments whose values count
SELECTS = frozenset(("where", "select"))
_PICKS = frozenset(("select", "choose"))  # functions that take one of a list
_COLLECTS = frozenset(("stack", "array", "asarray"))
_WAITS = "block_until_ready"
_KINDS = frozenset(("hasattr", "isinstance"))  # what asks of which kind a value is
_NEGATED = {"!=": "==", "is not": "is", "not in": "in"}


def text_of(code: Code, program: Program, texts: dict[Code, Text]) -> Text:
    found = texts.get(code)
    if found is None:
        found = texts[code] = Text(code, program)
    return found


class Text:
    """One walk over a function, without the functions in it: those are `nested`."""

    def __init__(self, code: Code, program: Program) -> None:
        self.program = program
        self.loads: dict[str, set[bool]] = {}
        self.reads: dict[str, list[int]] = {}
        self.unused: dict[int, str] = {}
        self.arms: Arms = {}
        self.shaped: set[int] = set()
        self.waited: set[int] = set()  # what is waited for: of this, too, the values are not read
        self.maps: list[CallExpr] = []  # calls that map a function over leaves of several trees
        self.picked: set[int] = set()  # the reads of collections of which an index takes one item
        self.bound: list[tuple[Sequence[str], Expr | DefStmt]] = []  # in the order of the text
        self.returned: list[ReturnStmt] = []
        self.nested: list[Code] = []
        self.outermost = True
        self._repeated = 0  # how many loops are around what is walked over
        self._body = code.body
        self._params = {param.name for param in code.params}
        self._block(code.body)

    @cached_property
    def assigned(self) -> Sequence[tuple[Sequence[str], Expr]]:
        """The variables that statements assign, with the values."""
        return [(names, value) for names, value in self.bound if not isinstance(value, DefStmt)]

    def _block(self, body: Sequence[Stmt]) -> None:
        for statement in map(plain, body):
            if isinstance(statement, AssignStmt):
                names = [*target_names(statement.targets)]
                if self.outermost and "" not in names:
                    self.bound.append((names, statement.value))
                for target in statement.targets:
                    self._target(target)
                self._expr(statement.value, False)
            elif isinstance(statement, ExprStmt):
                for number in _discarded(statement.value, self.program):
                    self.unused.setdefault(number, "discarded")
                waited = _waited(statement.value, self.program)
                if waited is not None:
                    self.waited.update(number_of(each) or 0 for each in walk(waited))
                self._expr(statement.value if waited is None else waited, waited is not None)
            elif isinstance(statement, ForStmt):
                self._target(statement.target)
                self._expr(statement.iterable, False)
                self._blocks(statement)
            elif isinstance(statement, AugmentedStmt):
                self._expr(statement.target, False)
                self._expr(statement.value, False)
            elif isinstance(statement, (DefStmt, ClassStmt)):
                if self.outermost and isinstance(statement, DefStmt):
                    self.bound.append(((self.program.codes[statement.index].name,), statement))
                self._expr(statement, False)
            elif isinstance(statement, ReturnStmt) and self.outermost:
                self.returned.append(statement)
                self._expr(statement.value, False)
            else:
                # What the blocks of handlers and cases assign counts as read: they are not left out here.
                inner = {id(each) for block in suites(statement) for each in block}
                for part in children(statement):
                    if id(part) not in inner:
                        self._expr(part, False)
                self._blocks(statement)

    def _blocks(self, statement: Stmt) -> None:
        is_loop = isinstance(statement, (ForStmt, WhileStmt))
        self._repeated += is_loop
        for block in suites(statement):
            self._block(block)
        self._repeated -= is_loop

    def _target(self, target: Expr) -> None:
        for each in parts(target):
            if isinstance(each, (AttrExpr, SubscriptExpr)):
                self._expr(each, False)

    def _expr(self, node: Node, shape: bool) -> None:
        """`shape`: only its shape is read."""
        if isinstance(node, NameExpr):
            name = node.name
            if shape:
                self.shaped.add(node.nid)
            self.loads.setdefault(name, set()).add(shape)
            self.reads.setdefault(name, []).append(node.nid)
        elif isinstance(node, AttrExpr):
            self._expr(node.value, shape or node.name in _SHAPES)
        elif isinstance(node, CallExpr):
            self._call(node, shape)
        elif isinstance(node, ComprehensionExpr):
            self._comprehension(node, shape)
        elif isinstance(node, SubscriptExpr):
            self._item(node)
            self._expr(node.value, shape)
            self._expr(node.index, shape)
        elif isinstance(node, (LambdaExpr, DefStmt)):
            self._nested(self.program.codes[node.index])
        elif isinstance(node, ClassStmt):
            record = self.program.classes[node.index]
            for each in (*record.bases, *(value for _, value in record.keywords), *record.decorators):
                self._expr(each, False)
            self._inside(record.body)
        else:
            if isinstance(node, ConditionalExpr) and not self._repeated:
                asked, sense = self._asked_by(node.test)
                for arm, each in enumerate((node.body, node.orelse)):
                    self._select(each, asked or node.nid, arm if sense else 1 - arm)
            if isinstance(node, BinaryExpr) and node.operator == "*":
                self._mask(node.left, node.right)
                self._mask(node.right, node.left)
            for part in children(node):
                self._expr(part, shape)

    def _maps_shapes(self, func: Expr) -> bool:
        """Whether a function that is mapped over leaves asks for their shapes only."""
        if not isinstance(func, LambdaExpr):
            return _is_for_shape(func)
        code = self.program.codes[func.index]
        return self._asks_for_shapes(code.body, {param.name for param in code.params})

    def _comprehension(self, node: ComprehensionExpr, shape: bool) -> None:
        """Of leaves that are only asked for their shapes no more is read."""
        self._repeated += 1
        for part in children(node):
            if not isinstance(part, Clause):
                self._expr(part, shape)
                continue
            asked = [node.element, *(test for _, test in part.tests)]
            names = {each.name for each in walk(part.target) if isinstance(each, NameExpr)}
            tree = part.iterable
            is_of_leaves = isinstance(tree, CallExpr) and _called(tree.func) in _LEAVES
            only = is_of_leaves and len(node.clauses) == 1 and self._asks_for_shapes(asked, names)
            self._expr(tree, shape or only)
            for each in (part.target, *(test for _, test in part.tests)):
                self._expr(each, shape)
        self._repeated -= 1

    def _asks_for_shapes(self, body: Sequence[Node], names: Collection[str]) -> bool:
        """Whether all that is read of variables is their shape, or whether they are deleted."""
        nodes = nodes_of(body)
        reads = {part.nid for part in nodes if isinstance(part, NameExpr) and part.name in names}
        owners = [
            node.value for node in nodes if isinstance(node, AttrExpr) and node.name in _SHAPES | _STATES
        ]
        return bool(reads) and reads <= {each.nid for each in owners if isinstance(each, NameExpr)}

    def _item(self, node: SubscriptExpr) -> None:
        """`(a, b)[i]` takes one of the items, where `i` is not written out."""
        if isinstance(node.index, (ConstExpr, SliceExpr, TupleExpr, UnaryExpr)):
            return
        if isinstance(node.value, NameExpr):
            self.picked.add(node.value.nid)
        for number, each in enumerate(items_of(node.value)):
            self._select(each, node.nid, number)

    def _mask(self, mask: Expr, value: Expr) -> None:
        """`(x == 1) * value` takes the value where `x` is 1."""
        if isinstance(mask, CompareExpr) and len(mask.rest) == 1:
            operator, arm = mask.rest[0]
            if operator == "==" and isinstance(arm, ConstExpr):
                self._select(value, dotted(mask.left), arm.value)

    def _select(self, node: Expr, selection: Hashable, arm: Hashable) -> None:
        if selection:
            for number in numbers_in(node, self.program):
                enter(self.arms, number, {(selection, arm)})

    def _nested(self, code: Code) -> None:
        for each in (*code.decorators, *(param.default for param in code.params)):
            if each is not None:
                self._expr(each, False)
        self.nested.append(code)

    def _inside(self, body: Sequence[Stmt]) -> None:
        outermost, self.outermost = self.outermost, False
        self._block(body)
        self.outermost = outermost

    def _asked_by(self, test: Expr) -> tuple[Hashable, bool]:
        """The test of a selection, without its negations, and whether it is not negated; None where it may be
        another test further on: what it reads is bound again, or it makes a call."""
        sense = True
        while isinstance(test, UnaryExpr) and test.operator in ("not", "~"):
            test, sense = test.operand, not sense
        if mentions(test, self._rebound) or any(
            isinstance(part, (CallExpr, WalrusExpr)) for part in walk(test)
        ):
            return None, True
        if isinstance(test, CompareExpr) and len(test.rest) == 1:
            operator, other = test.rest[0]
            if operator in _NEGATED:
                sense = not sense
                test = CompareExpr(test.nid, test.left, ((_NEGATED[operator], other),))
        return structure_of(test), sense

    @cached_property
    def _rebound(self) -> set[str]:
        """The variables of the function, and the names of attributes behind a dot, that are bound again."""
        targets = [target for each in statements(self._body) for target in _targets_of(each)]
        bound = Counter(name for target in targets for name in names_in(target))
        return {name for name, count in bound.items() if count > 1 or name in self._params}

    def _call(self, node: CallExpr, shape: bool) -> None:
        func, args = node.func, node.args
        name = _called(func)
        if isinstance(func, NameExpr) and name in initialisers(self.program):
            name = "init"
        listed = items_of(args[1]) if name in _PICKS and len(args) > 1 else ()
        for number, item in enumerate(args[1:] if name == "select_n" else listed):
            self._select(item, node.nid, number)
        if name in SELECTS and len(args) == 3 and not listed:
            asked, sense = self._asked_by(args[0])
            for arm, each in enumerate(args[1:]):
                self._select(each, asked or node.nid, arm if sense else 1 - arm)
        several = items_of(args[1]) if name == "switch" and len(args) > 1 else ()
        for number, branch in enumerate(args[1:3] if name == "cond" else several):
            self._select(branch, node.nid, number)
        if len(args) > 2 and _is_map(func, name):
            self.maps.append(node)
        if shape:
            self.unused[node.nid] = "unread"
        self._expr(func, shape)
        template = TEMPLATES.get(name, (-1, ""))
        is_store = len(args) == 1 and not node.keywords and _makes_store(func, name)
        maps_shapes = _is_map(func, name) and bool(args) and self._maps_shapes(args[0])
        for_shape = _is_for_shape(func) or is_store or maps_shapes
        for position, each in enumerate(args):
            only = for_shape or (name in _INIT and position > 0) or template[0] == position
            self._expr(each, shape or only)
        for keyword in node.keywords:
            counts = keyword.name is None or _counts(keyword.name)
            only = for_shape or (name in _INIT and bool(args) and not counts)
            only = only or template[1] == keyword.name
            self._expr(keyword.value, shape or only)


def _is_for_shape(func: Expr) -> bool:
    """Whether a function by its name looks at nothing but the shapes of its arguments."""
    name = _called(func)
    return name in _SHAPE_ONLY or (name in _ASKING and isinstance(func, AttrExpr))


def _makes_store(func: Expr, name: str) -> bool:
    """Whether a function by its name, and that of its object, makes an empty store of experience; a module
    that is called so is given a key besides the example."""
    if name in _INIT:
        return isinstance(func, AttrExpr) and bool(_STORES.search(last_name(func.value)))
    return name.startswith("init_") and bool(_STORES.search(name))


def _targets_of(statement: Stmt) -> Sequence[Expr]:
    if isinstance(statement, AssignStmt):
        return statement.targets
    return (statement.target,) if isinstance(statement, (AugmentedStmt, ForStmt)) else ()


def _is_map(func: Expr, name: str) -> bool:
    """Whether a function is mapped over the leaves of trees."""
    return name == "tree_map" or (
        name == "map" and isinstance(func, AttrExpr) and last_name(func.value) == "tree"
    )


def enter(arms: Arms, number: int, found: Collection[tuple[Hashable, Hashable]]) -> None:
    arms[number] = arms.get(number, frozenset()).union(found)


def _counts(keyword: str) -> bool:
    """Whether the name of an argument is one of those whose values count."""
    return any(part in keyword for part in _STARTS) or "rng" in keyword


def items_of(node: Expr) -> Sequence[Expr]:
    """The expressions of which a collection is written, also as the rows of an array."""
    if isinstance(node, CallExpr) and node.args and last_name(node.func) in _COLLECTS:
        node = node.args[0]
    if isinstance(node, DictExpr):
        return [value for _, value in node.items]
    return node.items if isinstance(node, (TupleExpr, ListExpr)) else ()


def _called(func: Expr) -> str:
    """The last part of the name of what is called, through a transform of it: `jit(model.init)(key, x)`."""
    while isinstance(func, CallExpr) and func.args and _called(func.func) not in _SHAPE_ONLY:
        func = func.args[0]
    if isinstance(func, CallExpr):
        return _called(func.func)
    if isinstance(func, AttrExpr) and func.name == "lower":
        return "eval_shape" if isinstance(func.value, CallExpr) else ""
    return last_name(func)


@lru_cache(maxsize=64)
def initialisers(program: Program) -> frozenset[str]:
    """The variables that hold the `init` of something, or what is made of that, wherever they are."""
    bound = Counter(param.name for code in program.codes for param in code.params)
    found: set[str] = set()
    for code in program.codes:
        for statement in map(plain, statements(code.body)):
            for target in _targets_of(statement):
                bound.update(names_in(target))
            if isinstance(statement, DefStmt):
                bound[program.codes[statement.index].name] += 1
            if isinstance(statement, AssignStmt) and _is_initialiser(statement.value):
                found.update(each.name for each in statement.targets if isinstance(each, NameExpr))
    return frozenset(name for name in found if bound[name] == 1)


def _is_initialiser(value: Expr) -> bool:
    while isinstance(value, CallExpr) and value.args and isinstance(value.func, (NameExpr, AttrExpr)):
        value = value.args[0]
    return isinstance(value, AttrExpr) and value.name in _INIT


def target_names(targets: Sequence[Expr]) -> Iterator[str]:
    """The names that an assignment binds; an empty one for anything else."""
    for target in targets:
        for each in parts(target):
            yield each.name if isinstance(each, NameExpr) else ""


def numbers_in(node: Node, program: Program) -> Iterator[int]:
    """The numbers of the calls in an expression or a function, and of the variables that are read there."""
    for each in walk(node):
        if isinstance(each, (CallExpr, NameExpr)):
            yield each.nid
        elif isinstance(each, (LambdaExpr, DefStmt)):
            for part in program.codes[each.index].body:
                yield from numbers_in(part, program)


def _waited(node: Expr, program: Program) -> Expr | None:
    """What an expression statement only waits for, as a whole or leaf by leaf."""
    if not isinstance(node, CallExpr):
        return None
    name = last_name(node.func)
    if name == _WAITS:
        return node.args[0] if node.args else node.func.value if isinstance(node.func, AttrExpr) else None
    is_map = len(node.args) == 2 and _is_map(node.func, name or "")
    return node.args[1] if is_map and _waits(node.args[0], program) else None


def _waits(func: Expr, program: Program) -> bool:
    """Whether a function does nothing with its argument but wait for it, where it can be waited for."""
    if not isinstance(func, LambdaExpr):
        return last_name(func) == _WAITS
    code = program.codes[func.index]
    given = code.body[-1].value if code.body and isinstance(code.body[-1], ReturnStmt) else None
    names = [param.name for param in code.params]
    if isinstance(given, ConditionalExpr) and isinstance(given.test, CallExpr):
        if last_name(given.test.func) not in _KINDS or not _is_name(given.orelse, names):
            return False
        given = given.body
    waited = None if given is None else _waited(given, program)
    return waited is not None and _is_name(waited, names)


def _is_name(node: Expr, names: Sequence[str]) -> bool:
    return isinstance(node, NameExpr) and [node.name] == names


def _discarded(node: Expr, program: Program) -> Iterator[int]:
    """The calls whose value an expression statement drops, through `block_until_ready`."""
    if isinstance(node, CallExpr):
        yield node.nid
        waited = _waited(node, program)
        if waited is not None:
            yield from _discarded(waited, program)


def is_place(node: Expr) -> bool:
    """Whether an expression stands for what goes on to be there: a variable, an attribute, an item, or the
    object itself as `super()`."""
    is_own = isinstance(node, CallExpr) and last_name(node.func) == "super"
    return is_own or isinstance(node, (NameExpr, AttrExpr, SubscriptExpr))


_REPLACING = frozenset(("replace", "_replace"))  # methods of records that give a changed copy


def is_of_place(node: CallExpr | SubscriptExpr | BinaryExpr) -> bool:
    """Whether what is called, where that is a method, belongs to what a variable, an attribute or an item
    holds, also through `.at[...]`."""
    func = node.func if isinstance(node, CallExpr) else node
    if not isinstance(func, AttrExpr):
        return True
    owner = func.value
    if isinstance(owner, SubscriptExpr) and isinstance(owner.value, AttrExpr) and owner.value.name == "at":
        owner = owner.value.value
    while isinstance(owner, CallExpr) and isinstance(owner.func, AttrExpr) and owner.func.name in _REPLACING:
        owner = owner.func.value
    return is_place(owner)
