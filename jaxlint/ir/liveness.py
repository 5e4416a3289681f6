"""Which calls of a function give values that nothing reads, or of which only the shape is read; and which
are arms of one selection, in its text or by way of variables, so that one of them is read at most.

In: the lowered code of a function or a module. Out: by the number of the call, `unread` where its value is
assigned and never read, or read for its shape only (a dummy input of `init`, a model whose leaves a file
replaces), and `discarded` where it is an expression statement. The names of a module may be imported: they
count as read unless all that reads them here wants a shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
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
    CompareExpr,
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
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.walks import children, dotted, last_name, number_of, structure_of, suites, walk

Arms: TypeAlias = "dict[int, frozenset[tuple[Hashable, Hashable]]]"
"""By the number of a call or of the read of a variable: the selections it is in, each with the arm, or with
those of which it is in one."""

_SHAPES = frozenset("shape dtype ndim size itemsize nbytes aval sharding".split())
# functions that look at nothing but the shapes of their arguments
_SHAPE_ONLY = frozenset(
    "eval_shape zeros_like ones_like empty_like full_like ShapeDtypeStruct make_jaxpr tabulate".split()
)
# functions that put what was saved in place of the leaves of an argument: its position and its name
_TEMPLATES = {
    "tree_deserialise_leaves": (1, "like"),
    "from_bytes": (0, "target"),
    "from_state_dict": (0, "target"),
    "restore_checkpoint": (1, "target"),
}
# methods that make parameters for the shapes of what follows the key
_INIT = frozenset(("init", "lazy_init"))
_STARTS = ("init", "param", "mean", "position")  # in the names of arguments whose values count
_SELECTS = frozenset(("where", "select"))
_PICKS = frozenset(("select", "choose"))  # functions that take one of a list
_COLLECTS = frozenset(("stack", "array", "asarray"))
_WAITS = "block_until_ready"
_NEGATED = {"!=": "==", "is not": "is", "not in": "in"}


class Liveness:
    """What becomes of the values of calls, in a function and the functions in it."""

    def __init__(self, code: Code, program: Program, texts: dict[Code, Text] | None = None) -> None:
        """`texts`: those known of functions of this program, to which others are added."""
        texts = {} if texts is None else texts
        own = text_of(code, program, texts)
        self.loads: dict[str, set[bool]] = {}  # by name: whether only its shape is read, for each read
        self.unused: dict[int, str] = {}  # by call
        self.reads: dict[str, list[int]] = {}  # by name: the numbers of the reads
        self.arms: Arms = {}
        self.shaped: set[int] = set()  # the reads that want a shape only
        self._own = own
        self._program = program
        self._body = code.body
        self._maps: list[CallExpr] = []
        self._add(own, program, texts)
        is_module, outer = code is program.body, code.global_names | code.nonlocal_names
        for call in self._maps:
            self._select_leaves(call, program, texts)
        for names, value in own.assigned:
            reads = [read for name in names for read in self.reads.get(name, ())]
            if len(reads) == 1 and reads[0] in own.picked:
                for number, arm in enumerate(_items_of(value)):
                    for part in _numbers(arm, program):
                        _enter(self.arms, part, {(reads[0], number)})
        if self.arms and not is_module:
            self._select_variables(outer)
        for names, value in reversed(
            own.assigned
        ):  # what only such a value is made of is read no more than it
            if all(self._is_unread(name, value, is_module) and name not in outer for name in names):
                for each in walk(value):
                    if isinstance(each, CallExpr):
                        self.unused[each.nid] = "unread"
                    elif isinstance(each, NameExpr):
                        self.shaped.add(each.nid)
                        self.loads[each.name].add(True)

    def _add(
        self, text: Text, program: Program, texts: dict[Code, Text], own: frozenset[str] = frozenset()
    ) -> None:
        """`own`: names that mean something else in an inner function."""
        for name, shapes in text.loads.items():
            if name not in own:
                self.loads.setdefault(name, set()).update(shapes)
                self.reads.setdefault(name, []).extend(text.reads[name])
        self.unused.update(text.unused)
        self.arms.update(text.arms)
        self.shaped |= text.shaped
        self._maps += text.maps
        for code in text.nested:
            self._add(text_of(code, program, texts), program, texts, own.union(code.bound))

    def _select_leaves(self, call: CallExpr, program: Program, texts: dict[Code, Text]) -> None:
        """`jax.tree.map(select, a, b)` takes each leaf of one or of the other."""
        selected = _selected_by(call.args[0], program, texts)
        for position, each in enumerate(call.args[1:]):
            if position in selected:
                for number in _numbers(each, program):
                    _enter(self.arms, number, {((call.nid, what), arm) for what, arm in selected[position]})

    def _select_variables(self, outer: frozenset[str]) -> None:
        """What goes into variables that are read in one arm only is in that arm, and so is what functions do
        that are."""
        into: dict[str, list[tuple[Sequence[str], Sequence[int]]]] = {}
        for names, value in self._own.bound:
            numbers = [*_numbers(value, self._program)]
            for name in names:
                into.setdefault(name, []).append((names, numbers))
        for names, value in reversed(self._own.bound):
            reads = {read for name in names for read in self._reads_of(name, value)} - self.shaped
            back = [numbers for name in names for others, numbers in into[name] if {*others} <= {*names}]
            # `x = 2 * x` reads what goes into `x` again
            reads = reads.difference(*back) or reads
            if not reads or not outer.isdisjoint(names):
                continue
            common = _common([self.arms.get(read, frozenset()) for read in reads])
            if common:
                for number in _numbers(value, self._program):
                    _enter(self.arms, number, common)

    def _reads_of(self, name: str, value: Node) -> Iterable[int]:
        """The reads of a variable that may see a value that is assigned to it."""
        reads, spans = self.reads.get(name, ()), self._spans.get(name, {})
        if id(value) not in spans:
            return reads
        first, last = spans[id(value)]
        until = min((end for start, end in spans.values() if start > first), default=None)
        here = set(self._own.reads.get(name, ()))
        reads = [read for read in reads if read not in here or last < read]
        return [read for read in reads if not until or read <= until]  # also in functions that come later

    @cached_property
    def _spans(self) -> dict[str, dict[int, tuple[int, int]]]:
        """Where the body of the function itself, no block in it, assigns a variable: the first number and the
        last one of each such statement, by the identity of the value."""
        found: dict[str, dict[int, tuple[int, int]]] = {}
        for each in self._body:
            if isinstance(each, AssignStmt):
                last = max(number_of(part) or 0 for part in walk(each))
                for name in _target_names(each.targets):
                    found.setdefault(name, {})[id(each.value)] = each.nid, last
        return found

    def _is_unread(self, name: str, value: Expr, is_module: bool) -> bool:
        loads = self.loads.get(name)
        if loads is None:
            return not is_module or name == "_"
        if all(loads):
            return True
        reads = self._reads_of(name, value) if True in loads else ()
        return bool(reads) and self.shaped.issuperset(reads)

    @cached_property
    def holders(self) -> dict[int, Sequence[str]]:
        """The variables that the value of a call goes into."""
        return {number: names for names, value in self._own.assigned for number in _calls(value)}

    @cached_property
    def returns(self) -> dict[int, int]:
        """The calls in a `return`, and the last number in that."""
        found: dict[int, int] = {}
        for statement in self._own.returned:
            last = max(number_of(each) or 0 for each in walk(statement))
            found.update(dict.fromkeys(_calls(statement.value), last))
        return found

    def leaves_unread(self, earlier: int, later: int) -> bool:
        """Whether the function returns with the later call, and has not read the value of the earlier one."""
        names, last = self.holders.get(earlier), self.returns.get(later)
        if not names or last is None:
            return False
        return not any(earlier < read <= last for name in names for read in self.reads.get(name, ()))


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
        self.maps: list[CallExpr] = []  # calls that map a function over leaves of several trees
        self.picked: set[int] = set()  # the reads of collections of which an index takes one item
        self.bound: list[tuple[Sequence[str], Expr | DefStmt]] = []  # in the order of the text
        self.returned: list[ReturnStmt] = []
        self.nested: list[Code] = []
        self.outermost = True
        self._body = code.body
        self._params = {param.name for param in code.params}
        self._block(code.body)

    @cached_property
    def assigned(self) -> Sequence[tuple[Sequence[str], Expr]]:
        """The variables that statements assign, with the values."""
        return [(names, value) for names, value in self.bound if not isinstance(value, DefStmt)]

    def _block(self, body: Sequence[Stmt]) -> None:
        for statement in body:
            if isinstance(statement, AssignStmt):
                names = [*_target_names(statement.targets)]
                if self.outermost and "" not in names:
                    self.bound.append((names, statement.value))
                for target in statement.targets:
                    self._target(target)
                self._expr(statement.value, False)
            elif isinstance(statement, ExprStmt):
                for number in _discarded(statement.value):
                    self.unused.setdefault(number, "discarded")
                self._expr(statement.value, False)
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
        for block in suites(statement):
            self._block(block)

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
            if isinstance(node, BinaryExpr) and node.operator == "*":
                self._mask(node.left, node.right)
                self._mask(node.right, node.left)
            for part in children(node):
                self._expr(part, shape)

    def _item(self, node: SubscriptExpr) -> None:
        """`(a, b)[i]` takes one of the items, where `i` is not written out."""
        if isinstance(node.index, (ConstExpr, SliceExpr, TupleExpr, UnaryExpr)):
            return
        if isinstance(node.value, NameExpr):
            self.picked.add(node.value.nid)
        for number, each in enumerate(_items_of(node.value)):
            self._select(each, node.nid, number)

    def _mask(self, mask: Expr, value: Expr) -> None:
        """`(x == 1) * value` takes the value where `x` is 1."""
        if isinstance(mask, CompareExpr) and len(mask.rest) == 1:
            operator, arm = mask.rest[0]
            if operator == "==" and isinstance(arm, ConstExpr):
                self._select(value, dotted(mask.left), arm.value)

    def _select(self, node: Expr, selection: Hashable, arm: Hashable) -> None:
        if selection:
            for number in _numbers(node, self.program):
                _enter(self.arms, number, {(selection, arm)})

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
        listed = _items_of(args[1]) if name in _PICKS and len(args) > 1 else ()
        for number, item in enumerate(args[1:] if name == "select_n" else listed):
            self._select(item, node.nid, number)
        if name in _SELECTS and len(args) == 3 and not listed:
            asked, sense = self._asked_by(args[0])
            for arm, each in enumerate(args[1:]):
                self._select(each, asked or node.nid, arm if sense else 1 - arm)
        several = _items_of(args[1]) if name == "switch" and len(args) > 1 else ()
        for number, branch in enumerate(args[1:3] if name == "cond" else several):
            self._select(branch, node.nid, number)
        if len(args) > 2 and (name == "tree_map" or (name == "map" and _is_of_tree(func))):
            self.maps.append(node)
        if shape:
            self.unused[node.nid] = "unread"
        self._expr(func, shape)
        template = _TEMPLATES.get(name, (-1, ""))
        for position, each in enumerate(args):
            only = name in _SHAPE_ONLY or (name in _INIT and position > 0) or template[0] == position
            self._expr(each, shape or only)
        for keyword in node.keywords:
            counts = keyword.name is None or _counts(keyword.name)
            only = name in _SHAPE_ONLY or (name in _INIT and bool(args) and not counts)
            only = only or template[1] == keyword.name
            self._expr(keyword.value, shape or only)


def _targets_of(statement: Stmt) -> Sequence[Expr]:
    if isinstance(statement, AssignStmt):
        return statement.targets
    return (statement.target,) if isinstance(statement, (AugmentedStmt, ForStmt)) else ()


def _is_of_tree(func: Expr) -> bool:
    return isinstance(func, AttrExpr) and last_name(func.value) == "tree"


def _selected_by(
    func: Expr, program: Program, texts: dict[Code, Text]
) -> dict[int, frozenset[tuple[Hashable, Hashable]]]:
    """Which arguments of a function are read in arms of its selections only, by position."""
    if isinstance(func, CallExpr) and last_name(func.func) == "partial" and len(func.args) == 2:
        if last_name(func.args[0]) in _SELECTS:
            return {arm: frozenset({(func.nid, arm)}) for arm in (0, 1)}
        return {}
    if isinstance(func, LambdaExpr):
        code = program.codes[func.index]
    else:
        name = func.name if isinstance(func, NameExpr) else ""
        named = [each for each in program.codes if each.name == name and not each.in_class]
        if len(named) != 1:
            return {}
        code = named[0]
    text = text_of(code, program, texts)
    found: dict[int, frozenset[tuple[Hashable, Hashable]]] = {}
    for position, param in enumerate(code.params):
        reads = [read for read in text.reads.get(param.name, ()) if read not in text.shaped]
        is_read_inside = any(param.name in text_of(each, program, texts).loads for each in text.nested)
        if reads and not is_read_inside:
            found[position] = _common([text.arms.get(read, frozenset()) for read in reads])
    return found


def _common(arms: Sequence[frozenset[tuple[Hashable, Hashable]]]) -> frozenset[tuple[Hashable, Hashable]]:
    """Of the selections that all of some reads are in the arms."""
    selections = set.intersection(*({selection for selection, _ in each} for each in arms))
    return frozenset(pair for each in arms for pair in each if pair[0] in selections)


def _enter(arms: Arms, number: int, found: Collection[tuple[Hashable, Hashable]]) -> None:
    arms[number] = arms.get(number, frozenset()).union(found)


def _counts(keyword: str) -> bool:
    """Whether the name of an argument is one of those whose values count."""
    return any(part in keyword for part in _STARTS) or "rng" in keyword


def _items_of(node: Expr) -> Sequence[Expr]:
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


def _target_names(targets: Sequence[Expr]) -> Iterator[str]:
    """The names that an assignment binds; an empty one for anything else."""
    for target in targets:
        for each in parts(target):
            yield each.name if isinstance(each, NameExpr) else ""


def _calls(node: Expr) -> Iterator[int]:
    """The numbers of the calls in an expression."""
    return (each.nid for each in walk(node) if isinstance(each, CallExpr))


def _numbers(node: Node, program: Program) -> Iterator[int]:
    """The numbers of the calls in an expression or a function, and of the variables that are read there."""
    for each in walk(node):
        if isinstance(each, (CallExpr, NameExpr)):
            yield each.nid
        elif isinstance(each, (LambdaExpr, DefStmt)):
            for part in program.codes[each.index].body:
                yield from _numbers(part, program)


def _discarded(node: Expr) -> Iterator[int]:
    """The calls whose value an expression statement drops, through `block_until_ready`."""
    if isinstance(node, CallExpr):
        yield node.nid
        func = node.func
        if isinstance(func, AttrExpr) and func.name == _WAITS:
            yield from _discarded(node.args[0] if node.args else func.value)
