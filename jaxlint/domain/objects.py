"""Functions, classes, instances and modules as abstract values, and the variables of functions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from jaxlint.domain.facts import Fact
from jaxlint.domain.values import Const, External, Value
from jaxlint.ir.nodes import (
    AnnotatedStmt,
    AssignStmt,
    AttrExpr,
    AugmentedStmt,
    ConstExpr,
    Expr,
    ForStmt,
    MatchStmt,
    NameExpr,
    StarExpr,
    Stmt,
    TupleExpr,
    WhileStmt,
)
from jaxlint.ir.program import Program
from jaxlint.ir.walks import suites

if TYPE_CHECKING:
    from jaxlint.ir.program import ClassCode, Code


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
    """A function of the project: its code and the environment it closes over.

    stands_for: the function that a decorator has made it of, whose arguments callers pass. made: which call
    of the function around has made it.
    """

    __slots__ = (
        "attributes", "birth", "caught", "cls", "code", "defaults", "env", "made", "module", "stands_for"
    )  # fmt: skip

    def __init__(self, code: Code, module: Module, env: Environment, cls: Class | None = None) -> None:
        self.code = code
        self.module = module
        self.env = env
        self.cls = cls
        self.defaults: dict[str, Value] = {}
        self.attributes: dict[str, Value] = {}
        self.birth: Any = None
        self.caught: tuple[frozenset[str], ...] = ()  # what the handlers around its definition catch
        self.stands_for: Function | None = None
        self.made: Hashable = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and other.code is self.code and other.env is self.env

    def __hash__(self) -> int:
        return hash((id(self.code), id(self.env)))

    def __repr__(self) -> str:
        return f"function {self.code.qualname}"

    def with_parameters(self) -> Function:
        """The function whose parameters say what this takes: itself, unless it hands on whatever it gets."""
        func, seen = self, {self}
        while func.stands_for is not None and any(param.kind == "*" for param in func.code.params):
            func = func.stands_for
            if func in seen:
                break
            seen.add(func)
        return func

    def shown_name(self, which: str = "__name__") -> str | None:
        """Its `__name__` or `__qualname__`, with `functools.wraps` that of what it wraps; None if that is not
        known, and of any other attribute."""
        wrapped = self.attributes.get("__wrapped__", self)
        if wrapped is not self:
            return wrapped.shown_name(which) if isinstance(wrapped, Function) else None
        if which == "__name__":
            return self.code.qualname.rpartition(".")[2]
        return self.code.qualname if which == "__qualname__" and self.env.parent is None else None

    def is_made_in_trace(self) -> bool:
        """Whether code that JAX traces defines this function."""
        env: Environment | None = self.env
        while env is not None and not env.depth:
            env = env.parent
        return env is not None

    def key(self, depth: int = 3) -> Hashable:
        return (self, self.made, self.captured())

    def captured(self) -> tuple[tuple[str, Value], ...]:
        """The constants, functions and objects that a lambda, or what a loop defines, closes over now: a loop
        may change them between calls."""
        if not self.code.is_lambda and not (self.birth is not None and self.birth.iterations):
            return ()
        kinds = (Const, External, Function, Bound, Partial, Transformed, Class, Instance)
        found = [(name, self.env.vars.get(name)) for name in self.code.free]
        return tuple([(name, value) for name, value in found if isinstance(value, kinds)])


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
        self.conditions: tuple[Fact, ...] = ()  # of `self`: what it was made under

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


def computed(body: Iterable[Stmt]) -> Iterator[str]:
    """The attributes to which statements, at any depth, assign what is computed."""
    for statement in body:
        if isinstance(statement, AugmentedStmt):
            if isinstance(statement.target, AttrExpr):
                yield statement.target.name
        elif isinstance(statement, AssignStmt):
            if not isinstance(statement.value, ConstExpr):
                yield from (target.name for target in statement.targets if isinstance(target, AttrExpr))
        else:
            for block in suites(statement):
                yield from computed(block)


# methods that run only while an object is made
CONSTRUCTION = frozenset(
    "__init__ __post_init__ __attrs_post_init__ __new__ __setstate__ __set_name__ __copy__ __deepcopy__ "
    "__init_subclass__ __check_init__ setup".split()
)


class Class(Value):
    """A class of the project. `bases` are values; `external` names its bases from libraries."""

    __slots__ = (
        "_bases", "_computed", "_lineage", "_seen", "annotations", "attributes", "code", "env", "fields",
        "converters", "generic", "instance_writes", "marks", "module", "named_only", "unhashed",
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
        self.annotations: dict[str, Expr] = {}  # of fields
        self.marks: set[str] = set()  # dataclass, frozen, identity, pytree, namedtuple, enum, module
        self.unhashed: set[str] = set()  # fields that the hash of a dataclass leaves out
        self.converters: dict[str, Value] = {}  # what makes of the values of fields what objects hold
        self.generic: Instance | None = None
        self.named_only: set[str] = set()  # fields that no argument gives by its position
        self.instance_writes: dict[str, set[tuple[str, Any, int]]] = {}  # by attribute: method, module, nid

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
        # what becomes the class of an object that it derives from is no base of itself
        bases = tuple([base for base in bases if not (isinstance(base, Class) and self in base.lineage())])
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
        return found[0] if found is not None and found[0].is_shared else None

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
    """An instance of a project class, one for each place and context that makes it.

    origin: the object whose attributes this one shares; place: what tells it from others that do so. is_open:
    it may be of a class below its own. alike: where it stands for several objects, the tokens of keys that
    all of them are made with; and `(OWN, name)` for attributes that hold something else.
    """

    __slots__ = (
        "alike",
        "attributes",
        "cls",
        "depth",
        "generic",
        "is_open",
        "level",
        "many",
        "origin",
        "place",
    )
    is_shared = True

    def __init__(self, cls: Class, depth: int, generic: bool = False) -> None:
        self.cls = cls
        self.attributes: dict[str, Value] = {}
        self.depth = depth
        self.generic = generic
        self.many = False  # stands for several objects
        self.level = 0
        self.origin: Instance | None = None
        self.place: tuple[Any, ...] = ()
        self.is_open = False
        self.alike: frozenset[Hashable] = frozenset()

    def holder(self, name: str) -> Instance | None:
        """The object that has an attribute: this one, or where it stands for all of its class that of a base
        whose methods set it."""
        if name in self.attributes:
            return self
        if self.generic:
            for cls in self.cls.lineage()[1:]:
                if cls.generic is not None and name in cls.generic.attributes:
                    return cls.generic
        return None

    def __repr__(self) -> str:
        return f"instance of {self.cls.code.qualname}"


class Imported(Value):
    """A module of the project."""

    __slots__ = ("module",)

    def __init__(self, module: Module) -> None:
        self.module = module

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Imported) and other.module is self.module

    def __hash__(self) -> int:
        return id(self.module)


CALLABLE = (Function, Bound, Partial, Transformed, Class, External)


@dataclass(slots=True, eq=False)
class Module:
    """One file of the project while it is analyzed."""

    path: str
    names: tuple[str, ...]
    is_package: bool
    program: Program
    env: Environment = field(init=False)
    state: str = "new"  # new, running, done
    stars: list[Value] = field(default_factory=list)
    rebound: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self.env = Environment(self.program.body, self, None)
        self.rebound = rebound(self.program)

    @property
    def name(self) -> str:
        return self.names[0] if self.names else ""


def rebound(program: Program) -> frozenset[str]:
    """Module variables that are assigned more than once, or from inside a function."""
    seen: set[str] = set()
    twice: set[str] = set()

    def visit(body: Iterable[Stmt], inside: frozenset[str] | None, repeated: bool) -> None:
        for statement in body:
            targets: tuple[Expr, ...] = ()
            if isinstance(statement, AssignStmt):
                targets = statement.targets
            elif isinstance(statement, (AugmentedStmt, ForStmt)) or (
                isinstance(statement, AnnotatedStmt) and statement.value is not None
            ):
                targets = (statement.target,)
            again = repeated or isinstance(statement, (AugmentedStmt, ForStmt))
            for target in targets:
                for name in _names(target):
                    if inside is not None:
                        if name in inside:
                            twice.add(name)
                    elif name in seen or again:
                        twice.add(name)
                    else:
                        seen.add(name)
            if not isinstance(statement, MatchStmt):
                for block in suites(statement):
                    visit(block, inside, repeated or isinstance(statement, (WhileStmt, ForStmt)))

    visit(program.body.body, None, False)
    for code in program.codes[1:]:
        if code.global_names:
            visit(code.body, code.global_names, False)
    return frozenset(twice)


def _names(target: Expr) -> list[str]:
    if isinstance(target, NameExpr):
        return [target.name]
    if isinstance(target, StarExpr):
        return _names(target.value)
    if isinstance(target, TupleExpr):
        return [name for each in target.items for name in _names(each)]
    return []


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
