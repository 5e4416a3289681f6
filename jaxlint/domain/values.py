"""Abstract values: what the analysis knows of a Python value, and how knowledge is joined.

A `level` says which tracers a value certainly is: `STAGED` (jit, scan, ...), `BATCHED` (vmap),
`DIFFERENTIATED` (grad), or 0 for none that is known. Scalars are immutable and compare by content;
functions, containers and instances are objects with identity. `UNKNOWN` absorbs everything:
what is not known is never reported.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final

from jaxlint.ir.limits import ITEMS, OPTIONS, REACHED

if TYPE_CHECKING:
    from jaxlint.domain.program import Module
    from jaxlint.ir.lowering import ClassCode, Code

STAGED: Final = 1
BATCHED: Final = 2
DIFFERENTIATED: Final = 4


class Value:
    """Any abstract value."""

    __slots__ = ()
    known = True

    def key(self, depth: int = 3) -> Hashable:
        """What a call is remembered by when this value is an argument; containers to some depth."""
        return self

    def fact(self) -> Hashable:
        """The key of an argument itself, of which the identity matters too."""
        return self.key()


class Unknown(Value):
    """Nothing is known. `token` is set where the identity still matters: a parameter, a cell; `truth` where a
    test has shown it."""

    __slots__ = ("token", "truth")
    known = False

    def __init__(self, token: Hashable = None, truth: bool | None = None) -> None:
        self.token = token
        self.truth = truth

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unknown) and other.token == self.token and other.truth is self.truth

    def __hash__(self) -> int:
        return hash(("unknown", self.token))

    def __repr__(self) -> str:
        return "unknown" if self.token is None else f"unknown{self.token}"

    def key(self, depth: int = 3) -> Hashable:
        return "?" if self.truth is None else ("?", self.truth)

    def fact(self) -> Hashable:
        return ("?", self.token, self.truth)


UNKNOWN: Final = Unknown()


class Const(Value):
    """A Python constant; floats compare by their text, so that nan is one value."""

    __slots__ = ("_key", "value")

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

    fact = key


NONE: Final = Const(None)
TRUE: Final = Const(True)


class Static(Value):
    """A Python value that is no tracer; `type` is its type's name, or `any`."""

    __slots__ = ("type",)

    def __init__(self, type_: str) -> None:
        self.type = type_

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Static) and other.type == self.type

    def __hash__(self) -> int:
        return hash(("static", self.type))

    def __repr__(self) -> str:
        return f"static {self.type}"

    def key(self, depth: int = 3) -> Hashable:
        return ("static", self.type)


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

    def facts(self) -> tuple[Any, ...]:
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

    fact = key


class NumPyArray(Value):
    """A NumPy array or scalar."""

    __slots__ = ("dtype", "ndim")

    def __init__(self, dtype: str = "?", ndim: int | None = None) -> None:
        self.dtype = dtype
        self.ndim = ndim

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumPyArray) and (other.dtype, other.ndim) == (self.dtype, self.ndim)

    def __hash__(self) -> int:
        return hash(("host", self.dtype, self.ndim))

    def __repr__(self) -> str:
        return f"host<{self.dtype},{self.ndim}>"


class TracerPytree(Value):
    """A pytree all of whose leaves are arrays of this level; it may be a single leaf."""

    __slots__ = ("level", "token")

    def __init__(self, level: int, token: Hashable = None) -> None:
        self.level = level
        self.token = token

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TracerPytree) and other.level == self.level and other.token == self.token

    def __hash__(self) -> int:
        return hash(("tree", self.level, self.token))

    def __repr__(self) -> str:
        return f"tree<{self.level}>"

    def key(self, depth: int = 3) -> Hashable:
        return ("tree", self.level)


class VariableRef(TracerPytree):
    """A box of a framework that holds an array or a pytree, which what is in it may replace.

    is_parameter: whether the framework's gradients are with respect to it.
    """

    __slots__ = ("inner", "is_parameter")

    def __init__(self, inner: Value, is_parameter: bool) -> None:
        super().__init__(level_of(inner))
        self.inner = inner
        self.is_parameter = is_parameter

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, VariableRef)
            and other.inner == self.inner
            and other.is_parameter == self.is_parameter
        )

    def __hash__(self) -> int:
        return hash(("cell", self.is_parameter))

    def __repr__(self) -> str:
        return f"cell {self.inner}"

    def key(self, depth: int = 3) -> Hashable:
        return ("cell", self.inner.key(depth - 1) if depth else "")

    def put(self, value: Value) -> None:
        """It may hold this too."""
        self.inner = join(self.inner, value)
        self.level = level_of(self.inner)


