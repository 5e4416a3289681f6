"""Which calls of a function give values that nothing reads, or of which only the shape is read; and which
are arms of one selection, in its text or by way of variables, so that one of them is read at most.

In: the lowered code of a function or a module. Out: by the number of the call, `unread` where its value is
assigned and never read, or read for its shape only (a dummy input of `init`, a model whose leaves a file
replaces), and `discarded` where it is an expression statement. The names of a module may be imported: they
count as read unless all that reads them here wants a shape.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from jaxlint.ir.nodes import (
    AssignStmt,
    BoolExpr,
    CallExpr,
    ClassStmt,
    ComprehensionExpr,
    ConditionalExpr,
    DefStmt,
    Expr,
    LambdaExpr,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    Stmt,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.value_reads import SELECTS, Arms, Text, enter, items_of, numbers_in, target_names, text_of
from jaxlint.ir.walks import last_name, number_of, plain, reads_clock, walk

READ_ALL = frozenset("locals vars eval exec dir globals breakpoint".split())
"""Functions that may read a variable by its name as a text."""


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
        self.shaped: set[int] = set()  # the reads that want a shape only, or wait
        self.waited: set[int] = set()  # those that wait, for which a buffer has to be there
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
                for number, arm in enumerate(items_of(value)):
                    for part in numbers_in(arm, program):
                        enter(self.arms, part, {(reads[0], number)})
        if self.arms and not is_module:
            self._select_variables(outer)
        for names, value in reversed(own.assigned):
            if all(self._is_unread(name, value, is_module) and name not in outer for name in names):
                self._leave_out(value)
        if not is_module and reads_clock(*code.body):
            self._leave_out_carried(outer)

    def _leave_out(self, value: Expr) -> None:
        """What only a value is made of that nothing reads is read no more than it."""
        for each in walk(value):
            if isinstance(each, CallExpr):
                self.unused[each.nid] = "unread"
            elif isinstance(each, NameExpr):
                self.shaped.add(each.nid)
                self.loads[each.name].add(True)

    def _leave_out_carried(self, outer: frozenset[str]) -> None:
        """What a loop that is timed hands from turn to turn, and nothing else reads."""
        left = [
            (names, value)
            for names, value in self._own.assigned
            if names and "" not in names and outer.isdisjoint(names)
        ]
        before = -1
        while len(left) != before:
            before = len(left)
            inside = {
                each.nid for _, value in left for each in walk(value) if isinstance(each, NameExpr)
            } | self.shaped
            left = [
                (names, value)
                for names, value in left
                if all(inside.issuperset(self.reads.get(name, ())) for name in names)
            ]
        for _, value in left:
            self._leave_out(value)

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
        self.waited |= text.waited
        self._maps += text.maps
        for code in text.nested:
            self._add(text_of(code, program, texts), program, texts, own.union(code.bound))

    def _select_leaves(self, call: CallExpr, program: Program, texts: dict[Code, Text]) -> None:
        """`jax.tree.map(select, a, b)` takes each leaf of one or of the other."""
        selected = _selected_by(call.args[0], program, texts)
        for position, each in enumerate(call.args[1:]):
            if position in selected:
                for number in numbers_in(each, program):
                    enter(self.arms, number, {((call.nid, what), arm) for what, arm in selected[position]})

    def _select_variables(self, outer: frozenset[str]) -> None:
        """What goes into variables that are read in one arm only is in that arm, and so is what functions do
        that are."""
        into: dict[str, list[tuple[Sequence[str], Sequence[int]]]] = {}
        for names, value in self._own.bound:
            numbers = [*numbers_in(value, self._program)]
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
                for number in numbers_in(value, self._program):
                    enter(self.arms, number, common)

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
        for each in map(plain, self._body):
            if isinstance(each, AssignStmt):
                last = max(number_of(part) or 0 for part in walk(each))
                for name in target_names(each.targets):
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


def _selected_by(
    func: Expr, program: Program, texts: dict[Code, Text]
) -> dict[int, frozenset[tuple[Hashable, Hashable]]]:
    """Which arguments of a function are read in arms of its selections only, by position."""
    if isinstance(func, CallExpr) and last_name(func.func) == "partial" and len(func.args) == 2:
        if last_name(func.args[0]) in SELECTS:
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


def _calls(node: Expr) -> Iterator[int]:
    """The numbers of the calls in an expression."""
    return (each.nid for each in walk(node) if isinstance(each, CallExpr))


def replaced_definitions(program: Program) -> frozenset[int]:
    """The functions, by their place among those of a module, that a later definition in the same body
    replaces before anything may have called them."""
    bodies = [each.body for each in (program.body, *program.codes)]
    bodies += [each.body for each in program.classes]
    return frozenset(index for body in bodies for index in _replaced_in(body, program))


def _replaced_in(body: Sequence[Stmt], program: Program) -> Iterator[int]:
    """Those defined directly in a body of which nothing up to the later definition, and nothing that this one
    evaluates, mentions the name."""
    defined: dict[str, list[tuple[int, DefStmt]]] = {}
    for place, statement in enumerate(body):
        if isinstance(statement, DefStmt):
            defined.setdefault(program.codes[statement.index].name, []).append((place, statement))
    for name, places in defined.items():
        for (_, first), (end, second) in pairwise(places):
            heads = definition_heads(program.codes[second.index])
            if not any(_mentions(each, name, program) for each in (*body[:end], *heads)):
                yield first.index


def definition_heads(code: Code) -> list[Node]:
    """What the definition of a function evaluates: decorators, defaults and annotations."""
    heads = [each for param in code.params for each in (param.default, param.annotation)]
    return [each for each in (*code.decorators, code.returns, *heads) if each is not None]


def _mentions(node: Node, name: str, program: Program) -> bool:
    """Whether a variable of this name, or all variables, may be read in a node or in what it defines."""
    stack: list[tuple[Node, frozenset[str]]] = [(node, program.body.bound)]
    while stack:
        outer, own = stack.pop()
        for part in walk(outer):
            if isinstance(part, NameExpr):
                if part.name == name or (part.name in READ_ALL and part.name not in own):
                    return True
            elif isinstance(part, (DefStmt, LambdaExpr)):
                inner = program.codes[part.index]
                stack += [(each, own) for each in definition_heads(inner)]
                stack += [(each, own | inner.bound) for each in inner.body]
            elif isinstance(part, ClassStmt):
                record = program.classes[part.index]
                parts = [*record.bases, *record.decorators, *record.body]
                stack += [(each, own) for each in (*parts, *(value for _, value in record.keywords))]
    return False


def reads_all(name: str, code: Code, program: Program) -> bool:
    """Whether a name, read in a function or in one inside, is one of Python's functions that may read any
    variable by its name as a text: nothing around binds the name."""
    if name not in READ_ALL:
        return False
    around = (each for each in program.codes if code.qualname.startswith(f"{each.qualname}."))
    return not any(name in each.bound for each in (program.body, code, *around))


_COLLECTIONS = frozenset(("list", "tuple", "set", "dict"))


def dropped_in(statement: Expr, program: Program) -> Iterator[CallExpr]:
    """The calls inside of an expression statement whose values nothing takes: `f(x)` in `f(x) if flag else
    None`, `flag and f(x)`, `[f(x) for x in xs]`, `list(map(lambda x: f(x), xs))`."""
    if not isinstance(statement, ComprehensionExpr) or statement.kind != "generator":
        for each in _dropped_parts(statement, program):
            yield from _dropped(each, program)


def _dropped(node: Expr, program: Program) -> Iterator[CallExpr]:
    if isinstance(node, CallExpr):
        yield node
    for each in _dropped_parts(node, program):
        yield from _dropped(each, program)


def _dropped_parts(node: Expr, program: Program) -> Sequence[Expr]:
    """The parts of an expression that nothing takes where nothing takes its value."""
    if isinstance(node, ConditionalExpr):
        return node.body, node.orelse
    if isinstance(node, BoolExpr):
        return (node.right,)
    if isinstance(node, (TupleExpr, ListExpr)):
        return node.items
    if isinstance(node, ComprehensionExpr):
        return (node.element,)
    func = node.func if isinstance(node, CallExpr) else None
    if not isinstance(node, CallExpr) or not isinstance(func, NameExpr) or func.name not in _COLLECTIONS:
        return ()
    given = node.args[0] if len(node.args) == 1 else None
    if isinstance(given, ComprehensionExpr):
        return (given,)
    mapped = given.args[0] if isinstance(given, CallExpr) and last_name(given.func) == "map" else None
    body = program.codes[mapped.index].body if isinstance(mapped, LambdaExpr) else ()
    return [each.value for each in body if isinstance(each, ReturnStmt)]
