"""Abstract values: what the analysis knows of a Python value, and how knowledge is joined.

A `level` says which tracers a value certainly is: `STAGED` (jit, scan, ...), `BATCHED` (vmap),
`DIFFERENTIATED` (grad), or 0 for none that is known. Scalars are immutable and compare by content;
functions, containers and instances are objects with identity. `UNKNOWN` absorbs everything:
what is not known is never reported.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any, Final

STAGED: Final = 1
BATCHED: Final = 2
DIFFERENTIATED: Final = 4
NUMBERS: Final = 8  # beside tracers that arrays are: Python's numbers are as well


class Value:
    """Any abstract value."""

    __slots__ = ()
    known = True
    is_shared = False  # as the attribute of a class it is what its objects have

    def key(self, depth: int = 3) -> Hashable:
        """What a call is remembered by when this value is an argument; containers to some depth."""
        return self

    def fact(self) -> Hashable:
        """The key of an argument itself, of which the identity matters too."""
        return self.key()


def kinds() -> Iterator[type[Value]]:
    """All classes of values."""
    left = [Value]
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        yield kind


class Unknown(Value):
    """Nothing is known. `token` is set where the identity still matters: a parameter, a cell; `truth` where a
    test has shown it. annotated: that it is an array of JAX is written there, which nothing else shows.
    arrays: which tracers it is if it is an array, and its items are; all else may be static. made: the class
    of a library that was called for it, where the project asks for objects of that class."""

    __slots__ = ("annotated", "arrays", "made", "token", "truth")
    known = False

    def __init__(
        self, token: Hashable = None, truth: bool | None = None, annotated: bool = False, arrays: int = 0,
        made: str = "",
    ) -> None:  # fmt: skip
        self.token, self.made = token, made
        self.truth = truth
        self.annotated = annotated
        self.arrays = arrays

    def known_as(self, token: Hashable) -> Unknown:
        """The same with another token."""
        return Unknown(token, self.truth, self.annotated, self.arrays, self.made)

    def with_truth(self, truth: bool | None) -> Unknown:
        """The same, of which a test has shown the truth."""
        return Unknown(self.token, truth, self.annotated, self.arrays, self.made)

    def inside(self, token: Hashable = None) -> Unknown:
        """One of its items."""
        return Unknown(token, arrays=self.arrays & ~NUMBERS)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Unknown)
            and other.token == self.token
            and other.truth is self.truth
            and other.annotated is self.annotated
            and (other.arrays, other.made) == (self.arrays, self.made)
        )

    def __hash__(self) -> int:
        return hash(("unknown", self.token))

    def __repr__(self) -> str:
        return "unknown" if self.token is None else f"unknown{self.token}"

    def key(self, depth: int = 3) -> Hashable:
        if self.truth is None and not self.annotated and not self.arrays and not self.made:
            return "?"
        return ("?", self.truth, self.annotated, self.arrays, self.made)

    def fact(self) -> Hashable:
        return ("?", self.token, self.truth, self.annotated, self.arrays, self.made)


UNKNOWN: Final = Unknown()


class Const(Value):
    """A Python constant; floats compare by their text, so that nan is one value."""

    __slots__ = ("_key", "value")
    is_shared = True

    def __init__(self, value: Any) -> None:
        self.value = value
        self._key = (type(value), repr(value) if isinstance(value, float) else value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Const) and other._key == self._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return repr(self.value)

    def key(self, depth: int = 3) -> Hashable:
        return self._key

    def fact(self) -> Hashable:
        return self._key


NONE: Final = Const(None)
TRUE: Final = Const(True)


class Static(Value):
    """A Python value that is no tracer; `type` is its type's name, or `any`. texts: of a string, all that it
    may be, where they are more than are told apart and yet known."""

    __slots__ = ("texts", "type")

    def __init__(self, type_: str, texts: frozenset[str] = frozenset()) -> None:
        self.type = type_
        self.texts = texts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and other.type == self.type and other.texts == self.texts

    def __hash__(self) -> int:
        return hash(("static", self.type))

    def __repr__(self) -> str:
        return f"static {self.type}{f' of {len(self.texts)}' if self.texts else ''}"

    def key(self, depth: int = 3) -> Hashable:
        return ("static", self.type, self.texts)


class Text(Static):
    """A string made of tracers: `level` says of which."""

    __slots__ = ("level",)

    def __init__(self, level: int) -> None:
        super().__init__("str")
        self.level = level

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and other.level == self.level

    def __hash__(self) -> int:
        return hash(("text", self.level))

    def key(self, depth: int = 3) -> Hashable:
        return ("text", self.level)


class Number(Static):
    """An int of which the identity matters: equal tokens are the same number."""

    __slots__ = ("token",)

    def __init__(self, token: Hashable) -> None:
        super().__init__("int")
        self.token = token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Number) and other.token == self.token

    def __hash__(self) -> int:
        return hash(("number", self.token))


class ModuleName(Static):
    """The name of a module of the project, by its file: the name is another one where the module is run."""

    __slots__ = ("path",)

    def __init__(self, path: str) -> None:
        super().__init__("str")
        self.path = path

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleName) and other.path == self.path

    def __hash__(self) -> int:
        return hash(("module name", self.path))

    def key(self, depth: int = 3) -> Hashable:
        return ("module name", self.path)


class FeatureProbe(Static):
    """What comes of asking a library for its version (`how` is `version`), or for what it has (`name`).

    type: `bool` for an answer, `object` for what was asked for or its substitute, `any` for all else.
    own: JAX's own version. floor: of an answer, the version that JAX has at least where it is `sense`.
    """

    __slots__ = ("floor", "how", "own", "sense")

    def __init__(
        self, type_: str, how: str, own: bool = False, floor: tuple[int, ...] = (), sense: bool = True
    ) -> None:
        super().__init__(type_)
        self.how = how
        self.own = own
        self.floor = floor
        self.sense = sense

    def facts(self) -> tuple[Hashable, ...]:
        return self.type, self.how, self.own, self.floor, self.sense

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FeatureProbe) and other.facts() == self.facts()

    def __hash__(self) -> int:
        return hash(self.facts())

    def __repr__(self) -> str:
        return f"asked {self.how}"

    def key(self, depth: int = 3) -> Hashable:
        return ("asked", self.type, self.how)


INT: Final = Static("int")
FLOAT: Final = Static("float")
BOOL: Final = Static("bool")
STR: Final = Static("str")
DTYPE: Final = Static("dtype")
LIMITS: Final = Static("finfo")  # what is said of the numbers of a dtype
ANY: Final = Static("any")


class Array(Value):
    """A JAX array or a tracer of one. dtype: b i f c ? ; ndim: None where not known.

    `shape` marks one that jax.numpy made while tracing out of nothing but shapes and constants.
    """

    __slots__ = ("dtype", "level", "ndim", "shape")

    def __init__(
        self, level: int = 0, dtype: str = "?", ndim: int | None = None, shape: bool = False
    ) -> None:
        # integers and booleans computed under differentiation alone are no tracers
        self.level = level & (STAGED | BATCHED) if dtype in ("i", "b") else level
        self.dtype = dtype
        self.ndim = ndim
        self.shape = shape

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Array)
            and other.level == self.level
            and other.dtype == self.dtype
            and other.ndim == self.ndim
            and other.shape == self.shape
        )

    def __hash__(self) -> int:
        return hash(("array", self.level, self.dtype, self.ndim, self.shape))

    def __repr__(self) -> str:
        return f"array<{self.level},{self.dtype},{self.ndim}>"

    def key(self, depth: int = 3) -> Hashable:
        return ("array", self.level, self.dtype, self.ndim, self.shape)

    def fact(self) -> Hashable:
        return self.key()


class Counter(Array):
    """An array of JAX of the numbers that a loop counts, or one of them: equal tokens are the same number."""

    __slots__ = ("token",)

    def __init__(
        self, level: int, token: Hashable, dtype: str = "i", ndim: int | None = 0, shape: bool = False
    ) -> None:
        super().__init__(level, dtype, ndim, shape)
        self.token = token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counter) and other.token == self.token and other.key() == self.key()

    def __hash__(self) -> int:
        return hash(("counter", self.token))

    def key(self, depth: int = 3) -> Hashable:
        return ("counter", self.level, self.dtype, self.ndim, self.shape)

    def fact(self) -> Hashable:
        return self.key(), self.token

    def known_as(self, token: Hashable) -> Array:
        """The same with another token."""
        if token is None:
            return Array(self.level, self.dtype, self.ndim, self.shape)
        return Counter(self.level, token, self.dtype, self.ndim, self.shape)


# what is known of a NumPy array that shows what an array of JAX holds
OF_VIEW, NO_COPY, IN_ONE_PIECE = 1, 2, 3  # it is a view or one number of one; a view; a view in one piece


class NumPyArray(Value):
    """A NumPy array or scalar. read_only: it shows what an array of JAX holds, and cannot be written to."""

    __slots__ = ("dtype", "ndim", "read_only")

    def __init__(self, dtype: str = "?", ndim: int | None = None, read_only: int = 0) -> None:
        self.dtype = dtype
        self.ndim = ndim
        self.read_only = read_only

    def facts(self) -> tuple[Hashable, ...]:
        return self.dtype, self.ndim, self.read_only

    def is_view(self, or_item: bool = False) -> bool:
        """Whether it is a view of an array of JAX, or one number of one."""
        return self.read_only >= (OF_VIEW if or_item else NO_COPY)

    def seen_otherwise(self) -> NumPyArray:
        """A view of it, whose items may lie apart."""
        return NumPyArray(self.dtype, self.ndim, min(self.read_only, NO_COPY))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumPyArray) and other.facts() == self.facts()

    def __hash__(self) -> int:
        return hash(("host", self.dtype, self.ndim))

    def __repr__(self) -> str:
        return f"host<{self.dtype},{self.ndim}>{' read-only' * bool(self.read_only)}"


class TracerPytree(Value):
    """A pytree all of whose leaves are arrays of this level, or a single leaf. made: as in `Unknown`, or that
    it is a state of optax."""

    __slots__ = ("level", "made", "token")

    def __init__(self, level: int, token: Hashable = None, made: str = "") -> None:
        self.level = level
        self.token, self.made = token, made

    def __eq__(self, other: object) -> bool:
        of = (self.level, self.token, self.made)
        return isinstance(other, TracerPytree) and (other.level, other.token, other.made) == of

    def __hash__(self) -> int:
        return hash(("tree", self.level, self.token))

    def __repr__(self) -> str:
        return f"tree<{self.level}>"

    def key(self, depth: int = 3) -> Hashable:
        return ("tree", self.level, self.made) if self.made else ("tree", self.level)


class External(Value):
    """A name of a library or a builtin, by its canonical dotted name; `spelled`: the one it was found by."""

    __slots__ = ("name", "spelled")

    def __init__(self, name: str, spelled: str = "") -> None:
        self.name = name
        self.spelled = spelled or name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, External) and other.name == self.name

    def __hash__(self) -> int:
        return hash(("external", self.name))

    def __repr__(self) -> str:
        return self.name


class Product(Value):
    """A library object that is no array: `kind` names it, `parts` is what it holds.

    Kinds: `method` (name, receiver), `at`, `at-index`, `generator`, `ref`, `lowered`, `super`,
    `property`, `iterator`, ... given: of what a call has made, the name of what was called with those of
    keywords, what that has made, and the arguments: they say which of several equal ones it is.
    """

    __slots__ = ("given", "kind", "parts")

    def __init__(self, kind: str, *parts: Any) -> None:
        self.kind = kind
        self.parts = parts
        self.given: tuple[Any, ...] = ()

    def made_by(self, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> Product:
        """The same, as it is made by a call of what has this name."""
        made = Product(self.kind, *self.parts)
        names = sorted(keywords)
        made.given = ((name, *names), self, *args, *(keywords[each] for each in names))
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Product) and other.kind == self.kind and other.parts == self.parts

    def __hash__(self) -> int:
        return hash((self.kind, len(self.parts)))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.parts}>"


ALIKE: Final = "alike"
"""The part of an iterator after what it gives and its rows that says that it gives the same each time."""

VIEW: Final = "view"
"""The same part of the view of a dict's names, or of its items, which compare as sets do and have no hash."""