class Key(Value):
    """A PRNG key, or with `many` an array of keys (`count` where known). Equal tokens are the same key.

    made: where the last splits were run that the key comes from, as far as that is known.
    """

    __slots__ = ("count", "level", "made", "many", "token")

    def __init__(
        self, token: Hashable, level: int = 0, many: bool = False, count: int | None = None,
        made: tuple[tuple[Module, int], ...] = (),
    ) -> None:  # fmt: skip
        self.token = token
        self.level = level
        self.many = many
        self.count = count
        self.made = made

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Key)
            and other.token == self.token
            and other.level == self.level
            and other.many == self.many
        )

    def __hash__(self) -> int:
        return hash(("key", self.token, self.level, self.many))

    def __repr__(self) -> str:
        return f"key{self.token}"


class Tuple(Value):
    """A tuple: its items, or where their number is not known what each of them is."""

    __slots__ = ("cls", "elem", "items")

    def __init__(
        self, items: tuple[Value, ...] | None, elem: Value = UNKNOWN, cls: Class | None = None
    ) -> None:
        self.items = items
        self.elem = elem
        self.cls = cls

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Tuple)
            and other.items == self.items
            and other.elem == self.elem
            and other.cls is self.cls
        )

    def __hash__(self) -> int:
        return hash((self.items, self.elem))

    def __repr__(self) -> str:
        return f"({self.items if self.items is not None else self.elem})"

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return "tuple"
        if self.items is None:
            return ("tuple*", self.elem.key(depth - 1))
        return ("tuple", tuple([item.key(depth - 1) for item in self.items]))

    def each(self) -> Value:
        return join_all(self.items) if self.items is not None else self.elem


SHAPE: Final = Tuple(None, INT)


class MutableContainer(Value):
    """A mutable container. `depth` is how many traces enclosed its making, `block` where."""

    __slots__ = ("block", "depth", "elem", "entries", "home", "items", "kind")

    def __init__(self, kind: str, depth: int, block: int) -> None:
        self.kind = kind  # list, set, dict, deque
        self.items: list[Value] | None = [] if kind != "dict" else None
        self.entries: dict[Any, Value] = {}
        self.elem: Value | None = None
        self.depth = depth
        self.block = block
        self.home: tuple[Instance, str] | None = None  # the attribute that holds it

    def __repr__(self) -> str:
        return f"{self.kind}{self.items if self.items is not None else self.entries or self.elem}"

    def key(self, depth: int = 3) -> Hashable:
        if not depth:
            return self
        elem = self.elem and self.elem.key(depth - 1)
        if self.kind == "dict":
            parts = tuple([(name, value.key(depth - 1)) for name, value in self.entries.items()])
            return (self, parts, elem)
        if self.items is None:
            return (self, elem)
        return (self, tuple([item.key(depth - 1) for item in self.items]))

    def each(self) -> Value:
        """What any one element (of a dict: any one value) is."""
        found: list[Value] = []
        if self.kind == "dict":
            found.extend(self.entries.values())
        elif self.items is not None:
            found.extend(self.items)
        if self.elem is not None:
            found.append(self.elem)
        return join_all(found)

    def is_empty(self) -> bool:
        """Whether there is certainly nothing in it."""
        return not self.entries and not self.items and self.elem is None

    def blur(self) -> None:
        """Forget the order and the number of elements."""
        if self.items is not None:
            self.elem = self.each() if self.items or self.elem is not None else None
            self.items = None

    def add(self, value: Value, block: int) -> None:
        if self.items is not None and block == self.block and len(self.items) < ITEMS.most:
            self.items.append(value)
            return
        if self.items is not None and len(self.items) >= ITEMS.most:
            REACHED["items"] += 1
        self.blur()
        self.elem = value if self.elem is None else join(self.elem, value)

    def set(self, name: Any, value: Value, block: int) -> None:
        before = self.entries.get(name)
        exact = before is None or block == self.block
        self.entries[name] = value if exact else join(before or value, value)

    def widen(self, value: Value) -> None:
        """Some element, which one is not known, is now also this."""
        self.blur()
        if self.kind == "dict":
            self.entries = {name: join(old, value) for name, old in self.entries.items()}
        self.elem = value if self.elem is None else join(self.elem, value)


