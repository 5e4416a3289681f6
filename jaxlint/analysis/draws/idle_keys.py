"""Children of splits that are handed on, and come back, and nothing is ever made of them.

In: a split, and the function contexts that a call leads to. Out: whether a child of it is idle: all that its
function does with it is to unpack, pack, bind, delete and call with it functions of the program that do no
more, and what these give back of it is idle too; or to call what gives something that nothing reads; or to
make an object that keeps it where neither its methods nor the function reads it, or where whatever reads it
sets it first; or to put it into a field of a record or a dict, where a copy with another key takes its place
before it is read. Lists, trees and loops over them are followed. What is under a test that the calls answer
otherwise does not count. What its function gives back of it is followed into the callers, up to `start`. A
child that this one returns is not idle: who gets it may draw.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence, Set
from functools import lru_cache

from jaxlint.analysis.consumption import Place, spent_in
from jaxlint.analysis.draws.kept_keys import is_set_again_in, is_unread_in
from jaxlint.analysis.draws.untaken import is_untaken
from jaxlint.analysis.function_context import FunctionContext, below
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import (
    SOMEWHERE,
    SPLIT,
    WAS_SPLIT,
    Field,
    Path,
    Somewhere,
    has_key,
    is_each,
    is_part,
    item_path,
    keys_in,
)
from jaxlint.domain.objects import CONSTRUCTION, Class, Environment, Key, Module
from jaxlint.domain.values import Product, Value
from jaxlint.ir.liveness import Liveness
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    Clause,
    ComprehensionExpr,
    ConstExpr,
    DeleteStmt,
    DictExpr,
    Expr,
    ExprStmt,
    ForStmt,
    Keyword,
    ListExpr,
    NameExpr,
    Node,
    ReturnStmt,
    SliceExpr,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code, Program
from jaxlint.ir.replaced_fields import COPYING, chosen
from jaxlint.ir.split_children import Children, children_of, surroundings
from jaxlint.ir.walks import calls_by_number, last_name, number_of, walk

# where a call gives, at each position, what the function gives there
_AS_RETURNED = frozenset(
    ("", "jit", "pmap", "vmap", "checkpoint", "cond", "switch", "scan", "while_loop", "fori_loop", "map")
)
# of those the ones that give the function nothing of what it gives back
_ONCE = _AS_RETURNED - {"scan", "while_loop", "fori_loop"}
_FROM_THE_START = -1
# what makes of lists and trees others of the same items, or goes through them
_PACKS = frozenset(("list", "tuple", "zip", "enumerate", "reversed", "unflatten", "tree_unflatten"))
_VIEWS = frozenset(("items", "values"))
_RECORDS = frozenset(("dataclass", "namedtuple"))
_STREAMS = frozenset(("iterator", "stream"))


def is_idle(split: Place, child: int, start: FunctionContext, modules: Sequence[Module]) -> bool:
    """Whether the child at this position of a split, in one of the functions that `start` leads to, is idle
    in all calls of that function. modules: those of the program."""
    module, number = split
    text = children_of(module.program)
    code = text.home_of(number)
    if code is None or code.is_lambda:
        return False
    node = calls_by_number(code.body).get(number)
    contexts = [each for each in below([start]) if each.module is module and each.code is code]
    if node is None or not contexts:
        return False
    reached = below([start])
    for each in contexts:
        returned: set[Path] | None = None if each is start else set()
        flow = _KeyFlow(each, _tokens(each, split, child), text, returned, modules)
        if not flow.is_idle_in(node, (child,)):
            return False
        if returned and not _is_idle_above(each, returned, start, reached, frozenset(), modules):
            return False
    return True


def _is_idle_above(
    context: FunctionContext,
    paths: Set[Path],
    start: FunctionContext,
    reached: Set[FunctionContext],
    seen: frozenset[FunctionContext],
    modules: Sequence[Module],
) -> bool:
    """Whether the functions that call this one, up to `start`, make nothing of what it gives back at these
    places."""
    if context in seen or any(each.transform not in _ONCE for each in context.links):
        return False
    for caller, number in context.users:
        if caller not in reached or context not in caller.callees:
            continue
        call = calls_by_number(caller.code.body).get(number)
        if call is None or caller.code.is_generator or caller.code.is_async:
            return False
        returned: set[Path] | None = None if caller is start else set()
        flow = _KeyFlow(caller, {}, children_of(caller.module.program), returned, modules)
        if not all(flow.is_idle_in(call, path) for path in paths):
            return False
        if returned and not _is_idle_above(caller, returned, start, reached, seen | {context}, modules):
            return False
    return True


def _tokens(context: FunctionContext, split: Place, child: int) -> Mapping[Hashable, Path]:
    """What a function calls the children of a split in it, where it hands them on, and one of them, each with
    where that child is in there; none where there are several. Where nothing is known of the key that is
    split, the children are those of an array that is new."""
    spent = spent_in(context.env.vars)
    found: dict[bool, set[Hashable]] = {True: set(), False: set()}
    for token in [token for handed in context.handed.values() for token in handed.values()]:
        array = token[0] if is_part(token) else token
        if isinstance(array, tuple) and len(array) == 3 and array[1] == SPLIT:
            found[True] |= {array for each in spent.uses((array[0], WAS_SPLIT, None)) if each.place == split}
        if is_part(token) and isinstance(array, tuple) and array[0] == "new":
            found[False].add(array)
    arrays = found[True] or found[False]
    if len(arrays) != 1:
        return {}
    array = arrays.pop()
    return {array: (child,), (array, "[]", child): ()}


class _KeyFlow:
    """What one function context does with a key. tokens: those that have the key, with where it is in there;
    none where it is not handed to functions of the program, or they are not known. returned: where in its
    result the key comes back; None where it must not. seen: the variables that are being followed."""

    def __init__(
        self,
        context: FunctionContext,
        tokens: Mapping[Hashable, Path],
        text: Children,
        returned: set[Path] | None,
        modules: Sequence[Module],
    ) -> None:
        self.modules = modules
        self.context = context
        self.tokens = tokens
        self.text = text
        self.returned = returned
        self.code = context.code
        self.nodes, self.around = surroundings(self.code)
        self.seen: set[tuple[str, Path, int]] = set()

    def stays(self, target: Expr, path: Path, after: int) -> bool:
        """Whether nothing is made of the key that a target is bound to."""
        if isinstance(target, NameExpr):
            return self.is_left(target.name, path, after)
        if isinstance(target, AttrExpr) and self.returned is not None and self._is_own(target):
            self.returned.add((target.name, *path))
            return True
        if isinstance(target, AttrExpr) and self._is_set_again(target):
            return True
        place = path[0] if path else None
        if not isinstance(target, TupleExpr) or not isinstance(place, (int, Somewhere)):
            return False
        items = target.items
        first = next((at for at, each in enumerate(items) if isinstance(each, StarExpr)), len(items))
        inner, left = item_path(path), items[first:]
        if isinstance(place, Somewhere):
            left = items
        elif place < first:
            left = items[place : place + 1]
        elif len(left) == 1:
            inner = (place - first, *path[1:])
        targets = [each.value if isinstance(each, StarExpr) else each for each in left]
        return bool(left) and all(self.stays(each, inner, after) for each in targets)

    def _is_own(self, target: AttrExpr) -> bool:
        """Whether the constructor of a class sets an attribute that no method of the class reads."""
        func = self.context.func
        if func is None or func.cls is None or self.code.name != "__init__" or not self.code.params:
            return False
        owner = self.code.params[0].name
        is_of_object = isinstance(target.value, NameExpr) and target.value.name == owner
        return is_of_object and is_unread_in(func.cls, target.name)

    def _is_set_again(self, target: AttrExpr) -> bool:
        """Whether an attribute that a constructor sets holds keys, and is set again before it is read."""
        func = self.context.func
        if func is None or func.cls is None or self.code.name not in CONSTRUCTION or not self.code.params:
            return False
        owner = self.context.env.vars.get(self.code.params[0].name)
        if not isinstance(target.value, NameExpr) or target.value.name != self.code.params[0].name:
            return False
        held = self.context.env.vars.get(("@", id(owner), target.name))
        is_stream = isinstance(held, Product) and held.kind in _STREAMS
        if not (is_stream or isinstance(held, (Key, Tuple, MutableContainer))):
            return False  # what is made of a key may have drawn from it, or hold it elsewhere, too
        makers = {each.parent.code: each.nid for each in self.context.links if each.parent is not None}
        return is_set_again_in(func.cls, target.name, self.modules, makers)

    def is_left(self, name: str, path: Path, after: int) -> bool:
        """Whether nothing is made of the key in a variable from there on."""
        if name in self.code.global_names or name in self.code.nonlocal_names:
            return False
        if (name, path, after) in self.seen:
            return True
        self.seen.add((name, path, after))
        reads = self.text.reads_in(self.code, name, after)
        if path and isinstance(path[0], Field):
            end = self.text.next_binding(self.code, f"{name}.{path[0]}", after)
            reads = [each for each in reads if end is None or each <= end]
        reads = [each for each in reads if not is_untaken(self.context, each)]
        return all(each in self.nodes and self.is_idle_in(self.nodes[each], path) for each in reads)

    def is_idle_in(self, node: Node, path: Path) -> bool:
        """Whether nothing is made of the key in the value of an expression."""
        around = self.around.get(id(node))
        if isinstance(around, (ExprStmt, DeleteStmt)):
            return True
        if isinstance(around, AssignStmt):
            end = max(number_of(each) or 0 for each in walk(around))
            return node is around.value and all(self.stays(each, path, end) for each in around.targets)
        if isinstance(around, ReturnStmt):
            if self.returned is not None:
                self.returned.add(path)
            return self.returned is not None
        if isinstance(around, (ForStmt, Clause)):
            return node is around.iterable and self._is_idle_in_turns(around, path)
        if isinstance(around, ComprehensionExpr):
            return self.is_idle_in(around, SOMEWHERE)
        if isinstance(around, (TupleExpr, ListExpr)):
            before = around.items[: _position(around.items, node)]
            return not any(isinstance(each, StarExpr) for each in before) and self.is_idle_in(
                around, (len(before), *path)
            )
        if path and isinstance(path[0], str):
            found = self._is_idle_in_record(node, around, path)
            if found is not None:
                return found
        if isinstance(around, SubscriptExpr) and node is around.value and path and isinstance(path[0], int):
            index = around.index.value if isinstance(around.index, ConstExpr) else None
            is_other = type(index) is int and index >= 0 and index != path[0]
            return is_other or self.is_idle_in(around, _taken(around, path))
        if isinstance(around, DictExpr):
            return self._is_idle_in_dict(node, around, path)
        word = around.name if isinstance(around, Keyword) else None
        if isinstance(around, (Keyword, StarExpr)):
            around = self.around.get(id(around))
        if not isinstance(around, CallExpr) or node is around.func:
            return False
        if self._is_kept_aside(around):
            return True
        is_unread = _unused(self.code, self.context.module.program).get(around.nid) == "unread"
        if is_unread or around.nid in self.context.quiet:
            return True
        if path and isinstance(path[0], Field):
            return self._is_record_left(around, node, path)
        packed = self._packed(around, node, path)
        if packed:
            return self.is_idle_in(around, packed)
        name = self._field_of(around, node, word)
        if name is not None:
            return self.is_idle_in(around, (Field(name), *path))
        return self._is_given_back(around)

    def _is_idle_in_turns(self, loop: ForStmt | Clause, path: Path) -> bool:
        """Whether nothing is made of the key in what a loop goes through."""
        if not path or not isinstance(path[0], (int, Somewhere)):
            return False
        nodes = (loop.target, loop.iterable) if isinstance(loop, ForStmt) else (loop.target,)
        end = max(number_of(each) or 0 for each in walk(*nodes))
        return self.stays(loop.target, item_path(path), end)

    def _packed(self, call: CallExpr, node: Node, path: Path) -> Path:
        """Where the key is in a list, a tree or an iterator that a call makes of an argument; empty where the
        call does more with it."""
        name = last_name(call.func)
        place = next((at for at, each in enumerate(call.args) if each is node), None)
        if not path or place is None or self._called(call) or isinstance(path[0], Field):
            return ()
        if name == "zip":
            return (*SOMEWHERE, place, *item_path(path))
        if name == "enumerate":
            return (*SOMEWHERE, 1, *item_path(path))
        return SOMEWHERE if name in _PACKS else ()

    def _is_idle_in_tree(self, node: Node, around: Node | None, path: Path) -> bool | None:
        """Whether nothing is made of the key in a list or a tree, where an item of it is read, or all are.
        None: neither is done."""
        if isinstance(around, SubscriptExpr) and node is around.value:
            return self.is_idle_in(around, _taken(around, path))
        if not isinstance(around, AttrExpr):
            return None
        outer = self.around.get(id(around))
        is_view = isinstance(outer, CallExpr) and outer.func is around and around.name in _VIEWS
        return is_view and path == SOMEWHERE and outer is not None and self.is_idle_in(outer, SOMEWHERE)

    def _is_idle_in_record(self, node: Node, around: Node | None, path: Path) -> bool | None:
        """Whether nothing is made of the key in a field of the value of an expression, where an attribute or
        an item of it is read or set. None: neither is done."""
        if isinstance(path[0], Somewhere):
            return self._is_idle_in_tree(node, around, path)
        if isinstance(around, SubscriptExpr) and node is around.value:
            index = around.index.value if isinstance(around.index, ConstExpr) else None
            name = index if isinstance(index, str) else None
        elif isinstance(around, AttrExpr):
            name = around.name if around.name != "__dict__" else None
        else:
            return None
        outer = self.around.get(id(around))
        if isinstance(path[0], Field):
            if isinstance(outer, CallExpr) and outer.func is around:
                return self._is_record_left(outer, node, path)
            if any(each.code.name == name for each in self.context.callees):
                return False  # a property
            if isinstance(outer, AssignStmt) and around is not outer.value:
                return name is not None
        if name is None:
            return False
        return name != path[0] or self.is_idle_in(around, path[1:])

    def _is_idle_in_dict(self, node: Node, around: DictExpr, path: Path) -> bool:
        """Whether nothing is made of the key in a dict that is written out."""
        place = next((at for at, (_, value) in enumerate(around.items) if value is node), None)
        if place is None:
            return False
        key, later = around.items[place][0], [each for each, _ in around.items[place + 1 :]]
        if key is None:  # all items of another dict
            if not path or not isinstance(path[0], Field):
                return False
            return ConstExpr(str(path[0])) in later or self.is_idle_in(around, path)
        name = key.value if isinstance(key, ConstExpr) else None
        return isinstance(name, str) and self.is_idle_in(around, (Field(name), *path))

    def _field_of(self, call: CallExpr, node: Node, word: str | None) -> str | None:
        """The field of a record, or the item of a dict, that a call makes of an argument; None where the call
        may do more with it."""
        if self._called(call):
            return None
        name = last_name(call.func)
        if name in COPYING:
            return None if name == "tree_at" else word
        if not isinstance(call.func, NameExpr):
            return None
        found = self._value_of(name)
        if found is None and name == "dict":
            return word
        if not isinstance(found, Class) or not found.has_any_mark(_RECORDS):
            return None
        if any(found.lookup(each) is not None for each in CONSTRUCTION):
            return None
        if word is not None:
            return word
        fields = [*found.all_fields()]
        place = next((at for at, each in enumerate(call.args) if each is node), len(fields))
        is_plain = not any(isinstance(each, StarExpr) for each in call.args[:place])
        return fields[place] if is_plain and place < len(fields) else None

    def _value_of(self, name: str) -> Value | None:
        """What a variable of the function, or of one around it, holds."""
        env: Environment | None = self.context.env
        while env is not None:
            if name in env.vars:
                return env.vars[name]
            env = env.parent
        return None

    def _called(self, call: CallExpr) -> list[FunctionContext]:
        """What a call leads to, in functions of the program."""
        user = self.context, call.nid
        return [each for each in self.context.callees if user in each.users]

    def _is_record_left(self, call: CallExpr, node: Node, path: Path) -> bool:
        """Whether a call that is given a record with the key in a field, or is of a method of it, makes
        nothing of the key."""
        called = self._called(call)
        if called:
            return all(self._is_left_by(each, call, path) for each in called)
        name, first = last_name(call.func), next(iter(call.args), None)
        words = {each.name for each in call.keywords}
        if name == "tree_at":
            fields = chosen(call.args[0], self.context.module.program) if call.args else None
            is_gone = len(path) == 1 and fields is not None and path[0] in fields
            return node in call.args[1:2] and (is_gone or self.is_idle_in(call, path))
        is_method = isinstance(call.func, AttrExpr) and call.func.value is node
        if (name in COPYING and (is_method or node is first)) or (name == "dict" and node is first):
            return path[0] in words or self.is_idle_in(call, path)
        return False

    def _is_left_by(self, context: FunctionContext, call: CallExpr, path: Path) -> bool:
        """Whether a function that is given a record with the key makes nothing of it, nor this one of what
        that gives back of it."""
        code = context.code
        if context.running or code.is_generator or code.is_async:
            return False
        returned: set[Path] = set()
        flow = _KeyFlow(context, {}, children_of(context.module.program), returned, self.modules)
        given = [
            param.name
            for param, value in zip(code.params, context.arguments, strict=False)
            if has_key(value, path)
        ]
        if not given or not all(flow.is_left(each, path, _FROM_THE_START) for each in given):
            return False
        if returned and any(each.transform not in _ONCE for each in context.links):
            return False
        return all(self.is_idle_in(call, each) for each in returned)

    def _is_kept_aside(self, call: Node) -> bool:
        """Whether what calls make of the key is assigned to an attribute that is set again before it is
        read."""
        while isinstance(call, CallExpr):
            call = self.around[id(call)]
        if not isinstance(call, AssignStmt) or len(call.targets) != 1:
            return False
        return isinstance(call.targets[0], AttrExpr) and self._is_set_again(call.targets[0])

    def _is_given_back(self, call: CallExpr) -> bool:
        """Whether the functions that a call hands the key to make nothing of it, nor this one of what they
        give back of it."""
        found: set[Path] = set()
        is_handed, spent = False, spent_in(self.context.env.vars)
        for (number, context), handed in self.context.handed.items():
            for inner, outer in handed.items() if number == call.nid else ():
                path = self._path_in(outer)
                if path is None:
                    continue
                is_handed = True
                if not all(each.own for each in spent.uses(outer) if each.nid == number):
                    return False
                back = self._back(context, inner, path, number)
                if back is None or (back and outer not in self.tokens):
                    return False
                if context.code.name == "__init__" and last_name(call.func) == "__init__":
                    return False  # of a class below, whose object it is
                found |= back
        return is_handed and all(self.is_idle_in(call, path) for path in found)

    def _path_in(self, token: Hashable) -> Path | None:
        """Where in the key or keys of this token the key is, which may be one that is taken in turn."""
        if is_part(token) and is_each(token) and token[0] in self.tokens:
            return self.tokens[token[0]][1:]
        return self.tokens.get(token)

    def _back(self, context: FunctionContext, token: Hashable, within: Path, number: int) -> set[Path] | None:
        """Where in what a function gives back the key is that is in there in what it is given; None where
        more is made of it."""
        func = context.func
        links = [
            each
            for each in context.links
            if each.parent is self.context and (each.nid == number or each.transform)
        ]
        if func is None or func.code.is_generator or func.code.is_async or context.running or not links:
            return None
        returned: set[Path] = set()
        tokens = {token: within, (token, "[]", within[0]): within[1:]} if within else {token: within}
        flow = _KeyFlow(context, tokens, children_of(func.module.program), returned, self.modules)
        for param, value in zip(func.code.params, context.arguments, strict=False):
            for each, path in keys_in(value):
                if each == token and not flow.is_left(param.name, (*path, *within), _FROM_THE_START):
                    return None
        if returned and any(each.transform not in _AS_RETURNED for each in links):
            return None
        return returned


def _taken(item: SubscriptExpr, path: Path) -> Path:
    """Where the key may be in an item, or a slice, of what holds it at this place."""
    inner = item_path(path)
    return (*SOMEWHERE, *inner) if isinstance(item.index, SliceExpr) else inner


def _position(items: Sequence[Expr], node: Node) -> int:
    return next(position for position, each in enumerate(items) if each is node)


@lru_cache(maxsize=64)
def _unused(code: Code, program: Program) -> Mapping[int, str]:
    """The calls of a function whose values nothing reads."""
    return Liveness(code, program).unused
