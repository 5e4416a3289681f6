"""join is a least upper bound as far as the domain has one: commutative, associative, idempotent, above both values,
and its chains end, for values of all kinds.

There is one strategy for each kind of value; a kind without one fails these tests.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import random
from collections.abc import Hashable, Mapping
from functools import reduce
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jaxlint
from jaxlint.domain import values
from jaxlint.domain.join import (
    MutableContainer,
    Tuple,
    VariableRef,
    any_of,
    either_way,
    join,
    join_all,
    level_of,
    may_call_many,
    options_of,
)
from jaxlint.domain.objects import (
    Bound,
    Class,
    Environment,
    Function,
    Imported,
    Instance,
    Key,
    Module,
    Partial,
    Transformed,
)
from jaxlint.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    Counter,
    External,
    FeatureProbe,
    ModuleName,
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    Text,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.domain.widening import blend, widen
from jaxlint.ir.limits import CANDIDATES, OPTIONS
from jaxlint.ir.program import ClassCode, Code, Program

Strategy = st.SearchStrategy[Any]

MODULES = [
    Module(f"/{name}.py", (name,), False, Program(codes=[Code(0, "<module>", "<module>", 0)]))
    for name in ("m", "n")
]
PLACES = st.tuples(st.sampled_from(MODULES), st.integers(1, 3))


def function(number: int) -> Function:
    module = MODULES[number % 2]
    return Function(Code(number, f"f{number}", f"f{number}", number), module, Environment(None, module, None))


def class_(number: int) -> Class:
    module = MODULES[number % 2]
    return Class(ClassCode(number, f"C{number}", f"C{number}", number, (), (), (), ()), module, module.env)


FUNCTIONS = [function(number) for number in range(1, 10)]
CLASSES = [class_(number) for number in range(20, 24)]
INSTANCES = [Instance(cls, depth) for cls in CLASSES for depth in (0, 1)]
CONTAINERS = [
    MutableContainer(kind, depth, 0) for kind in ("list", "dict", "set", "deque") for depth in (0, 1)
]

BOOLEANS = st.booleans()
LEVELS = st.integers(0, 7)
DTYPES = st.sampled_from("bifc?")
NDIMS = st.none() | st.integers(0, 2)
MADE = st.sampled_from(("", "library.State"))
TOKENS = st.integers(1, 3) | st.just(("new", 1)) | st.just((("new", 1), "[]", 0))
CONSTANTS = st.one_of(
    st.none(),
    BOOLEANS,
    st.integers(-4, 12),
    st.floats(allow_nan=True),
    st.sampled_from([1j, 2j]),
    st.sampled_from(["a", "b", "p", "new", "@", "guard"]),
    st.sampled_from([b"", b"a"]),
    st.just(...),
    st.sampled_from([(), (0, 1)]),
)
TYPES = st.sampled_from("int float bool str dtype any enum NoneType".split())
ANY_VALUE: Strategy = st.deferred(lambda: VALUES)
NAMED = st.lists(st.tuples(st.sampled_from(["a", "b"]), ANY_VALUE), max_size=2).map(
    lambda rows: tuple(dict(rows).items())
)
SEVERAL = st.lists(ANY_VALUE, max_size=3).map(tuple)
CALLABLES = st.deferred(
    lambda: st.one_of([STRATEGIES[kind] for kind in (Function, Class, External, Bound, Partial)])
)


def named_tuple(items: tuple[Value, ...], cls: Class | None) -> Tuple:
    return Tuple(items, cls=cls)


STRATEGIES: Mapping[type[Value], Strategy] = {
    Unknown: st.just(UNKNOWN) | st.builds(Unknown, TOKENS, st.none() | BOOLEANS, BOOLEANS, LEVELS, MADE),
    Const: st.builds(Const, CONSTANTS),
    Static: st.builds(Static, TYPES)
    | st.integers(7, 12).map(lambda count: join_all([Const(f"name{each}") for each in range(count)])),
    Text: st.builds(Text, LEVELS),
    ModuleName: st.builds(ModuleName, st.sampled_from(["/m.py", "/n.py"])),
    Candidates: st.permutations(FUNCTIONS).flatmap(
        lambda functions: st.sampled_from(
            [join_all(functions), join_all(functions[:7]), join_all([*functions, NONE])]
        )
    )
    | st.builds(lambda func, token: Candidates((func,), True, token), st.sampled_from(FUNCTIONS), st.none() | TOKENS),
    Number: st.builds(Number, TOKENS),
    Counter: st.builds(Counter, LEVELS, TOKENS, DTYPES, NDIMS, st.booleans()),
    FeatureProbe: st.builds(
        FeatureProbe,
        st.sampled_from(["bool", "object", "any"]),
        st.sampled_from(["version", "name"]),
        BOOLEANS,
        st.sampled_from([(), (0, 5), (0, 6)]),
        BOOLEANS,
    ),
    Array: st.builds(Array, LEVELS, DTYPES, NDIMS, BOOLEANS),
    NumPyArray: st.builds(NumPyArray, DTYPES, NDIMS, st.booleans()),
    TracerPytree: st.builds(TracerPytree, LEVELS, st.none() | TOKENS, MADE),
    VariableRef: st.builds(VariableRef, ANY_VALUE, BOOLEANS),
    External: st.builds(External, st.sampled_from(["jax.numpy.sin", "numpy.sin"]), st.sampled_from(["", "jnp.sin", "np.sin"])),
    Product: st.builds(
        lambda kind, parts: Product(kind, *parts),
        st.sampled_from("method at at-index generator ref lowered super property iterator range opaque spent".split()),
        st.lists(ANY_VALUE | st.sampled_from(["x", "y", None, 0]), max_size=2),
    ),
    OneOf: st.lists(ANY_VALUE, min_size=2, max_size=4).map(join_all),
    Function: st.sampled_from(FUNCTIONS),
    Class: st.sampled_from(CLASSES),
    Instance: st.sampled_from(INSTANCES),
    Imported: st.sampled_from(MODULES).map(Imported),
    Bound: st.builds(Bound, st.sampled_from(FUNCTIONS), ANY_VALUE),
    Partial: st.builds(Partial, CALLABLES, SEVERAL, NAMED),
    Transformed: st.builds(
        Transformed, st.sampled_from(["jit", "vmap"]), st.sampled_from(FUNCTIONS[:2]) | CALLABLES, st.just(()) | NAMED, PLACES, BOOLEANS
    ),
    Key: st.builds(
        Key, st.integers(1, 2) | st.integers(1, 9), st.sampled_from([0, 1]), BOOLEANS, st.none() | st.integers(2, 3), st.lists(PLACES, max_size=2).map(tuple)
    ),
    Tuple: st.one_of(
        SEVERAL.map(Tuple),
        st.builds(lambda elem: Tuple(None, elem), ANY_VALUE),
        st.builds(named_tuple, st.tuples(ANY_VALUE, ANY_VALUE), st.sampled_from(CLASSES[:2])),
    ),
    MutableContainer: st.sampled_from(CONTAINERS),
}  # fmt: skip
"""Makes the values of each kind."""

KINDS = sorted(STRATEGIES, key=lambda kind: kind.__name__)
VALUES: Strategy = st.deferred(lambda: st.sampled_from(KINDS).flatmap(STRATEGIES.__getitem__))


def several(least: int, most: int) -> Strategy:
    """Some values: of all kinds, or of one, which are alike more often."""
    of_a_kind = st.sampled_from(KINDS).flatmap(
        lambda kind: st.lists(STRATEGIES[kind], min_size=least, max_size=most)
    )
    return st.lists(VALUES, min_size=least, max_size=most) | of_a_kind


IDENTITIES = (Function, Class, Instance, MutableContainer)


def all_kinds() -> set[type[Value]]:
    """The classes of values that there are in all of jaxlint."""
    for module in pkgutil.walk_packages(jaxlint.__path__, "jaxlint."):
        if not module.name.startswith(
            ("jaxlint.confirm", "jaxlint.server", "jaxlint.pylsp", "jaxlint.flake8", "jaxlint.__main__")
        ):
            importlib.import_module(module.name)
    return {*values.kinds()} - {Value}


def test_there_is_a_strategy_for_each_kind_of_value() -> None:
    assert all_kinds() == STRATEGIES.keys()


@pytest.mark.parametrize(
    "kind", sorted(STRATEGIES, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__
)
def test_a_strategy_makes_its_kind_with_other_contents(kind: type[Value]) -> None:
    """Nothing that tells two values of a kind apart is left out."""
    seen: dict[str, set[Hashable]] = {name: set() for name in kind.__dict__["__slots__"]}
    fixed = {"birth", "conditions", "_key", "given"}  # set after it is made, or made of the others

    @settings(max_examples=80, deadline=None, database=None, derandomize=True)
    @given(STRATEGIES[kind])
    def look(value: Value) -> None:
        if type(value) is kind:
            for name in seen:
                seen[name].add(repr(getattr(value, name)))

    look()
    if kind in IDENTITIES:
        assert any(len(texts) > 1 for texts in seen.values())
    else:
        assert not {name for name, texts in seen.items() if len(texts) < 2} - fixed


def told(value: Any) -> Hashable:
    """All that a value says, also what equality leaves out."""
    if isinstance(value, (OneOf, Candidates)):
        return type(value), frozenset(map(told, value.options)), getattr(value, "is_open", None)
    if isinstance(value, IDENTITIES):
        return id(value)
    if isinstance(value, Const):
        return Const, value.key()
    if isinstance(value, Value):
        slots = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
        return type(value), tuple([told(getattr(value, name)) for name in slots])
    if isinstance(value, tuple):
        return tuple([told(each) for each in value])
    return id(value) if isinstance(value, Module) else value


def same(one: Value, other: Value) -> bool:
    return told(one) == told(other)


@settings(max_examples=500, deadline=None)
@given(several(2, 2))
def test_commutative(pair: list[Value]) -> None:
    a, b = pair
    assert same(join(a, b), join(b, a))


@settings(max_examples=500, deadline=None)
@given(several(3, 3))
def test_associative(triple: list[Value]) -> None:
    a, b, c = triple
    assert same(join(join(a, b), c), join(a, join(b, c)))


@settings(max_examples=300, deadline=None)
@given(several(2, 2))
def test_upper_bound(pair: list[Value]) -> None:
    a, b = pair
    above = join(a, b)
    assert same(join(above, a), above) and same(join(above, b), above)


@settings(max_examples=300, deadline=None)
@given(several(2, 2))
def test_a_join_is_a_tracer_only_where_both_are(pair: list[Value]) -> None:
    """What is certain of a join is certain of both: None, which is no operand, aside."""
    for each in pair:
        if all(option != NONE for option in options_of(each)):
            assert level_of(join(*pair)) & ~level_of(each) == 0


@settings(max_examples=150, deadline=None)
@given(several(0, 12), st.randoms(use_true_random=False))
def test_any_order(parts: list[Value], chance: random.Random) -> None:
    shuffled = chance.sample(parts, len(parts))
    assert same(join_all(parts), join_all(shuffled))


WAYS: Strategy = st.sampled_from(
    [*FUNCTIONS[:3], *CLASSES[:2], UNKNOWN, Unknown(1), Array(0, "f"), Array(1), NONE]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(WAYS, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_ways_that_meet_have_no_order(parts: list[Value], chance: random.Random) -> None:
    shuffled = chance.sample(parts, len(parts))
    assert same(reduce(either_way, parts), reduce(either_way, shuffled))


@settings(max_examples=300, deadline=None)
@given(VALUES)
def test_idempotent(a: Value) -> None:
    assert same(join(a, a), a)


@settings(max_examples=300, deadline=None)
@given(several(1, 12), st.randoms(use_true_random=False))
def test_what_a_test_leaves_has_no_order(parts: list[Value], chance: random.Random) -> None:
    assert same(any_of(parts), any_of(chance.sample(parts, len(parts))))


# A chain is as long as what a value can be made less certain: constants, a type, any; then each part of a tuple.


def height(value: Value, depth: int = 0) -> int:
    """How often, at most, what is known of a value can become less."""
    if isinstance(value, OneOf):
        return sum(height(each, depth) for each in value.options) + len(KINDS) * OPTIONS.most
    if isinstance(value, Tuple):
        parts = value.items if value.items is not None else (value.elem,)
        return 2 + sum(height(each, depth + 1) + len(KINDS) * OPTIONS.most for each in parts)
    return 4 + 3 + OPTIONS.most  # a level has three bits; dtype, dimensions, count and where it was made


@settings(max_examples=150, deadline=None)
@given(several(1, 6), st.randoms(use_true_random=False))
def test_chains_of_joins_settle(parts: list[Value], chance: random.Random) -> None:
    """A loop that adds one of several values at each turn, in any order, comes to an end."""
    now, changes = parts[0], 0
    for _ in range(4):
        for each in chance.sample(parts, len(parts)):
            after = join(now, each)
            changes += not same(after, now)
            now = after
    assert all(same(join(now, each), now) for each in parts)
    assert changes <= sum(map(height, parts))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers() | st.floats() | st.text(max_size=3), unique_by=repr, min_size=10, max_size=40))
def test_new_constants_without_end_settle(constants: list[object]) -> None:
    """A chain of ever other constants is any constant of its types after as many as a value may have; texts
    are counted on."""
    now: Value = Const(constants[0])
    changes = 0
    for each in constants:
        after = join(now, Const(each))
        changes += after != now
        now = after
    assert changes <= 3 * (OPTIONS.most + 1) + CANDIDATES.most


@settings(max_examples=300, deadline=None)
@given(VALUES, VALUES, st.integers(1, 40))
def test_widening_settles(start: Value, step: Value, turns: int) -> None:
    """The start of a loop's turns: a counter, and anything else, changes a bounded number of times."""
    now, changes = start, 0
    for turn in range(turns):
        made = Const(turn) if isinstance(step, Const) and isinstance(step.value, int) else step
        after = widen(now, join(now, made))
        changes += after != now
        now = after
    assert changes <= height(start) + height(step)


@settings(max_examples=100, deadline=None)
@given(several(1, 5))
def test_attributes_settle(parts: list[Value]) -> None:
    """What methods set in turn, as objects keep it: numbers that differ are any number."""
    now, changes = parts[0], 0
    for turn in range(20):
        for each in parts:
            after = blend(now, Const(turn) if isinstance(each, Const) and type(each.value) is int else each)
            changes += after != now
            now = after
    assert changes <= sum(map(height, parts)) + len(KINDS)


def test_many_of_a_kind_never_become_fewer() -> None:
    """A value that stands for many is above each set that holds as many."""
    for count in range(1, 10):
        consts = [Const(number) for number in range(count)]
        above = join_all(consts)
        for order in itertools.islice(itertools.permutations(consts), 20):
            assert same(join_all(order), above)


def test_alternatives_of_alternatives_are_too_many() -> None:
    """A table whose entries are replaced by partials of any of them, again and again, is 2 ** 60 calls."""
    func = External("jax.numpy.sin")
    value: Value = func
    for _ in range(60):
        value = OneOf((func, Partial(value, (), ())))
    assert may_call_many(value)
    assert not may_call_many(OneOf((func, Partial(OneOf((func, External("jax.numpy.cos"))), (), ()))))