class Environment:
    """The variables of one function context of a function, or of a module."""

    __slots__ = ("code", "depth", "module", "parent", "vars")

    def __init__(self, code: Code | None, module: Module, parent: Environment | None, depth: int = 0) -> None:
        self.code = code
        self.module = module
        self.parent = parent
        self.vars: dict[Any, Value] = {}
        self.depth = depth


class Function(Value):
    """A function of the project: its code and the environment it closes over."""

    __slots__ = ("attributes", "birth", "caught", "cls", "code", "defaults", "env", "module")

    def __init__(self, code: Code, module: Module, env: Environment, cls: Class | None = None) -> None:
        self.code = code
        self.module = module
        self.env = env
        self.cls = cls
        self.defaults: dict[str, Value] = {}
        self.attributes: dict[str, Value] = {}
        self.birth: Any = None
        self.caught: tuple[frozenset[str], ...] = ()  # what the handlers around its definition catch

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and other.code is self.code and other.env is self.env

    def __hash__(self) -> int:
        return hash((id(self.code), id(self.env)))

    def __repr__(self) -> str:
        return f"function {self.code.qualname}"

    def is_made_in_trace(self) -> bool:
        """Whether code that JAX traces defines this function."""
        env: Environment | None = self.env
        while env is not None and not env.depth:
            env = env.parent
        return env is not None

    def key(self, depth: int = 3) -> Hashable:
        return (self, self.captured())

    def captured(self) -> tuple[tuple[str, Value], ...]:
        """The constants that a lambda closes over at this moment: a loop may change them between calls."""
        if not self.code.is_lambda:
            return ()
        found = [(name, self.env.vars.get(name)) for name in self.code.free]
        return tuple([(name, value) for name, value in found if isinstance(value, Const)])


class Bound(Value):
    """A bound method."""

    __slots__ = ("birth", "func", "owner")

    def __init__(self, func: Value, owner: Value, birth: Any = None) -> None:
        self.func = func
        self.owner = owner
        self.birth = birth

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Bound) and other.func == self.func and other.owner == self.owner

    def __hash__(self) -> int:
        return hash((self.func, self.owner))


class Partial(Value):
    """functools.partial: a function with some arguments given."""

    __slots__ = ("args", "birth", "func", "keywords")

    def __init__(self, func: Value, args: tuple[Value, ...], keywords: tuple[tuple[str, Value], ...]) -> None:
        self.func = func
        self.args = args
        self.keywords = keywords
        self.birth: Any = None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Partial)
            and other.func == self.func
            and other.args == self.args
            and other.keywords == self.keywords
        )

    def __hash__(self) -> int:
        return hash((self.func, self.args))


class Transformed(Value):
    """What a transform made of a function: `jit`, `vmap`, `grad`, ... with its options.

    `place` is the (module, nid) where the transform was applied; `fresh` says that each
    evaluation of that place makes a function JAX has not seen.
    """

    __slots__ = ("birth", "conditions", "fresh", "func", "kind", "options", "place")

    def __init__(
        self,
        kind: str,
        func: Value,
        options: tuple[tuple[str, Value], ...],
        place: tuple[Module, int],
        fresh: bool = False,
    ) -> None:
        self.kind = kind
        self.func = func
        self.options = options
        self.place = place
        self.fresh = fresh
        self.birth: Any = None
        self.conditions: tuple[tuple[str, bool], ...] = ()  # tests of `self` it was made under

    def option(self, name: str) -> Value | None:
        for each, value in self.options:
            if each == name:
                return value
        return None

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Transformed)
            and other.kind == self.kind
            and other.func == self.func
            and other.options == self.options
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.func))

    def __repr__(self) -> str:
        return f"{self.kind}({self.func!r})"


def computed(body: object) -> Iterator[str]:
    """The attributes to which statements, at any depth, assign what is computed."""
    stack = [body]
    while stack:
        part = stack.pop()
        if not isinstance(part, tuple) or not part:
            continue
        if part[0] == "aug" and part[2][0] == "attr":
            yield part[2][3]
        elif part[0] == "assign" and part[3][0] != "const":
            yield from (target[3] for target in part[2] if target[0] == "attr")
        elif type(part[0]) is not str or part[0] in _COMPOUND:
            stack.extend(part)


# methods that run only while an object is made
CONSTRUCTION = frozenset(
    "__init__ __post_init__ __attrs_post_init__ __new__ __setstate__ __set_name__ __copy__ __deepcopy__ "
    "__init_subclass__ setup".split()
)
_COMPOUND = frozenset(("if", "while", "for", "try", "with", "match"))


