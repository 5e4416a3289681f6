"""Random keys: where they come from and what derives from them.

A part of an array of keys has the token `(array, how, which)`: an item `[]`, a slice `[:]`, or all of its
items in turn `[*]`. The children of a split have the token `(key, "split", shape)`: equal splits of one key
give equal children, so a split alone repeats nothing. That a key was split is kept under
`(key, "split!", None)`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from jaxlint.analysis.constant_keys import ConstantKeys
from jaxlint.analysis.consumption import Place, Walk
from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.interpreter import Interpreter
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.key_tokens import (
    EACH,
    FIRST,
    SPLIT,
    counters,
    cut_of,
    lanes,
    made_alike,
    parents,
    renamed,
    root_of,
    with_number,
)
from jaxlint.domain.objects import Instance, Key
from jaxlint.domain.questions import constants, first_of, map_tokens, with_token
from jaxlint.domain.values import (
    INT,
    UNKNOWN,
    Array,
    Const,
    Counter,
    Number,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.comprehensions import Comprehensions
from jaxlint.ir.def_use import def_use_of
from jaxlint.ir.limits import REACHED, SPLITS, TURNS
from jaxlint.ir.loop_guards import bound_by, mentions
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    BinaryExpr,
    CallExpr,
    ConstExpr,
    Expr,
    ExprStmt,
    NameExpr,
    Node,
    SliceExpr,
    SubscriptExpr,
    UnaryExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.walks import nodes_of, plain, structure_of, walk


class Keys:
    """The second domain that flows over the same engine."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        constants: ConstantKeys,
        consumption: KeyConsumption,
        comprehensions: Comprehensions,
        interpreter: Interpreter,
    ) -> None:
        self.comprehensions = comprehensions
        self.flow = flow
        self.core = core
        self.constants = constants
        self.consumption = consumption
        self.interpreter = interpreter

    # ---- numbers that are folded in

    def number(self, value: int, counted: bool = False) -> Any:
        """The token of a number that is known."""
        token = self.core.fresh()
        self.consumption.numbers[token] = value
        if counted:
            self.consumption.counted.add(token)
        return token

    def counter(self, start: Value) -> Value:
        """What a loop counts from `start`: each turn makes its own number of it."""
        known = isinstance(start, Const) and isinstance(start.value, int)
        return Number(("count", start.value)) if known else INT  # type: ignore[attr-defined]

    def turn_of(self, value: Value) -> int | None:
        """What a loop has counted to, in the turns that stand for all of its turns."""
        if type(value) is Number and value.token in self.consumption.counted:
            return self.consumption.numbers[value.token]
        return None

    @contextmanager
    def unspent(self) -> Iterator[None]:
        """What is only looked at, by `eval_shape` and the like, spends no keys, nor those that are spent."""
        before = self.flow.env.vars.get("$spent")
        looking, self.consumption.looking = self.consumption.looking, self.flow.frame
        self.constants.unconsuming += 1
        try:
            yield
        finally:
            self.constants.unconsuming -= 1
            self.consumption.looking = looking
            self.interpreter.calls.restore_spent(before)

    def consume_mapped(self, args: Sequence[Value], lifted: Sequence[Value], nid: int, name: str) -> None:
        """An array of keys is consumed where a mapped function consumes the key of a lane, and it is what the
        function was handed. lifted: the arguments as one lane has them."""
        self.consume_counted(counters(args, lifted), nid, name)
        for lane, whole in lanes(args, lifted):
            handed = self.flow.frame.handed
            for call in [each for each in handed if each[0] == nid and lane.token in handed[each].values()]:
                each = (whole.token, EACH, lane.token)
                handed[call] = {
                    inner: each if outer == lane.token else outer for inner, outer in handed[call].items()
                }
            spent = self.consumption.spent()
            for token in spent.derived_from((lane.token,)) if lane.token is not None else ():
                found = spent.uses(token)
                outer = renamed(found[0].token, lane.token, whole.token)
                made = (*whole.made, *found[0].made)
                self.consumption.consume_token(outer, nid, name, within=found[0], made=made)

    def consume_counted(self, counters: Sequence[tuple[Hashable, Hashable]], nid: int, name: str) -> None:
        """What a loop consumes of a key by the number of its turn, each loop consumes that counts alike."""
        for lane, count in counters:
            for uses in [*self.consumption.spent().all().values()]:
                whole = with_number(uses[0].token, lane, count)
                if whole != uses[0].token:
                    self.consumption.consume_token(whole, nid, name, within=uses[0], made=uses[0].made)

    def counted(self, made: Value, lane: Value, args: Sequence[Value], lifted: Sequence[Value]) -> Value:
        """The array of keys that a mapped function has made, `lane` for one lane: where it has folded in what
        it was handed of a count, such an array is the same again."""
        for number, count in counters(args, lifted) if isinstance(made, Key) else ():
            if isinstance(lane, Key) and (token := with_number(lane.token, number, count)) != lane.token:
                return with_token(made, token)
        return made

    # ---- arrays of keys

    def turns(self, iterable: Value, nid: int) -> tuple[list[Value], bool]:
        """Of an array of keys each turn takes an item of its own, and of a count a number."""
        if isinstance(iterable, Product) and iterable.kind == "range" and None not in iterable.parts[1:]:
            _, start, step = iterable.parts
            return [Number(self.number(start + turn * step, counted=True)) for turn in range(2)], False
        each = None
        if isinstance(iterable, Product) and iterable.kind == "iterator":
            if iterable.parts[1] is not None and len(iterable.parts[1]) <= TURNS.most:
                return list(iterable.parts[1]), True
            if len(iterable.parts) == 3 and isinstance(iterable.parts[2], tuple):
                return list(iterable.parts[2]), False  # the first rows of a product
            each = iterable.parts[0]
        if isinstance(iterable, Key):
            items = self.interpreter.containers.items_of_keys(iterable, iterable.count)
            if items is not None:
                return list(items), True
            each = self.interpreter.containers.iterate(iterable, nid)
            self.walk(iterable, each)
        if each is None or not self._is_walked(each):
            return self.comprehensions.plain_turns(iterable, nid)
        return [self._turn(each, turn, nid) for turn in range(2)], False

    def _turn(self, each: Value, turn: int, nid: int) -> Value:
        """What a loop takes in a turn, where keys or counts in it are others in each."""
        made = map_tokens(each, partial(self._step, turn), made_alike)
        if not isinstance(made, Tuple) or made.items is None:
            return made
        items = [
            self.core.one_of_many(item, nid, (turn, at)) if isinstance(item, MutableContainer) else item
            for at, item in enumerate(made.items)
        ]
        return Tuple(tuple(items), cls=made.cls)

    def first_of(self, stream: Product) -> Key | None:
        """The key that a stream of keys gives first, where it is asked for that: by what has made it."""
        if len(stream.parts) < 5:
            return None
        first, begun = stream.parts[2:4]
        if begun.items or self.core.origins[id(begun)][0] is not self.flow.frame:
            return None
        begun.items = [first]
        return first  # type: ignore[no-any-return]

    def begin_turn(self, value: Value) -> None:
        """A loop goes on to this: of objects that are made with one key, the next one has that key as yet,
        whatever those before it have made of theirs."""
        for each in value.items or () if isinstance(value, Tuple) else (value,):
            if not isinstance(each, Instance) or not each.alike:
                continue
            for name in each.attributes:
                mark = ("@", id(each), name)
                held = self.flow.env.vars.get(mark)
                first = first_of(each, held.token) if isinstance(held, (Key, Unknown)) else None
                if held is not None and first is not None:
                    self.flow.env.vars[mark] = with_token(held, first)

    def walk(self, array: Key, item: Value, is_part: bool = False) -> None:
        """An item stands for each item of an array in turn, or of the first ones: how many is not known."""
        if isinstance(item, Key):
            whole = (array.token, "[:]", FIRST) if is_part else array.token
            self.consumption.walks[item.token] = Walk(whole, None, 0)

    def _is_walked(self, value: Value) -> bool:
        items = value.items or () if isinstance(value, Tuple) else (value,)
        return any(
            (isinstance(item, Key) and item.token in self.consumption.walks)
            or (isinstance(item, Number) and item.token[0] == "count")  # type: ignore[index]
            for item in items
        )

    def _step(self, turn: int, token: Any) -> Any:
        if isinstance(token, tuple) and token[0] == "count":
            return self.number(token[1] + turn, counted=True)
        new, walk = self.core.fresh(), self.consumption.walks.get(token)
        if walk is not None:
            self.consumption.walks[new] = Walk(walk.array, token, len(self.flow.frame.iterations))
        return new if token is not None else None

    # ---- jax.random

    def key_level(self) -> int:
        return 1 if self.flow.context.staged else 0

    def random_source(self, args: list[Value], nid: int) -> Key:
        key = Key(self.core.fresh(), self.core.arrays_level(args))
        self.consumption.origin_of[key.token] = self.flow.module, nid
        if args and isinstance(args[0], Const):
            self.constants.note_constant(key.token, nid)
        return key

    def key_of_seed(self, seed: Value | None, args: list[Value], node: Expr | None, nid: int) -> Key:
        """Of one seed the keys are equal."""
        key, which = self.random_source(args, nid), self._which(seed, node)
        if which is not None:
            self.consumption.equal.note(key.token, which)
        return key

    def random_split(self, key: Value | None, num: Value | None, nid: int) -> Value:
        self.consumption.consume(key, nid, "split")
        sizes: tuple[Any, ...] | None = (2,) if num is None else constants(num)
        count = sizes[0] if sizes and isinstance(sizes[0], int) else None
        token = self.consumption.token_of(key)
        is_deep = len(parents(token)) >= SPLITS.most
        if is_deep:
            REACHED["splits"] += 1
        made: tuple[Place, ...] = ()
        if token is None or is_deep:
            token = self.core.fresh()
        else:
            # the first keys of a split are the same for any number of them
            token = (token, SPLIT, sizes if sizes is not None and len(sizes) > 1 else None)
            made = (*(key.made if isinstance(key, Key) else ()), (self.flow.module, nid))
        self.consumption.origin_of[token] = self.flow.module, nid
        return Key(token, self._level(key), many=True, count=count, made=made)

    def _level(self, key: Value | None) -> int:
        level = self.key_level()
        if isinstance(key, (Key, TracerPytree, Array)):
            level |= key.level
        return level

    def random_fold(self, key: Value | None, data: Value | None, node: Expr | None = None) -> Value:
        """`fold_in` spends nothing. Of one key one number derives one key; else what is derived is new."""
        token, which = self.consumption.token_of(key), self._which(data, node)
        if token is None or which is None:
            return Key(self.core.fresh(), self._level(key))
        made = (token, "fold", which)
        self.constants.fold(token, made, node)
        return Key(made, self._level(key), isinstance(key, Key) and key.many)

    def _which(self, data: Value | None, node: Expr | None) -> Any:
        """What a number is known by that an expression gives: itself, or a token of it."""
        if isinstance(data, Product) and data.kind == "member":  # of an enumeration of numbers
            data = data.parts[0].attributes.get(data.parts[1])
        if isinstance(data, Const) and isinstance(data.value, int):
            return data.value
        if isinstance(data, (Number, Unknown, TracerPytree, Counter)):
            return data.token if root_of(data.token) not in self.flow.frame.touched else None
        return self._numbered(node) if isinstance(data, (Array, Static)) and node is not None else None

    def _numbered(self, node: Expr) -> Hashable:
        """The token of a number that is not known, but is the same wherever this variable is read."""
        frame = self.flow.frame
        code = frame.code
        if not isinstance(node, NameExpr) or self.flow.env is not frame.env:
            return None
        binding = def_use_of(code, self.flow.module.program).binding_of(node.nid)
        if binding is None:
            return None
        place = binding, frame.iterations
        if place not in frame.numbered:
            frame.numbered[place] = self.core.fresh()
        return frame.numbered[place]

    def handed_on(self, key: Value | None, which: Hashable) -> Value:
        """The key that a library makes of one it is given, for one thing that draws: always the same one."""
        token = self.consumption.token_of(key)
        if token is None:
            return UNKNOWN if key is None or key.known is False else key
        made = (token, "fold", ("handed on", which))
        if token in self.consumption.origin_of:
            self.consumption.origin_of[made] = self.consumption.origin_of[token]
        return Key(made, self._level(key))

    def key_subscript(self, owner: Key, index: Value, nid: int) -> Value:
        if isinstance(index, Const) and isinstance(index.value, int):
            return self.key_item(owner, index.value)
        if isinstance(index, Product) and index.kind == "slice":
            bounds = [part.value if isinstance(part, Const) else part for part in index.parts[:3]]
            if all(bound is None or isinstance(bound, int) for bound in bounds):
                return self.key_slice(owner, *bounds)
            return Key(self._part_at(owner, index.parts[:3], nid), owner.level, True, made=owner.made)
        turn = self.turn_of(index)
        if turn is not None:
            return self.key_item(owner, turn)
        if isinstance(index, Counter) and owner.token is not None:
            return Key((owner.token, "fold", index.token), owner.level, made=owner.made)
        if isinstance(index, (Array, Static, Unknown, NumPyArray, TracerPytree)):
            return Key(self._part_at(owner, (index,), nid), owner.level, made=owner.made)
        return UNKNOWN

    def _part_at(self, owner: Key, positions: Sequence[Value], nid: int) -> Hashable:
        """The token of a part of an array of keys whose position is not known: that of the part that is
        written alike, where the variables in there are the same."""
        frame = self.flow.frame
        index = _indices_of(frame.code).get(nid)
        is_local = self.flow.env is frame.env and owner.token is not None
        if index is None or not is_local or not all(map(_is_steady, walk(index))):
            return self.core.fresh()
        names = [each for each in walk(index) if isinstance(each, NameExpr)]
        bindings = tuple([self._binding_of(each) for each in names])
        if None in bindings or any(root_of(getattr(e, "token", None)) in frame.touched for e in positions):
            return self.core.fresh()
        bound = [{each.name for each in names}.isdisjoint(bound_by(turns)) for turns in frame.turns]
        depth = max((depth for depth, is_outside in enumerate(bound, 1) if not is_outside), default=0)
        turns = frame.iterations if 0 < depth == len(bound) else frame.iterations[:depth]
        place = owner.token, structure_of(index), bindings, turns
        if place not in frame.numbered:
            frame.numbered[place] = self.core.fresh()
        return frame.numbered[place]

    def _binding_of(self, name: NameExpr) -> Hashable:
        """What a variable was bound by that is read in a function; None where that may be one of several.
        Those of the functions around it are the same as long as it runs, unless others assign them."""
        code, program = self.flow.frame.code, self.flow.module.program
        if name.name in code.bound or code is program.body:
            return def_use_of(code, program).binding_of(name.nid)
        assigned = any(name.name in each.nonlocal_names | each.global_names for each in program.codes)
        return None if assigned else name.name

    def key_item(self, owner: Key, index: int) -> Key:
        """An item of a slice is one of the array that was cut; behind the last item JAX takes that one."""
        array, places = cut_of(owner)
        if owner.count:
            index = min(max(index + owner.count if index < 0 else index, 0), owner.count - 1)
        if index >= 0:
            return Key((array, "[]", places.start + index * places.step), owner.level, made=owner.made)
        return Key((owner.token, "[]", index), owner.level, made=owner.made)

    def key_slice(self, owner: Key, start: int | None, stop: int | None, step: int | None) -> Key:
        array, places = cut_of(owner)
        if owner.count is None and ((start or 0) < 0 or (stop or 0) < 0 or (step or 1) < 0):
            return Key((owner.token, "[:]", (start, stop, step)), owner.level, many=True, made=owner.made)
        if step == 0:
            return Key(self.core.fresh(), owner.level, many=True)
        cut = places[start:stop:step]
        count = None if owner.count is None else len(cut)
        return Key((array, "[:]", cut), owner.level, many=True, count=count, made=owner.made)


