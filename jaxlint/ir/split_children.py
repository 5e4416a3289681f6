"""Which children of a split a function reads, as its text says.

In: a program and the number of a `split` in it. Out: the positions of the children that are read before their
variable is bound again, and whether what a call gives is read at all. Where a key comes from and what is done
with the children is of no interest here.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from jaxlint.ir.loop_carried import parts, statements
from jaxlint.ir.mentions import APPLYING
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ClassStmt,
    Clause,
    ComprehensionExpr,
    ConstExpr,
    DefStmt,
    DeleteStmt,
    DictExpr,
    Expr,
    ForStmt,
    IfStmt,
    LambdaExpr,
    MatchStmt,
    NameExpr,
    Node,
    StarExpr,
    SubscriptExpr,
    TryStmt,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.program import ClassCode, Code, Program
from jaxlint.ir.walks import children, dotted, last_name, leaves, nodes_of, number_of, plain, suites, walk

# what makes of an array of keys a list, or a tree, of the same keys
_PACKS = frozenset(("list", "tuple", "unflatten", "tree_unflatten"))
_MAPS = frozenset(("map", "tree_map", "tree_multimap"))
# what runs a module of flax linen: it folds the path of the layer and a counter into each stream of keys
_LINEN = APPLYING | {"init", "init_with_output"}

_REST = 64  # a starred target takes the children up to this one: more are not told apart
ALL = frozenset(range(_REST))


class Binding(NamedTuple):
    """A statement that assigns. end: the last number in it, so that what follows has greater ones."""

    targets: Sequence[Expr]
    value: Expr
    end: int


class _Text:
    """What the text of a function says of its variables, without that of the functions in it.

    calls: the numbers of its calls and lambdas. bindings: by the number of a call or lambda, the first
    assignment of its value. bound: by variable, or attribute of one (`self.key`), the ends of the assignments
    to it, in order. reads: by the same, the numbers of where it is read, and of the functions and classes
    that mention it, in order. whole: by variable, the numbers of where more of it may be read than one
    attribute.
    takers: by the number of a read, the last name of the function of which it is the first argument. items:
    by the number of a call, the position that is taken of what it gives. inline: of those, the last name of
    the function of which that is the first argument. single: the numbers of calls that ask for one child.
    arms: the first and last numbers in the blocks of statements of which one block is run. leaving: those of
    the blocks that end where the function is left. loops: those of loops.
    """

    def __init__(self, code: Code, program: Program) -> None:
        self.calls: set[int] = set()
        self.bindings: dict[int, Binding] = {}
        self.bound: dict[str, list[int]] = {}
        self.reads: dict[str, list[int]] = {}
        self.whole: dict[str, list[int]] = {}
        self.takers: dict[int, str] = {}
        self.items: dict[int, int] = {}
        self.inline: dict[int, str] = {}
        self.single: set[int] = set()
        gone: set[int] = set()  # what `del` names
        for node in _nodes(*code.decorators, *(param.default for param in code.params)):
            if isinstance(node, (CallExpr, LambdaExpr)):
                self.calls.add(node.nid)
        for node in _nodes(*code.body):
            if isinstance(node, (CallExpr, LambdaExpr)):
                self.calls.add(node.nid)
            if isinstance(node, CallExpr):
                first = node.args[0] if node.args else None
                given = (*node.args[1:2], *(each.value for each in node.keywords if each.name == "num"))
                if any(isinstance(each, ConstExpr) and each.value == 1 for each in given):
                    self.single.add(node.nid)
                if isinstance(node.func, (NameExpr, AttrExpr)):
                    if isinstance(first, NameExpr):
                        self.takers[first.nid] = node.func.name
                    elif isinstance(first, SubscriptExpr) and isinstance(first.value, CallExpr):
                        self.inline[first.value.nid] = node.func.name
                    self.takers.update((number, "fold_in") for number in _streams(node))
            elif isinstance(node, SubscriptExpr):
                index = node.index.value if isinstance(node.index, ConstExpr) else None
                if isinstance(node.value, CallExpr) and type(index) is int and index >= 0:
                    self.items[node.value.nid] = index
            elif isinstance(node, DeleteStmt):
                gone.update(id(each) for each in node.targets if isinstance(each, NameExpr))
            elif isinstance(node, NameExpr) and id(node) not in gone:
                self.reads.setdefault(node.name, []).append(node.nid)
            elif isinstance(node, (DefStmt, LambdaExpr, ClassStmt)):
                is_class = isinstance(node, ClassStmt)
                inner = program.classes[node.index] if is_class else program.codes[node.index]
                for name in _mentioned(inner):
                    self.reads.setdefault(name, []).append(node.nid)
        self.arms: list[list[tuple[int, int]]] = []
        self.leaving: list[tuple[int, int]] = []
        self.loops: list[tuple[int, int]] = []
        self._read_blocks(code)
        self._read_attributes(code)
        for numbers in (*self.reads.values(), *self.bound.values()):
            numbers.sort()

    def _read_blocks(self, code: Code) -> None:
        """The assignments, and the blocks of which one is run, that are left or run again."""
        every = [*map(plain, statements(code.body))]
        for statement in every:
            if isinstance(statement, AssignStmt):
                self._bind(statement)
            elif isinstance(statement, (IfStmt, MatchStmt)):
                ranges = [(block, _range_of(block)) for block in suites(statement)]
                self.arms.append([each for _, each in ranges if each is not None])
                self.leaving += [each for block, each in ranges if each is not None and leaves(block)]
            elif isinstance(statement, (ForStmt, WhileStmt)) and (whole := _range_of((statement,))):
                self.loops.append(whole)
        if any(isinstance(each, TryStmt) for each in every):
            self.leaving = []  # what raises in there may go on

    def _read_attributes(self, code: Code) -> None:
        """Where attributes of variables are read. Methods, and what is given the object, may read any."""
        nodes = [*_nodes(*code.body)]
        assigned = {id(part) for each in nodes if isinstance(each, AssignStmt) for part in _parts_of(each)}
        called = {id(each.func) for each in nodes if isinstance(each, CallExpr)}
        alone: set[int] = set()
        for node in nodes:
            if isinstance(node, AttrExpr) and isinstance(node.value, NameExpr) and id(node) not in called:
                alone.add(node.value.nid)
                if id(node) not in assigned:
                    self.reads.setdefault(dotted(node), []).append(node.nid)
        for name in [each for each in self.reads if "." not in each]:
            self.whole[name] = [each for each in self.reads[name] if each not in alone]

    def _bind(self, statement: AssignStmt) -> None:
        end = max(number_of(node) or 0 for node in _nodes(statement))
        binding = Binding(statement.targets, statement.value, end)
        for node in _nodes(binding.value):
            if isinstance(node, (CallExpr, LambdaExpr)):
                self.bindings.setdefault(node.nid, binding)
        for target in binding.targets:
            for each in parts(target):
                if dotted(each):
                    self.bound.setdefault(dotted(each), []).append(binding.end)

    def is_attribute_read(self, name: str, after: int) -> bool:
        """Whether an attribute of a variable may be read after a number, before it is bound again: elsewhere,
        too, unless it is bound again here."""
        ends = self._beside(self.bound.get(name, ()), after)
        again = bisect_right(ends, after)
        if again == len(ends) or self.reads_of(name, after):
            return True
        whole = self.whole.get(name.partition(".")[0], ())
        return any(after < each <= ends[again] for each in whole)

    def reads_of(self, name: str, after: int) -> Sequence[int]:
        """Where a variable is read after a number, before it is bound again."""
        reads, ends = (self._beside(each.get(name, ()), after) for each in (self.reads, self.bound))
        first, again = bisect_right(reads, after), bisect_right(ends, after)
        return reads[first : None if again == len(ends) else bisect_right(reads, ends[again])]

    def along(self, numbers: Sequence[int], place: int, since: int) -> Sequence[int]:
        """Of these numbers those that the function may come to, from one on, when it comes to a place."""
        ends = [last for first, last in self.leaving if first <= place <= last]
        loops = [(first, last) for first, last in self.loops if not first <= since <= last]
        arms = [each for each in self.arms if not any(a <= first <= z for first, _ in each for a, z in loops)]
        return [each for each in self._beside(numbers, place, arms) if each <= min(ends, default=each)]

    def _beside(
        self, numbers: Sequence[int], after: int, branches: Sequence[Sequence[tuple[int, int]]] | None = None
    ) -> Sequence[int]:
        """These numbers, but for those in other arms of what a number is in one arm of."""
        others = [
            arm
            for arms in (self.arms if branches is None else branches)
            if any(first <= after <= last for first, last in arms)
            for arm in arms
            if not arm[0] <= after <= arm[1]
        ]
        if not others:
            return numbers
        return [each for each in numbers if not any(first <= each <= last for first, last in others)]


class Children:
    """Answers for the functions of one file."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.texts: dict[Code, _Text] = {}
        self.homes: dict[int, Code | None] = {}  # the function that a call is in, by the number of the call

    def read_of(self, split: int, place: int | None = None) -> Collection[int]:
        """The positions of the children of a split that are read, where one call of the function comes to
        a place, too."""
        found, home = self.binding_of(split), self.home_of(split)
        only = None if home is None else self._text(home).items.get(split)
        every = ALL if only is None else {only}
        if found is None:
            return every
        code, binding = found
        value = binding.value
        if only is not None and isinstance(value, SubscriptExpr):
            value = value.value
        if not isinstance(value, CallExpr) or value.nid != split or len(binding.targets) != 1:
            return every if self.is_result_read(split) else ()
        target = binding.targets[0]
        if only is not None or not isinstance(target, TupleExpr):
            return every if self._is_read(code, target, binding.end, place) else ()
        read: set[int] = set()
        for position, each in enumerate(target.items):
            if any(self._is_read(code, part, binding.end, place) for part in parts(each)):
                read |= set(range(position, _REST)) if isinstance(each, StarExpr) else {position}
        return read

    def is_single(self, split: int) -> bool:
        """Whether a split asks for one child, as `key = split(key, 1)[0]` does for the next key."""
        home = self.home_of(split)
        return home is not None and split in self._text(home).single

    def takers_of(self, split: int) -> dict[int, frozenset[str]]:
        """The functions whose first arguments the children of a split are, by position. What else may be done
        with a child is not known: it is left out."""
        home = self.home_of(split)
        inline = None if home is None else self._text(home)
        if inline is not None and split in inline.inline and split in inline.items:
            return {inline.items[split]: frozenset((inline.inline[split],))}
        found = self.binding_of(split)
        if found is None or len(found[1].targets) != 1:
            return {}
        code, binding = found
        target = binding.targets[0]
        if not isinstance(target, TupleExpr):
            return {}
        text = self._text(code)
        answers = {}
        for position, each in enumerate(target.items):
            if isinstance(each, StarExpr):
                break
            reads = text.reads_of(each.name, binding.end) if isinstance(each, NameExpr) else ()
            if reads and all(read in text.takers for read in reads):
                answers[position] = frozenset(text.takers[read] for read in reads)
        return answers

    def item_takers_of(self, split: int) -> frozenset[str] | None:
        """The functions whose first arguments the children of a split are, where they stay in an array or a
        tree of which loops and the like take one after the other; None where more may be done with them."""
        found = self.binding_of(split)
        value = None if found is None else found[1].value
        while isinstance(value, CallExpr) and value.nid != split and last_name(value.func) in _PACKS:
            value = value.args[-1] if value.args else None
        if found is None or not isinstance(value, CallExpr) or value.nid != split:
            return None
        code, binding = found
        return self._bound_items(code, binding.targets, binding.end, frozenset())

    def _bound_items(
        self, code: Code, targets: Sequence[Expr], after: int, seen: frozenset[int]
    ) -> frozenset[str] | None:
        """Which functions take the items of what is bound to a variable."""
        target = targets[0] if len(targets) == 1 else None
        if not isinstance(target, NameExpr) or {*code.global_names, *code.nonlocal_names} & {target.name}:
            return None
        found: set[str] = set()
        for read in self._text(code).reads_of(target.name, after):
            names = None if read in seen else self._item_takers(code, read, seen | {read})
            if names is None:
                return None
            found |= names
        return frozenset(found)

    def _item_takers(self, code: Code, read: int, seen: frozenset[int]) -> frozenset[str] | None:
        """Which functions take the items of a variable, as one read of it has it."""
        nodes, around = surroundings(code)
        node: Node | None = nodes.get(read)
        path: list[int] = []  # where the item is in what a loop takes in turn
        while node is not None:
            outer = around.get(id(node))
            if isinstance(outer, SubscriptExpr) and node is outer.value and not path:
                call = around.get(id(outer))
                is_taken = isinstance(call, CallExpr) and call.args[:1] == (outer,)
                return frozenset((last_name(call.func),)) if isinstance(call, CallExpr) and is_taken else None
            if isinstance(outer, Clause) and node is outer.iterable:
                scope = around.get(id(outer))
                return None if scope is None else self._turn_takers(code, outer.target, path, (scope,))
            if isinstance(outer, ForStmt) and node is outer.iterable:
                return self._turn_takers(code, outer.target, path, outer.body)
            if isinstance(outer, AssignStmt) and node is outer.value and not path:
                end = max(number_of(each) or 0 for each in _nodes(outer))
                return self._bound_items(code, outer.targets, end, seen)
            if not isinstance(outer, CallExpr) or node is outer.func:
                return None
            place = next((at for at, each in enumerate(outer.args) if each is node), None)
            name = last_name(outer.func)
            if place is None:
                return None
            if name in _MAPS and place and not path:
                return self._parameter_takers(code, outer.args[0], place - 1)
            if name not in (*_PACKS, "zip", "enumerate"):
                return None
            path = [place, *path] if name == "zip" else [1, *path] if name == "enumerate" else path
            node = outer
        return None

    def _turn_takers(
        self, code: Code, target: Expr, path: Sequence[int], scope: Sequence[Node]
    ) -> frozenset[str] | None:
        """Which functions take what a loop binds, in its body."""
        for place in path:
            items = target.items if isinstance(target, TupleExpr) else ()
            if place >= len(items) or any(isinstance(each, StarExpr) for each in items):
                return None
            target = items[place]
        if not isinstance(target, NameExpr) or target.name in self._text(code).bound:
            return None
        inside = set(map(number_of, walk(*scope)))
        reads = [each for each in self._text(code).reads.get(target.name, ()) if each != target.nid]
        is_loop = not isinstance(scope[0], ComprehensionExpr)
        if is_loop and any(read not in inside for read in reads):
            return None
        return self._takers_at(code, [read for read in reads if read in inside])

    def _parameter_takers(self, code: Code, func: Expr, position: int) -> frozenset[str] | None:
        """Which functions take a parameter of what maps a function over keys, by its position."""
        inner: Code | None = None
        if isinstance(func, LambdaExpr):
            inner = self.program.codes[func.index]
        elif isinstance(func, NameExpr):
            inner = self._function(code, func.name)
        params = () if inner is None else inner.params
        if inner is None or position >= len(params) or params[position].name in self._text(inner).bound:
            return None
        return self._takers_at(inner, self._text(inner).reads.get(params[position].name, ()))

    def _function(self, code: Code, name: str) -> Code | None:
        """The function that a name is: one that is defined in the function once, or one of the module."""
        if name not in code.bound:
            return self.program.function(name)
        defined = [
            self.program.codes[each.index] for each in nodes_of(code.body) if isinstance(each, DefStmt)
        ]
        named = [each for each in defined if each.name == name]
        return named[0] if len(named) == 1 and name not in self._text(code).bound else None

    def _takers_at(self, code: Code, reads: Sequence[int]) -> frozenset[str] | None:
        takers = self._text(code).takers
        return frozenset(takers[read] for read in reads) if all(read in takers for read in reads) else None

    def is_result_read(self, call: int) -> bool:
        """Whether all that a call gives is read, where it is assigned. A variable of a name that begins with
        an underscore is not meant to be read: it is a dummy."""
        found = self.binding_of(call)
        if found is None:
            return True
        code, binding = found
        parts_of = [part for target in binding.targets for part in parts(target)]
        targets = [
            each for each in parts_of if not (isinstance(each, NameExpr) and each.name.startswith("_"))
        ]
        return bool(targets) and all(self._is_read(code, each, binding.end) for each in targets)

    def reads_in(self, code: Code, name: str, after: int) -> Sequence[int]:
        """Where a function reads a variable after a number, before it is bound again; functions in it that
        mention the variable by their own numbers."""
        return self._text(code).reads_of(name, after)

    def next_binding(self, code: Code, name: str, after: int) -> int | None:
        """After a number, where a function has bound a variable, or an attribute of one, next after it."""
        ends = self._text(code).bound.get(name, ())
        again = bisect_right(ends, after)
        return ends[again] if again < len(ends) else None

    def binding_of(self, call: int) -> tuple[Code, Binding] | None:
        """The assignment that a call is in, through the lambdas around it."""
        code = self.home_of(call)
        while code is not None:
            binding = self._text(code).bindings.get(call)
            if binding is not None:
                return code, binding
            call = code.nid
            code = self.home_of(call) if code.is_lambda else None
        return None

    def home_of(self, call: int) -> Code | None:
        """The function that a call is in: nearly always the last one that begins before it, or the module."""
        if call not in self.homes:
            codes = self.program.codes
            last = bisect_right(codes, call, key=lambda code: code.nid) - 1
            order = chain((last, 0), range(last - 1, 0, -1), range(last + 1, len(codes)))
            found = (codes[place] for place in order if call in self._text(codes[place]).calls)
            self.homes[call] = next(found, None)
        return self.homes[call]

    def _text(self, code: Code) -> _Text:
        found = self.texts.get(code)
        if found is None:
            found = self.texts[code] = _Text(code, self.program)
        return found

    def _is_read(self, code: Code, target: Expr, after: int, place: int | None = None) -> bool:
        """Whether a variable, or an attribute of one, is read after a number, and not bound again before;
        others are read anywhere."""
        if isinstance(target, NameExpr):
            text = self._text(code)
            reads = text.reads_of(target.name, after)
            return bool(reads if place is None else text.along(reads, place, after))
        name = dotted(target) if isinstance(target, AttrExpr) and isinstance(target.value, NameExpr) else ""
        return not name or self._text(code).is_attribute_read(name, after)


