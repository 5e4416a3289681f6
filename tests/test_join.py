"""join is a least upper bound as far as the domain has one: commutative, associative, idempotent, and above both
values, for values of all kinds."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from jaxlint.domain import values
from jaxlint.domain.join import MutableContainer, Tuple, VariableRef, join, join_all, options_of
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
    ANY,
    BOOL,
    DTYPE,
    FLOAT,
    INT,
    NONE,
    STR,
    UNKNOWN,
    Array,
    Const,
    External,
    FeatureProbe,
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
from jaxlint.ir.program import ClassCode, Code, Program

MODULE = Module("/m.py", ("m",), False, Program(codes=[Code(0, "<module>", "<module>", 0)]))
ENVIRONMENT = Environment(None, MODULE, None)


def function(number: int) -> Function:
    return Function(Code(number, f"f{number}", f"f{number}", number), MODULE, ENVIRONMENT)


def class_(number: int) -> Class:
    return Class(ClassCode(number, f"C{number}", f"C{number}", number, (), (), (), ()), MODULE, ENVIRONMENT)


FUNCTIONS = [function(number) for number in range(1, 10)]
CLASSES = [class_(number) for number in range(20, 24)]
OBJECTS: list[Value] = [
    *FUNCTIONS,
    *CLASSES,
    *(Instance(cls, 0) for cls in CLASSES),
    *(MutableContainer(kind, 0, 0) for kind in ("list", "dict", "set")),
    External("jax.numpy.sin"),
    External("jax.numpy.sin", "jnp.sin"),
    External("numpy.sin"),
    Imported(MODULE),
    Product("method", "x"),
    Product("super"),
    Bound(FUNCTIONS[0], NONE),
    Partial(FUNCTIONS[0], (NONE,), ()),
    *(Transformed("jit", FUNCTIONS[0], (), (MODULE, nid)) for nid in (3, 4)),
    Transformed("vmap", FUNCTIONS[0], (), (MODULE, 5)),
    VariableRef(Array(1), True),
    VariableRef(Array(0), True),
]
LEVELS = st.integers(0, 7)
DTYPES = st.sampled_from("bifc?")
NDIMS = st.one_of(st.none(), st.integers(0, 2))
CONSTANTS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-4, 12),
    st.floats(allow_nan=True),
    st.sampled_from(["a", "b", "p", "new"]),
    st.just(b""),
)
LEAVES: st.SearchStrategy[Value] = st.one_of(
    st.just(UNKNOWN),
    st.builds(Unknown, st.integers(1, 3), st.one_of(st.none(), st.booleans())),
    st.builds(Const, CONSTANTS),
    st.sampled_from([INT, FLOAT, BOOL, STR, DTYPE, ANY, Static("enum")]),
    st.builds(Text, LEVELS),
    st.builds(Number, st.integers(1, 3)),
    st.builds(FeatureProbe, st.sampled_from(["bool", "object", "any"]), st.sampled_from(["version", "name"]), st.booleans(), st.sampled_from([(), (0, 5)]), st.booleans()),
    st.builds(Array, LEVELS, DTYPES, NDIMS, st.booleans()),
    st.builds(NumPyArray, DTYPES, NDIMS),
    st.builds(TracerPytree, LEVELS, st.one_of(st.none(), st.integers(1, 2))),
    st.builds(Key, st.integers(1, 9), st.sampled_from([0, 1]), st.booleans(), st.one_of(st.none(), st.integers(2, 3))),
    st.sampled_from(OBJECTS),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(lambda items: Tuple(tuple(items)), st.lists(inner, max_size=3)),
        st.builds(lambda elem: Tuple(None, elem), inner),
        st.builds(lambda items: Tuple(tuple(items), cls=CLASSES[0]), st.lists(inner, min_size=2, max_size=2)),
        st.builds(lambda parts: join_all(parts), st.lists(inner, min_size=2, max_size=4)),
    ),
    max_leaves=6,
)


def same(one: Value, other: Value) -> bool:
    """Whether nothing tells two values apart, what equality leaves out included."""
    if isinstance(one, OneOf) or isinstance(other, OneOf):
        left, right = list(options_of(one)), list(options_of(other))
        return len(left) == len(right) and all(any(same(a, b) for b in right) for a in left)
    if isinstance(one, Tuple) and isinstance(other, Tuple):
        if one.items is None or other.items is None:
            return one.items is other.items and same(one.elem, other.elem)
        pairs = zip(one.items, other.items, strict=False)
        return (
            len(one.items) == len(other.items) and one.cls is other.cls and all(same(a, b) for a, b in pairs)
        )
    hidden = [getattr(each, name, None) for name in ("count", "spelled", "place") for each in (one, other)]
    return one == other and type(one) is type(other) and hidden[::2] == hidden[1::2]


@settings(max_examples=1000, deadline=None)
@given(VALUES, VALUES)
def test_commutative(a: Value, b: Value) -> None:
    assert same(join(a, b), join(b, a))


@settings(max_examples=1000, deadline=None)
@given(VALUES, VALUES, VALUES)
def test_associative(a: Value, b: Value, c: Value) -> None:
    assert same(join(join(a, b), c), join(a, join(b, c)))


@settings(max_examples=600, deadline=None)
@given(VALUES, VALUES)
def test_upper_bound(a: Value, b: Value) -> None:
    above = join(a, b)
    assert same(join(above, a), above) and same(join(above, b), above)


@settings(max_examples=200, deadline=None)
@given(st.lists(VALUES, max_size=12), st.randoms())
def test_any_order(parts: list[Value], chance: object) -> None:
    shuffled = list(parts)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    assert same(join_all(parts), join_all(shuffled))


@settings(max_examples=1000, deadline=None)
@given(VALUES)
def test_idempotent(a: Value) -> None:
    assert same(join(a, a), a)


def test_every_kind_of_value_is_tried() -> None:
    kinds = {each for each in vars(values).values() if isinstance(each, type) and issubclass(each, Value)}
    tried = {type(each) for each in OBJECTS} | {
        Unknown, Const, Static, Text, Number, FeatureProbe, Array, NumPyArray, TracerPytree, Key, Tuple, OneOf
    }  # fmt: skip
    assert kinds - {Value} <= tried


def test_many_of_a_kind_never_become_fewer() -> None:
    """A value that stands for many is above each set that holds as many."""
    for count in range(1, 10):
        consts = [Const(number) for number in range(count)]
        above = join_all(consts)
        for order in itertools.islice(itertools.permutations(consts), 20):
            assert same(join_all(order), above)
