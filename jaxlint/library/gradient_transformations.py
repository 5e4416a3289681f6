"""Transformations of gradients, as optax makes them: what their two functions run and give.

In: calls of optax's functions that make one. Out: a value that knows whether the state has leaves, which
functions of the user it runs, and the transformations in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeGuard

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.calling.calls import Calls
from jaxlint.calling.control_primitives import ControlPrimitives
from jaxlint.domain.join import MutableContainer, Tuple, callees_of
from jaxlint.domain.objects import Bound, Function, Instance, Partial, Transformed
from jaxlint.domain.tokens import OPTAX_STATE
from jaxlint.domain.values import (
    UNKNOWN,
    Array,
    Const,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.keys import Keys
from jaxlint.evaluation.statements import Statements
from jaxlint.ir.nodes import ConstExpr
from jaxlint.library.framework_layers import STATELESS
from jaxlint.library.library_call import Call
from jaxlint.library.pytrees import Pytrees

_OWN = ("optax.GradientTransformation", "optax.GradientTransformationExtraArgs")
_IN_TURN = ("optax.chain", "optax.named_chain")
# of these the state is that of what they are given
_WRAPPERS = frozenset(
    f"optax.{name}"
    for name in "flatten freeze masked multi_transform partition selective_transform "
    "with_extra_args_support".split()
)
# without leaves in their state as long as no argument is a schedule, nor a momentum given
_PLAIN = frozenset(
    f"optax.{name}"
    for name in "add_decayed_weights fromage scale_by_learning_rate scale_by_polyak polyak_sgd sgd "
    "sign_sgd".split()
)
_MASKS = frozenset(("mask", "mask_fn", "param_labels", "freeze_mask"))
_SKIPS = frozenset(("should_skip_update_fn",))
_MASKED = frozenset(
    f"optax.{name}" for name in "add_decayed_weights masked multi_transform partition".split()
)
_CALLABLE = (Function, Bound, Partial, Transformed)
_NO_LEAVES: Final = Tuple(())


class GradientTransformations:
    """Makes transformations of gradients, and runs their functions."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        calls: Calls,
        pytrees: Pytrees,
        keys: Keys,
        statements: Statements,
        primitives: ControlPrimitives,
    ) -> None:
        self.primitives = primitives
        self.flow = flow
        self.core = core
        self.calls = calls
        self.pytrees = pytrees
        self.keys = keys
        self.statements = statements

    def make(self, name: str, args: Sequence[Value], keywords: Mapping[str, Value], exact: bool) -> Product:
        """The value of a transformation: how it is made, what it does with its state, the functions that it
        runs with how they are called, and the transformations in it."""
        given = [*enumerate(args), *keywords.items()]
        inner = tuple(_transformations([*args, *keywords.values()]))
        if name in _OWN:
            own = [args[place] if len(args) > place else keywords.get(word) for place, word in _FUNCTIONS]
            return Product(
                "optax", "own", "?", tuple([(UNKNOWN if each is None else each) for each in own]), ()
            )
        if name in ("optax.stateless", "optax.stateless_with_tree_map"):
            how = "update" if name == "optax.stateless" else "leaves"
            func = args[0] if args else keywords.get("f", UNKNOWN)
            return Product("optax", "other", "none", ((how, func),), ())
        if name in _IN_TURN:
            return Product("optax", "chain" if exact else "other", "each" if exact else "?", (), inner)
        asked = tuple([(_how(name, place), func) for place, value in given for func in _asked(value)])
        return Product("optax", "other", _state_of(name, given, inner, exact), asked, inner)

    # ---- what it does

    def init(self, made: Product, args: list[Value], nid: int) -> Value:
        """The state for some parameters."""
        kind, state, asked, inner = made.parts
        params = args[0] if args else UNKNOWN
        if kind == "own":
            return self.calls.call(asked[0], [params], {}, nid)
        self._ask(asked, ("tree",), params, params, nid)
        found = [self.init(each, [params], nid) for each in inner]
        if kind == "chain":
            return Tuple(tuple(found))
        return self._state(state, found, [params])

    def update(self, made: Product, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """The updates and the next state."""
        kind, state, asked, inner = made.parts
        if kind == "own":
            return self.calls.call(asked[1], self._with_own_state(asked[0], args, nid), keywords, nid)
        args = [*args, *(keywords[name] for name in _ARGUMENTS[len(args) :] if name in keywords)]
        updates, before = (*args, UNKNOWN, UNKNOWN)[:2]
        level = self.core.arrays_level(args)
        self._search(keywords, args[2:], nid)
        injected = [each for how, each in asked if how == "injected"]
        if injected:
            self._ask_schedules(injected, level, nid)
            made_again = [self._made_again(each, level, nid) for each in injected]
            for again in made_again:
                if again is not None:
                    self.update(again, [updates, UNKNOWN, *args[2:]], {}, nid)
            return Tuple((TracerPytree(level), TracerPytree(level, made=OPTAX_STATE)))
        params = args[2] if len(args) > 2 else UNKNOWN
        self._ask(asked, ("tree", "count"), updates, params, nid)
        for each in [func for how, func in asked if how == "skip"]:
            self.calls.call(each, [updates, Array(level, "i", 0), params], {}, nid)
        if kind == "chain":
            return self._in_turn(inner, updates, before, args[2:], nid)
        states = []
        for each in inner:
            known = TracerPytree(before.level) if isinstance(before, TracerPytree) else UNKNOWN
            result = self.update(each, [updates, known, *args[2:]], {}, nid)
            states.append(_pair(result)[1])
        result = self._updated(asked, updates, params, level, nid)
        return Tuple((result, self._state(state, states, args)))

    def inject(self, call: Call, factory: Value, static: Collection[str]) -> Value:
        """The transformation of a factory whose numbers and schedules are in the state: each update makes it
        again, with arrays of the state for them. `static`: the parameters that keep what they are given."""
        args = call.args[1:]
        made = self.calls.call(factory, args, call.keywords, call.nid, call.exact)
        parts: tuple[tuple[Value, ...], ...] = made.parts[2:] if is_transformation(made) else ((), ())
        keywords = tuple(call.keywords.items())
        ways = [
            ("injected", Product("injected", each, tuple(args), keywords, static, call.exact))
            for each in callees_of(factory)
        ]
        return Product("optax", "other", "some", (*ways, *parts[0]), parts[1]) if ways else UNKNOWN

    def _search(self, keywords: Mapping[str, Value], params: Sequence[Value], nid: int) -> None:
        """A line search calls the function that it is given in a loop of `jax.lax`."""
        value_fn = keywords.get("value_fn")
        is_alone = keywords.keys() <= {"value_fn", "value", "grad", *_ARGUMENTS}
        if value_fn is not None and may_call(value_fn) and is_alone and len(params) == 1:
            self.primitives.run_staged(value_fn, [*params], nid, "while_loop")

    def _ask_schedules(self, injected: Sequence[Value], level: int, nid: int) -> None:
        """Functions that a factory is given are schedules, if they are not static."""
        for each in injected:
            _, args, keywords, static, _ = each.parts  # type: ignore[attr-defined]
            given = [*args, *(value for name, value in keywords if name not in static)]
            for schedule in (func for value in given for func in _asked(value)):
                self.calls.call(schedule, [Array(level, "i", 0)], {}, nid)

    def _made_again(self, injected: Value, level: int, nid: int) -> Product | None:
        """What a factory gives in an update, which hands it the numbers of the state. Where not all is known
        that the factory is given, a parameter with a number that is no integer by default has one."""
        factory, args, keywords, static, exact = injected.parts  # type: ignore[attr-defined]
        params = factory.code.params if isinstance(factory, Function) else ()
        names = [param.name for param in params if param.kind == "n"]
        given = {
            param.name: Const(param.default.value)
            for param in params
            if isinstance(param.default, ConstExpr) and (exact or type(param.default.value) is float)
        }
        given |= {**dict(zip(names, args, strict=False)), **dict(keywords)}
        found: dict[str, Value] = {
            name: Array(level, "f", 0) if name not in static and _is_injected(value) else value
            for name, value in given.items()
        }
        left: list[Value] = [
            Array(level, "f", 0) if _is_injected(value) else value for value in args[len(names) :]
        ]
        made = self.calls.call(factory, left, found, nid, exact)
        return made if is_transformation(made) else None

    def _with_own_state(self, init: Value, args: list[Value], nid: int) -> list[Value]:
        """The arguments of an update. Where no more is known of the state than that it is traced, it is like
        the one that the transformation itself begins with."""
        before = args[1] if len(args) > 1 else UNKNOWN
        if not isinstance(before, TracerPytree) or not may_call(init):
            return args
        with self.statements.expecting(), self.keys.unspent():
            first = self.calls.call(init, [args[2] if len(args) > 2 else UNKNOWN], {}, nid)
        if isinstance(first, Unknown):
            return args
        now = self.core.fresh_copy(self.pytrees.lifting.lower(first, before.level))
        return [args[0], now, *args[2:]]

    def _in_turn(
        self, inner: Sequence[Product], updates: Value, before: Value, rest: list[Value], nid: int
    ) -> Value:
        known = before.items if isinstance(before, Tuple) else None
        if known is None or len(known) != len(inner):
            known = (TracerPytree(before.level) if isinstance(before, TracerPytree) else UNKNOWN,) * len(
                inner
            )
        states = []
        for each, own in zip(inner, known, strict=True):
            updates, after = _pair(self.update(each, [updates, own, *rest], {}, nid))
            states.append(after)
        return Tuple((updates, Tuple(tuple(states))))

    def _updated(
        self, asked: Sequence[tuple[str, Value]], updates: Value, params: Value, level: int, nid: int
    ) -> Value:
        for how, func in asked:
            if how == "update":
                return self.calls.call(func, [updates, params], {}, nid)
            if how == "leaves":
                leaves = [self.pytrees.leaf_of(each) for each in (updates, params)]
                return self.pytrees.spread(self.calls.call(func, leaves, {}, nid))
        return TracerPytree(level)

    def _ask(
        self, asked: Sequence[tuple[str, Value]], ways: Iterable[str], tree: Value, params: Value, nid: int
    ) -> None:
        for how, func in asked:
            if how in ways:
                count = Array(self.core.arrays_level((tree, params)), "i", 0)
                self.calls.call(func, [tree if how == "tree" else count], {}, nid)

    def _state(self, state: str, inner: Sequence[Value], args: Sequence[Value]) -> Value:
        if state == "each":
            state = "none" if all(map(_is_leafless, inner)) else "?"
        if state == "none":
            return _NO_LEAVES
        return TracerPytree(self.core.arrays_level(args), made=OPTAX_STATE) if state == "some" else UNKNOWN

    def scheduled(self, made: Product, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """What a schedule gives at a step: it may be put together of functions of the user."""
        for each in made.parts:
            self.calls.call(each, list(args), dict(keywords), nid)
        return self.core.made([*args, *keywords.values()])


_FUNCTIONS = ((0, "init"), (1, "update"))
_ARGUMENTS = ("updates", "state", "params")


def may_call(value: Value) -> bool:
    """Whether a value is a function, or may be one."""
    return any(
        isinstance(each, _CALLABLE)
        or (isinstance(each, Instance) and each.cls.lookup("__call__") is not None)
        for each in callees_of(value)
    )


def _asked(value: Value) -> Sequence[Value]:
    """The functions of the project that a value is, or those that a schedule is put together of."""
    is_schedule = isinstance(value, Product) and value.kind == "schedule"
    return value.parts if is_schedule else (value,) if may_call(value) else ()  # type: ignore[attr-defined]


def functions_in(values: Iterable[Value]) -> tuple[Value, ...]:
    """The functions of the project among some values, and in the lists among them."""
    found: list[Value] = []
    for value in values:
        if may_call(value):
            found.append(value)
        elif isinstance(value, (Tuple, MutableContainer)):
            found += functions_in(value.items or ())
        else:
            found += _asked(value)
    return tuple(found)


def _transformations(values: Iterable[Value]) -> Iterator[Product]:
    for value in values:
        if is_transformation(value):
            yield value
        elif isinstance(value, Tuple):
            yield from _transformations(value.items or ())
        elif isinstance(value, MutableContainer):
            yield from _transformations((*value.entries.values(), *(value.items or ())))


def is_transformation(value: Value) -> TypeGuard[Product]:
    return isinstance(value, Product) and value.kind == "optax"


def _is_injected(value: Value) -> bool:
    """Whether it is a number, an array or a function of the step: what the state holds for a factory."""
    if isinstance(value, Const):
        return type(value.value) in (int, float)
    is_schedule = isinstance(value, Product) and value.kind == "schedule"
    return isinstance(value, (Array, NumPyArray)) or is_schedule or may_call(value)


def _how(name: str, place: object) -> str:
    """How a transformation calls a function: with a pytree, with the number of the step, or with both."""
    if place in _SKIPS or (place == 3 and name == "optax.MultiSteps"):
        return "skip"
    return "tree" if place in _MASKS or (place == 1 and name in _MASKED) else "count"


def _state_of(name: str, given: Sequence[tuple[object, Value]], inner: Sequence[Product], exact: bool) -> str:
    """Whether a state has leaves: `none`, `some`, as those in it (`each`), or not known."""
    if name in STATELESS:
        return "none"
    if name in _WRAPPERS:
        return "each" if inner and exact else "?"
    if name not in _PLAIN:
        return "some"
    plain = all(
        isinstance(value, (Const, Static)) or _how(name, place) == "tree"
        for place, value in given
        if place != "momentum"
    )
    momentum = dict(given).get("momentum", dict(given).get(1) if name == "optax.sgd" else None)
    has_momentum = momentum not in (None, Const(None), Const(False))
    if has_momentum or any(
        may_call(value) or isinstance(value, Product) for place, value in given if place == 0
    ):
        return "some" if not isinstance(momentum, Unknown) else "?"
    return "none" if plain and exact else "?"


def _pair(value: Value) -> tuple[Value, Value]:
    if isinstance(value, Tuple) and value.items is not None and len(value.items) == 2:
        return value.items[0], value.items[1]
    return UNKNOWN, UNKNOWN


def _is_leafless(value: Value) -> bool:
    return isinstance(value, Tuple) and value.items is not None and all(map(_is_leafless, value.items))