MARKER: Final = "marker"
"""The kind of what `object()` gives, which is equal to itself alone."""

GRAPHDEF_PARTS: Final = ("opaque", "flax.nnx.graphdef")
"""The kind and name of what says how a module of flax nnx is built."""


class OneOf(Value):
    """One of a few values."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OneOf) and set(other.options) == set(self.options)

    def __hash__(self) -> int:
        return hash(frozenset(self.options))

    def __repr__(self) -> str:
        return " | ".join(map(repr, self.options))

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return "or"
        return ("or", frozenset([option.key(depth - 1) for option in self.options]))


class Candidates(Unknown):
    """One of more objects than are told apart. Calls of it, and what is read of it, are those of each; to
    everything else nothing is known of it. is_open: it may also be something else, as None or an array; then
    `token` may say where it comes from, as for what is not known."""

    __slots__ = ("is_open", "options")

    def __init__(self, options: tuple[Value, ...], is_open: bool = False, token: Hashable = None) -> None:
        super().__init__(token)
        self.options = options
        self.is_open = is_open

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Candidates)
            and other.is_open == self.is_open
            and other.token == self.token
            and set(other.options) == set(self.options)
        )

    def __hash__(self) -> int:
        return hash(("candidates", len(self.options)))

    def __repr__(self) -> str:
        return f"candidates {' | '.join(map(repr, self.options))}"

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return "candidates"
        return ("candidates", self.is_open, frozenset([option.key(depth - 1) for option in self.options]))

    def fact(self) -> Hashable:
        return (self.key(), self.token)