class Class(Value):
    """A class of the project. `bases` are values; `external` names its bases from libraries."""

    __slots__ = (
        "_bases", "_computed", "_lineage", "_seen", "attributes", "code", "env", "fields", "generic",
        "instance_writes", "marks", "module", "unhashed",
    )  # fmt: skip
    _changes: ClassVar[int] = 0  # of the bases of any class

    def __init__(self, code: ClassCode, module: Module, env: Environment) -> None:
        self.code = code
        self.module = module
        self.env = env
        self._bases: tuple[Value, ...] = ()
        self._lineage: tuple[tuple[Class, ...], list[tuple[Value, ...]]] = ((self,), [()])
        self._seen = -1  # how many changes of bases there had been when that was so
        self._computed: set[str] | None = None
        self.attributes: dict[str, Value] = {}
        self.fields: dict[str, tuple[Value | None, bool]] = {}  # name -> default, is static
        self.marks: set[str] = set()  # dataclass, frozen, identity, pytree, namedtuple, enum, module
        self.unhashed: set[str] = set()  # fields that the hash of a dataclass leaves out
        self.generic: Instance | None = None
        # attribute -> the (method name, module, nid) that write it on an instance
        self.instance_writes: dict[str, set[tuple[str, Any, int]]] = {}

    def lineage(self) -> tuple[Class, ...]:
        """This class and its project bases, in the order in which Python looks through them."""
        if self._seen != Class._changes:
            known, bases = self._lineage
            if [each._bases for each in known] != bases:
                own = [base for base in self._bases if isinstance(base, Class)]
                known = (self, *_merged([*(base.lineage() for base in own), own]))
                self._lineage = known, [each._bases for each in known]
            self._seen = Class._changes
        return self._lineage[0]

    @property
    def bases(self) -> tuple[Value, ...]:
        return self._bases

    @bases.setter
    def bases(self, bases: tuple[Value, ...]) -> None:
        if bases != self._bases:
            self._bases = bases
            Class._changes += 1

    def computes(self, name: str) -> bool:
        """Whether a method of this class, once its object is there, assigns to this attribute what it
        computes."""
        if self._computed is None:
            self._computed = set()
            for method, value in self.attributes.items():
                if isinstance(value, Function) and method not in CONSTRUCTION:
                    self._computed.update(computed(value.code.body))
        return name in self._computed

    def has_mark(self, mark: str) -> bool:
        for each in self.lineage():
            if mark in each.marks:
                return True
        return False

    def has_any_mark(self, marks: frozenset[str]) -> bool:
        for each in self.lineage():
            if not marks.isdisjoint(each.marks):
                return True
        return False

    def externals(self) -> set[str]:
        return {base.name for each in self.lineage() for base in each.bases if isinstance(base, External)}

    def opaque(self) -> bool:
        """Whether some base is not known at all."""
        return any(not isinstance(base, (Class, External)) for each in self.lineage() for base in each.bases)

    def lookup(self, name: str) -> tuple[Value, Class] | None:
        for each in self.lineage():
            if name in each.attributes:
                return each.attributes[name], each
        return None

    def default(self, name: str) -> Value | None:
        """What an attribute is that no method has set."""
        found = self.lookup(name)
        return (
            found[0]
            if found is not None and isinstance(found[0], (Const, Instance, MutableContainer))
            else None
        )

    def all_fields(self) -> dict[str, tuple[Value | None, bool]]:
        found: dict[str, tuple[Value | None, bool]] = {}
        for each in reversed(self.lineage()):
            found.update(each.fields)
        return found

    def __repr__(self) -> str:
        return f"class {self.code.qualname}"


def _merged(orders: Sequence[Sequence[Class]]) -> Iterator[Class]:
    """One order that keeps all of these (C3): of what may come next, the first. Where none may, which Python
    refuses, the first of the first."""
    rest = [list(order) for order in orders if order]
    while rest:
        heads = [order[0] for order in rest]
        found = next((head for head in heads if not any(head in order[1:] for order in rest)), heads[0])
        yield found
        rest = [kept for order in rest if (kept := [each for each in order if each is not found])]