@lru_cache(maxsize=64)
def _indices_of(code: Code) -> Mapping[int, Expr]:
    """What items are taken at in a function, by the number of the expression, but for what is made of
    variables whose values the function changes in place."""
    nodes = [*map(plain, nodes_of(code.body))]
    targets = [each for node in nodes if isinstance(node, AssignStmt) for each in node.targets]
    targets += [node.target for node in nodes if isinstance(node, AugmentedStmt)]
    owners = [each.value for each in targets if isinstance(each, SubscriptExpr)]
    dropped = [each.value for each in nodes if isinstance(each, ExprStmt)]
    called = [each.func for each in dropped if isinstance(each, CallExpr)]
    owners += [each.value for each in called if isinstance(each, AttrExpr)]
    changed = {each.name for each in owners if isinstance(each, NameExpr)}
    items = (each for each in nodes if isinstance(each, SubscriptExpr))
    return {each.nid: each.index for each in items if not mentions(each.index, changed)}


def _is_steady(node: Node) -> bool:
    """Whether this part of an index gives the same again while the variables in it are the same."""
    if isinstance(node, AttrExpr):
        return node.name == "shape"
    if isinstance(node, SubscriptExpr):
        return isinstance(node.value, AttrExpr)
    return isinstance(node, (NameExpr, ConstExpr, BinaryExpr, UnaryExpr, SliceExpr))
