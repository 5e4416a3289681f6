"""Variables that a function sets to the arrays of another one by what looks like a copy and is none:
`jax.tree.map(jnp.asarray, params)`, `dict(params)`, `jax.tree.leaves(params)`.

In: the lowered code of the function, and what its calls call. Out: for a place that is donated the others
that have its arrays, with the reads that see them. It refuses to know what is donated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from jaxlint.calling.donated.copies import is_deleted, place_of
from jaxlint.calling.donated.making import Route, entered, root_of, route_to
from jaxlint.calling.donated.places import Places, Scope
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Function
from jaxlint.domain.values import Array, External, Unknown, Value
from jaxlint.ir.constant_attributes import assigned
from jaxlint.ir.loop_carried import parts
from jaxlint.ir.nodes import (
    AssignStmt,
    AttrExpr,
    CallExpr,
    ComprehensionExpr,
    ConstExpr,
    DeleteStmt,
    DictExpr,
    Expr,
    LambdaExpr,
    NameExpr,
    ReturnStmt,
    SliceExpr,
    StarExpr,
    SubscriptExpr,
    TupleExpr,
)
from jaxlint.ir.program import Code
from jaxlint.ir.replaced_fields import MAPS
from jaxlint.ir.walks import last_name, nodes_of
from jaxlint.tables.same_buffers import OF_ARRAY, OF_TREE

_DEPTH = 4  # how many calls, and how many variables, are gone through
_LEAVES: Final = frozenset(("jax.tree.leaves", "jax.tree_util.tree_leaves"))
_FLATTENED: Final = frozenset(("jax.tree.flatten", "jax.tree_util.tree_flatten"))
_ASKS: Final = frozenset(("equinox.is_array", "equinox.is_inexact_array"))
_OF_CONTAINER: Final = frozenset(("builtins.dict", "builtins.list", "builtins.tuple", "copy.copy"))
_CHANGES: Final = frozenset(
    "append clear extend insert pop popitem remove reverse setdefault sort update".split()
)
_OWN: Final = {"astype": "dtype", "reshape": "shape"}  # methods that give an array again for its own
_Seen: TypeAlias = "tuple[str, frozenset[int]]"  # a place, and bindings of it


class Shared(NamedTuple):
    """A variable, and the place whose arrays it is set to. is_copy: by something that looks like a copy."""

    target: NameExpr
    source: Expr
    is_copy: bool


class Sharing:
    """Finds what has the arrays of a place."""

    def __init__(self, places: Places) -> None:
        self.places = places

    def of(self, arg: Expr, call: int) -> Iterator[tuple[str, Route, frozenset[int]]]:
        """The other places that have the arrays of one that a call is given, or of a part of it, with where
        the part is and the reads that see them."""
        scope = self.places.scope()
        pairs = [*self._pairs(scope)]
        if not any(each.is_copy for each in pairs):
            return
        name, at_call = place_of(arg), frozenset(self.places.bindings(scope, arg))
        before = frozenset(each for each in at_call if each < call)  # in the first turn of a loop
        found: dict[_Seen, tuple[bool, Route]] = {(name, at_call): (False, ()), (name, before): (False, ())}
        for (name, seen), (is_copy, route) in _growing(found):
            for each in pairs:
                given = frozenset(self.places.bindings(scope, each.source))
                made, is_known = frozenset((each.target.nid,)), is_copy or each.is_copy
                root, inner = root_of(each.source), route_to(each.source, name)
                if inner and root is not None and root.name == name:
                    given = frozenset(self.places.bindings(scope, root))
                is_set = given or not isinstance(each.source, NameExpr)
                if inner is not None and is_set and given == seen:
                    found.setdefault((each.target.name, made), (is_known, (*route, *inner)))
                elif each.target.name == name and seen == made and given and self._is_of_jax(each.source):
                    found.setdefault((place_of(each.source), given), (is_known, route))
        for (name, seen), (is_copy, route) in found.items():
            flow = self.places.place_flow(scope.code, scope.program, name)
            if is_copy:
                yield name, route, frozenset(read for each in seen for read in flow.reads.get(each, ()))

    def wholes(self, arg: Expr, call: int, value: Value) -> Iterator[tuple[str, frozenset[int]]]:
        """The same of those that have the arrays of all of it, where these are of JAX."""
        for name, route, among in self.of(arg, call) if is_of_jax(value) else ():
            if not route:
                yield name, among

    def _pairs(self, scope: Scope) -> Iterator[Shared]:
        changed = _changed(scope.code)
        for target, value in assigned(scope.code.body):
            if isinstance(target, NameExpr):
                source = self.source(value, scope)
                if source is not None and not changed & {target.name, place_of(source)}:
                    yield Shared(target, source, source is not value)
        for node in nodes_of(scope.code.body):
            if isinstance(node, AssignStmt) and isinstance(node.value, CallExpr):
                for target in node.targets:
                    first = next(parts(target), None) if isinstance(target, TupleExpr) else None
                    args, name = node.value.args, self._name(node.value.func, scope)
                    is_taken = name in _FLATTENED and len(args) == 1
                    is_taken |= name == "equinox.partition" and self._takes_arrays(args, scope)
                    if isinstance(first, NameExpr) and is_taken and place_of(args[0]):
                        yield Shared(first, args[0], True)

    def source(self, made: Expr, scope: Scope, left: int = _DEPTH) -> Expr | None:
        """The place whose arrays an expression has, and no others: in another function one of its
        parameters."""
        if place_of(made):
            is_own = isinstance(made, NameExpr) and made.name not in [each.name for each in scope.code.params]
            if not scope.depth or not is_own:
                return made
            before = self.places.set_to(scope, made)
            return self.source(before[0], scope, left - 1) if left and len(before) == 1 else None
        given = self._given(made, scope, left) if left else None
        return None if given is None else self.source(given, scope, left - 1)

    def _given(self, made: Expr, scope: Scope, left: int) -> Expr | None:
        """What an expression gives again, or copies without its arrays."""
        if isinstance(made, SubscriptExpr) and isinstance(made.index, SliceExpr):
            index = made.index
            is_all = all(each == ConstExpr(None) for each in (index.lower, index.upper, index.step))
            return made.value if is_all and self._holds_others(made.value) else None
        if isinstance(made, DictExpr) and len(made.items) == 1 and made.items[0][0] is None:
            return made.items[0][1] if self._holds_others(made.items[0][1]) else None
        if isinstance(made, ComprehensionExpr):
            return self._gone_through(made)
        if not isinstance(made, CallExpr) or made.keywords:
            return None
        return self._of_call(made, scope, left)

    def _of_call(self, call: CallExpr, scope: Scope, left: int) -> Expr | None:
        func, args = call.func, call.args
        if isinstance(func, AttrExpr) and place_of(func.value):
            own = f"{place_of(func.value)}."
            if func.name == "block_until_ready" and not args and self._is_array(func.value):
                return func.value
            if func.name == "copy" and not args and self._holds_others(func.value):
                return func.value
            if [f"{own}{_OWN.get(func.name)}"] == [place_of(each) for each in args]:
                return func.value if self._is_array(func.value) else None
        name = self._name(func, scope)
        if name in MAPS and len(args) == 2 and self._keeps(args[0], scope, left):
            return args[1]
        if name == "equinox.filter" and self._takes_arrays(args, scope):
            return args[0]
        if len(args) != 1:
            return None
        if name in OF_TREE | OF_ARRAY | _LEAVES:
            return args[0]
        if name in _OF_CONTAINER:
            return args[0] if self._holds_others(args[0]) else None
        inner = entered(self.places.function_of(func, scope), call, scope)
        return None if inner is None else self._handed_back(inner, left)

    def _handed_back(self, inner: Scope, left: int) -> Expr | None:
        """What a function of the program is given, where it gives back its arrays."""
        end = _end(inner.code)
        source = None if end is None or not left else self.source(end, inner, left - 1)
        if not isinstance(source, NameExpr) or source.name not in inner.given:
            return None
        params = {each.nid for each in inner.code.params if each.name == source.name}
        seen = self.places.flow_of(inner.code, inner.program).seen_by(source.nid)
        return inner.given[source.name][0] if seen == params else None

    def _keeps(self, func: Expr, scope: Scope, left: int) -> bool:
        """Whether a function gives the array that it is given."""
        if self._name(func, scope) in OF_ARRAY | OF_TREE:
            return True
        inner: Scope | None = None
        if isinstance(func, LambdaExpr):
            code = scope.program.codes[func.index]
            inner = Scope(code, scope.program, scope.env, depth=scope.depth + 1)
        else:
            found = self.places.function_of(func, scope)
            if isinstance(found, Function) and not found.code.is_generator:
                inner = Scope(found.code, found.module.program, found.env, depth=scope.depth + 1)
        if inner is None or len(inner.code.params) != 1 or not left:
            return False
        end = _end(inner.code)
        source = None if end is None else self.source(end, inner, left - 1)
        return isinstance(source, NameExpr) and source.name == inner.code.params[0].name

    def _takes_arrays(self, args: Sequence[Expr], scope: Scope) -> bool:
        """Whether the second argument asks for what is an array of a module, the first one."""
        is_plain = len(args) == 2 and not any(isinstance(each, StarExpr) for each in args)
        return is_plain and self._name(args[1], scope) in _ASKS

    def _name(self, func: Expr, scope: Scope) -> str:
        found = self.places.function_of(func, scope)
        found = found.func if isinstance(found, Bound) else found
        if isinstance(func, NameExpr) and found is None:
            is_own = func.name in scope.code.bound | scope.program.body.bound
            return "" if is_own else f"builtins.{func.name}"
        return found.name if isinstance(found, External) else ""

    def _is_of_jax(self, place: Expr) -> bool:
        """Whether a place has arrays of JAX, as far as is known no others."""
        held = self.places.held(place)
        return held is not None and is_of_jax(held)

    def _is_array(self, place: Expr) -> bool:
        return isinstance(self.places.held(place), Array)

    def _holds_others(self, place: Expr) -> bool:
        """Whether a place has a collection, whose copies have the arrays that it has."""
        held: Value | None = self.places.held(place) if place_of(place) else None
        return isinstance(held, (MutableContainer, Tuple)) and is_deleted(held)

    @staticmethod
    def _gone_through(made: ComprehensionExpr) -> Expr | None:
        """What a comprehension takes the items of as they are."""
        if len(made.clauses) != 1 or made.clauses[0].tests or made.kind not in ("list", "dict"):
            return None
        clause, func = made.clauses[0], None
        if made.kind == "list":
            is_item = isinstance(clause.target, NameExpr) and place_of(made.element) == clause.target.name
            return clause.iterable if is_item and place_of(clause.iterable) else None
        func = clause.iterable.func if isinstance(clause.iterable, CallExpr) else None
        names = [place_of(each) for each in parts(clause.target)]
        if isinstance(func, AttrExpr) and last_name(func) == "items" and len(names) == 2:
            return func.value if place_of(made.element) == names[1] else None
        return None


def is_of_jax(value: Value) -> bool:
    """Whether a value is an array of JAX, or a pytree of such: of an argument of which nothing is known,
    which may be NumPy's, it is not known."""
    return not isinstance(value, Unknown) and is_deleted(value)


@lru_cache(maxsize=256)
def _changed(code: Code) -> frozenset[str]:
    """The places of which a function sets items or attributes, or which it changes by a method."""
    owners = [
        target.value for target, _ in assigned(code.body) if isinstance(target, (AttrExpr, SubscriptExpr))
    ]
    for node in nodes_of(code.body):
        if isinstance(node, CallExpr) and isinstance(node.func, AttrExpr) and node.func.name in _CHANGES:
            owners.append(node.func.value)
        elif isinstance(node, DeleteStmt):
            owners += [each.value for each in node.targets if isinstance(each, SubscriptExpr)]
    return frozenset(map(place_of, owners)) - {""}


def _end(code: Code) -> Expr | None:
    """What a function gives back at its only `return`."""
    ends = [each.value for each in nodes_of(code.body) if isinstance(each, ReturnStmt)]
    return ends[0] if len(ends) == 1 else None


def _growing(found: dict[_Seen, tuple[bool, Route]]) -> Iterator[tuple[_Seen, tuple[bool, Route]]]:
    """The entries of a dict, also those that are added meanwhile."""
    done: set[_Seen] = set()
    while len(done) < len(found):
        key = next(each for each in found if each not in done)
        done.add(key)
        yield key, found[key]