class Instance(Value):
    """An instance of a project class, one for each place and context that makes it."""

    __slots__ = ("attributes", "cls", "depth", "generic", "level", "many")

    def __init__(self, cls: Class, depth: int, generic: bool = False) -> None:
        self.cls = cls
        self.attributes: dict[str, Value] = {}
        self.depth = depth
        self.generic = generic
        self.many = False  # stands for several objects
        self.level = 0

    def __repr__(self) -> str:
        return f"instance of {self.cls.code.qualname}"


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


class Imported(Value):
    """A module of the project."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Imported) and other.module is self.module

    def __hash__(self) -> int:
        return id(self.module)


class Product(Value):
    """A library object that is no array: `kind` names it, `parts` is what it holds.

    Kinds: `method` (name, receiver), `at`, `at-index`, `generator`, `ref`, `lowered`, `super`,
    `property`, `iterator`, ...
    """

    __slots__ = ("kind", "parts")

    def __init__(self, kind: str, *parts: Any) -> None:
        self.kind = kind
        self.parts = parts

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Product) and other.kind == self.kind and other.parts == self.parts

    def __hash__(self) -> int:
        return hash((self.kind, len(self.parts)))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.parts}>"


GRAPHDEF: Final = Product("opaque", "flax.nnx.graphdef")


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


CALLABLE = (Function, Bound, Partial, Transformed, Class, External)


# attributes of arrays, JAX's and NumPy's, that numbers and containers do not have
OF_ARRAYS: Final = frozenset(
    "shape dtype ndim size T astype item tolist reshape ravel flatten sum mean min max nbytes".split()
)


def options_of(value: Value) -> tuple[Value, ...]:
    return value.options if isinstance(value, OneOf) else (value,)


def any_of(options: Iterable[Value]) -> Value:
    """One of these, of which none is summed up with another: what a test has left of a value."""
    found: list[Value] = []
    for option in options:
        for each in options_of(option):
            if isinstance(each, Unknown):
                return UNKNOWN
            if each not in found:
                found.append(each)
    if len(found) == 1:
        return found[0]
    if len(found) > OPTIONS.most:
        REACHED["options"] += 1
        return UNKNOWN
    if not found:
        return UNKNOWN
    return OneOf(_in_order(found))


def join(a: Value, b: Value) -> Value:
    """What is known where the value may be either: the least of what the domain has above both."""
    if a is b:
        return a
    kind = type(a)
    if kind is Unknown or type(b) is Unknown:
        return a if a == b else UNKNOWN
    if (kind is Const or kind is Array) and a == b:
        return a
    return _union((*options_of(a), *options_of(b)))


def one_key(a: Value, b: Value, either: Value, fresh: Callable[[], Hashable]) -> Value:
    """Either of two values, with an identity of its own if one of them is a key, and the other may be one."""
    if isinstance(a, Key) and isinstance(b, Key):
        return Key(fresh(), a.level & b.level, a.many or b.many, a.count if a.count == b.count else None)
    if isinstance(either, Unknown) and (isinstance(a, Key) or isinstance(b, Key)):
        return Unknown(fresh())
    return either


def given_or_default(a: Value, where: Container[Any], b: Value, elsewhere: Container[Any]) -> Value | None:
    """A key of the caller's where it is not None, and a key made in its place where it is. It stays that of
    the caller: with None there is no such key. `where`: the variables with which the value is `a`."""
    if isinstance(b, Key):
        a, where, b = b, elsewhere, a
    if isinstance(a, Key) and isinstance(b, (Unknown, TracerPytree)) and b.token is not None:
        return b if ("none", b.token) in where else None
    return None


def join_all(values: Iterable[Value]) -> Value:
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
        if isinstance(result, Unknown):
            return UNKNOWN
    return UNKNOWN if result is None else result


def _union(options: tuple[Value, ...]) -> Value:
    """The normal form of a set of values. Each kind of value is summed up apart from the others, by an
    operation that is commutative, associative and idempotent; so is this."""
    groups: dict[str, list[Value]] = {}
    for each in {id(option): option for option in options}.values():
        kind = type(each)
        if kind is Unknown:
            return UNKNOWN
        name = "none" if kind is Const and each == NONE else _GROUPS.get(kind, "object")
        group = groups.get(name)
        if group is None:
            groups[name] = [each]
        else:
            group.append(each)
    found: list[Value] = []
    for name, group in groups.items():
        rows = group if len(group) == 1 else _SUMS[name](group)
        if len(rows) > OPTIONS.most and name != "static":
            REACHED["options"] += 1
            return UNKNOWN
        found += rows
    return found[0] if len(found) == 1 else OneOf(_in_order(found))


def _in_order(options: list[Value]) -> tuple[Value, ...]:
    """The options of a value by their ranks; of two, which most have, the type's name mostly tells."""
    if len(options) == 2:
        a, b = options
        one, other = type(a).__name__, type(b).__name__
        if one != other:
            return (a, b) if one < other else (b, a)
    return tuple(sorted(options, key=_rank))