@lru_cache(maxsize=512)
def children_of(program: Program) -> Children:
    """What the text of a file says of the splits in it."""
    return Children(program)


def _streams(call: CallExpr) -> Iterator[int]:
    """The numbers of the variables that a call gives a module of flax linen as streams of keys."""
    for word in call.keywords if last_name(call.func) in _LINEN else ():
        if word.name == "rngs" and isinstance(word.value, DictExpr):
            yield from (value.nid for _, value in word.value.items if isinstance(value, NameExpr))


def _range_of(block: Sequence[Node]) -> tuple[int, int] | None:
    """The first and the last number in a block."""
    numbers = [each for each in map(number_of, _nodes(*block)) if each is not None]
    return (min(numbers), max(numbers)) if numbers else None


def _parts_of(statement: AssignStmt) -> Iterator[Expr]:
    return (part for target in statement.targets for part in parts(target))


def _mentioned(inner: Code | ClassCode) -> set[str]:
    """The variables of those around it that a function or the body of a class mentions."""
    if isinstance(inner, Code):
        return {*inner.free, *inner.nonlocal_names, *inner.global_names}
    return {node.name for node in nodes_of(inner.body) if isinstance(node, NameExpr)}


def _nodes(*roots: Node | None) -> Iterator[Node]:
    """All nodes in some nodes, but the variables that an assignment binds."""
    stack = [root for root in roots if root is not None]
    while stack:
        node = plain(stack.pop())
        yield node
        if isinstance(node, AssignStmt):
            stack += [node.value, *(part for part in _parts_of(node) if not isinstance(part, NameExpr))]
        else:
            stack += children(node)


@lru_cache(maxsize=64)
def surroundings(code: Code) -> tuple[Mapping[int, NameExpr], Mapping[int, Node]]:
    """The reads of variables in a function, by number, and by the identity of a node what is around it."""
    names: dict[int, NameExpr] = {}
    around: dict[int, Node] = {}
    bound = {
        id(part)
        for each in map(plain, nodes_of(code.body))
        if isinstance(each, AssignStmt)
        for target in each.targets
        for part in parts(target)
    }
    for node in map(plain, nodes_of(code.body)):
        if isinstance(node, NameExpr) and id(node) not in bound:
            names[node.nid] = node
        around.update((id(each), node) for each in children(node))
    return names, around