def _arrays(group: list[Value]) -> list[Value]:
    """Arrays are one array, arrays and trees are a tree."""
    level = -1
    for each in group:
        level &= each.level  # type: ignore[attr-defined]
    first, *others = group
    if all(each == first for each in others):
        return [first]
    arrays = [each for each in group if isinstance(each, Array)]
    if len(arrays) < len(group):
        return [TracerPytree(level)]
    dtypes, ndims = {each.dtype for each in arrays}, {each.ndim for each in arrays}
    return [
        Array(
            level,
            dtypes.pop() if len(dtypes) == 1 else "?",
            ndims.pop() if len(ndims) == 1 else None,
            all(each.shape for each in arrays),
        )
    ]


def _hosts(group: list[Value]) -> list[Value]:
    hosts = [each for each in group if isinstance(each, NumPyArray)]
    dtypes, ndims = {each.dtype for each in hosts}, {each.ndim for each in hosts}
    return [NumPyArray(dtypes.pop() if len(dtypes) == 1 else "?", ndims.pop() if len(ndims) == 1 else None)]


def _tuples(group: list[Value]) -> list[Value]:
    """Tuples of one length item by item, others by what any item is."""
    tuples = [each for each in group if isinstance(each, Tuple)]
    first, *others = tuples
    cls = first.cls if all(each.cls is first.cls for each in others) else None
    if first.items is not None and all(
        each.items is not None and len(each.items) == len(first.items) for each in others
    ):
        rows = [each.items for each in tuples if each.items is not None]
        return [Tuple(tuple([join_all(column) for column in zip(*rows, strict=True)]), cls=cls)]
    return [Tuple(None, join_all(each.each() for each in tuples))]


def _statics(group: list[Value]) -> list[Value]:
    """Constants of a type, up to a number of them, lie below the type, types below `any`, and all of these
    below what asks a library for something."""
    asked = [each for each in group if isinstance(each, FeatureProbe)]
    if asked:
        return [_asked(asked, {_type_of(each) for each in group}, len(asked) == len(group))]
    constants: dict[str, list[Const]] = {}
    types: dict[str, list[Static]] = {}
    for each in group:
        if isinstance(each, Const):
            known = constants.setdefault(_type_of(each), [])
            if each not in known:
                known.append(each)
        elif isinstance(each, Static):
            types.setdefault(each.type, []).append(each)
    for name, known in constants.items():
        if len(known) > OPTIONS.most:
            REACHED["options"] += 1
            types.setdefault(name, []).append(Static(name))
    if len(types) > 1 or "any" in types:
        return [ANY]
    found: list[Value] = []
    for name, own in types.items():
        first, *others = own
        is_one = not constants.get(name) and all(each == first for each in others)
        found.append(first if is_one else Static(name))
    return found + [each for name, known in constants.items() if name not in types for each in known]


def _asked(asked: list[FeatureProbe], types: set[str], is_pure: bool) -> FeatureProbe:
    """Asked of a library in one way or another; `is_pure`: there is nothing else."""
    first, *others = asked
    if is_pure and all(each == first for each in others):
        return first
    floors = {(each.floor, each.sense) for each in asked} if is_pure else set()
    floor, sense = floors.pop() if len(floors) == 1 else ((), True)
    ways = {each.how for each in asked}
    return FeatureProbe(
        types.pop() if len(types) == 1 else "any",
        ways.pop() if len(ways) == 1 else "name",
        all(each.own for each in asked),
        floor,
        sense,
    )


def _type_of(value: Value) -> str:
    return value.type if isinstance(value, Static) else type(value.value).__name__  # type: ignore[attr-defined]


def _keys(group: list[Value]) -> list[Value]:
    """The same key is one, of which the count, or where it was split, may not be known."""
    found: dict[Key, Key] = {}
    for each in group:
        if isinstance(each, Key):
            same = found.setdefault(each, each)
            if same.count != each.count or same.made != each.made:
                count = same.count if same.count == each.count else None
                made = same.made if same.made == each.made else ()
                found[each] = Key(each.token, each.level, each.many, count, made)
    return list(found.values())


def _objects(group: list[Value]) -> list[Value]:
    """Objects that are equal are one: the one that was made first in the text."""
    found: dict[Value, Value] = {}
    for each in group:
        same = found.setdefault(each, each)
        if same is not each and _rank(each) < _rank(same):
            found[each] = each
    return list(found.values())


def _rank(value: Value) -> tuple[Any, ...]:
    """The place of a value among the options of another one: by kind and text, never by arrival, where the
    value has a text."""
    kind = type(value).__name__
    if isinstance(value, Const):
        return kind, type(value.value).__name__, repr(value.value)
    if isinstance(value, (Function, Class)):
        return kind, value.module.path, value.code.nid
    if isinstance(value, (Bound, Partial)):
        return (kind, *_rank(value.func))
    if isinstance(value, Transformed):
        return kind, value.place[0].path, value.place[1], value.kind
    if isinstance(value, External):
        return kind, value.name, value.spelled
    if isinstance(value, Instance):
        return kind, value.cls.module.path, value.cls.code.nid
    if isinstance(value, Product):
        return kind, value.kind
    return (kind,)


def map_tokens(value: Value, change: Callable[[Any], Any]) -> Value:
    """The same value with its tokens replaced; containers with identity are left alone."""
    if type(value) not in WITH_TOKENS:
        return value
    if isinstance(value, Unknown):
        return UNKNOWN if value.token is None else Unknown(change(value.token), value.truth)
    if isinstance(value, Key):
        token = change(value.token)
        return UNKNOWN if token is None else Key(token, value.level, value.many, value.count)
    if isinstance(value, TracerPytree):
        return value if value.token is None else TracerPytree(value.level, change(value.token))
    if isinstance(value, Number):
        return Number(change(value.token))
    if isinstance(value, Tuple):
        if value.items is None:
            return Tuple(None, map_tokens(value.elem, change))
        return Tuple(tuple([map_tokens(item, change) for item in value.items]), cls=value.cls)
    if isinstance(value, OneOf):
        return join_all([map_tokens(option, change) for option in value.options])
    raise AssertionError(value)


def has_tokens(value: Value) -> bool:
    """Whether `map_tokens` may change a value."""
    kind = type(value)
    if kind not in WITH_TOKENS:
        return False
    if isinstance(value, (Unknown, TracerPytree)):
        return value.token is not None
    if isinstance(value, Tuple):
        return has_tokens(value.elem) if value.items is None else any(map(has_tokens, value.items))
    return not isinstance(value, OneOf) or any(map(has_tokens, value.options))


def rename_tokens(before: Value, after: Value, names: dict[Hashable, Hashable]) -> None:
    """What the tokens of a value are called where another one has taken its place: nothing where that
    cannot be told."""
    if isinstance(before, Tuple):
        items = after.items if isinstance(after, Tuple) and after.items is not None else ()
        own = before.items if before.items is not None else (before.elem,)
        for index, item in enumerate(own):
            rename_tokens(item, items[index] if len(items) == len(own) else UNKNOWN, names)
    elif isinstance(before, OneOf):
        for option in before.options:
            rename_tokens(option, UNKNOWN, names)
    elif isinstance(before, (Key, Unknown, TracerPytree, Number)) and before.token is not None:
        token = getattr(after, "token", None)
        names[before.token] = token if names.get(before.token, token) == token else None


def widen(before: Value, after: Value) -> Value:
    """The start of a loop's second turn: a constant that changed is any constant of its type."""
    if before == after:
        return after
    if isinstance(after, Const) and isinstance(before, (Const, Static)):
        name = type(after.value).__name__
        if after.value is None or (isinstance(before, Const) and before.value is None):
            return after
        return Static(name)
    return after


def blend(before: Value, after: Value) -> Value:
    """As join, but numbers that differ are any number: counters would never settle."""
    if isinstance(before, (Const, Static)) and isinstance(after, Const):
        kind = type(after.value)
        if kind in (int, float) and before != after:
            own = before.type if isinstance(before, Static) else type(before.value).__name__
            if own == kind.__name__:
                return Static(own)
    return join(before, after)


_GROUPS: Final[Mapping[type, str]] = {
    **dict.fromkeys((Array, TracerPytree, VariableRef), "array"),
    **dict.fromkeys((Static, Text, Number, FeatureProbe, Const), "static"),
    NumPyArray: "host",
    Tuple: "tuple",
    Key: "key",
}
"""The kinds of values that are summed up together; all others are objects, which stay apart."""
_SUMS: Final[Mapping[str, Callable[[list[Value]], list[Value]]]] = {
    "array": _arrays,
    "static": _statics,
    "host": _hosts,
    "tuple": _tuples,
    "key": _keys,
    "object": _objects,
    "none": lambda group: group[:1],
}
_WITH_LEVEL = frozenset((Array, TracerPytree, VariableRef, Key))
_NESTED = frozenset((OneOf, Tuple, MutableContainer))
_MAY_ASK = frozenset((FeatureProbe, OneOf, Tuple, MutableContainer, Product))
WITH_TOKENS: Final = frozenset((Key, Unknown, TracerPytree, Number, Tuple, OneOf))


def level_of(value: Value, depth: int = 4) -> int:
    """Which tracers this value, taken as an operand, certainly is; containers to some depth."""
    kind = type(value)
    if kind in _WITH_LEVEL:
        return value.level  # type: ignore[attr-defined, no-any-return]
    if kind not in _NESTED:
        return 0
    if isinstance(value, OneOf):
        level = 7
        for option in value.options:
            if isinstance(option, Const) and option.value is None:
                continue
            level &= level_of(option, depth)
        return level if level != 7 else 0
    if isinstance(value, (Tuple, MutableContainer)) and depth:
        level = 0
        if not isinstance(value, MutableContainer) or value.kind != "dict":
            for item in value.items if value.items is not None else (value.elem or UNKNOWN,):
                level |= level_of(item, depth - 1)
        return level
    return 0


def from_shape(values: Iterable[Value]) -> bool:
    """Whether these are all static, and a shape or a length is among them."""
    found = False
    for value in values:
        if isinstance(value, Array):
            if not value.shape:
                return False
            found = True
        elif isinstance(value, Static):
            found = found or value.type in ("int", "float")
        elif isinstance(value, (Tuple, MutableContainer)):
            items = value.items if value.items is not None else (value.each(),)
            if items and from_shape(items):
                found = True
            elif not all(isinstance(item, Const) for item in items):
                return False
        elif not isinstance(value, (Const, External)):
            return False
    return found


def asks(value: Value, depth: int = 2) -> str:
    """Whether a value rests on the version of a library (`version`) or on what it has (`name`)."""
    if type(value) not in _MAY_ASK:
        return ""
    parts: Iterable[Value] = ()
    if isinstance(value, FeatureProbe):
        return value.how
    if isinstance(value, OneOf):
        parts = value.options
    elif isinstance(value, Tuple):
        parts = value.items if value.items is not None else (value.elem,)
    elif isinstance(value, MutableContainer) and value.kind != "dict":
        parts = (*(value.items or ()), *((value.elem,) if value.elem is not None else ()))
    elif isinstance(value, Product) and value.kind == "iterator":
        parts = value.parts[:1]
    if depth:
        for part in parts:
            how = asks(part, depth - 1)
            if how:
                return how
    return ""


def may_lack(value: Value) -> bool:
    """Whether a value is a library's name, or nothing where the library does not have it."""
    if not isinstance(value, OneOf) or NONE not in value.options:
        return False
    return any(isinstance(each, (External, Imported)) for each in value.options)


def is_array(value: Value) -> bool:
    """Whether the value is certainly a JAX array, concrete or traced."""
    if isinstance(value, OneOf):
        return all(is_array(option) for option in value.options)
    return isinstance(value, Array)


def is_host_data(value: Value) -> bool:
    """Whether the value is certainly data that no transform traces."""
    if isinstance(value, OneOf):
        return all(is_host_data(option) for option in value.options)
    if isinstance(value, Tuple):
        return all(is_host_data(each) for each in value.items or (value.elem,))
    return isinstance(value, (Const, Static, NumPyArray))


def constants(value: Value) -> tuple[Any, ...] | None:
    """The Python value of a constant, or of a tuple or list of constants, as a tuple."""
    if isinstance(value, Const):
        return (value.value,)
    items: Iterable[Value] | None = None
    if isinstance(value, Tuple):
        items = value.items
    elif isinstance(value, MutableContainer) and value.kind in ("list", "set", "frozenset"):
        items = value.items
    if items is None:
        return None
    found = []
    for item in items:
        if not isinstance(item, Const):
            return None
        found.append(item.value)
    return tuple(found)
