"""What annotations say of parameters and fields: of which class an object is, that something is an array.

In: annotations as they are written. Out: values that stand for whatever is annotated so. An annotation is a
belief: it never says that an array is traced, and of an object no more than its class.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterator, Sequence
from typing import NamedTuple

from jaxlint.analysis.core import Core, Unreachable
from jaxlint.analysis.flow_state import FlowState
from jaxlint.domain.join import MutableContainer, Tuple, join
from jaxlint.domain.members import is_enumeration
from jaxlint.domain.objects import Class, Environment, Function, Instance, Module
from jaxlint.domain.questions import is_static_method
from jaxlint.domain.values import NONE, UNKNOWN, External, Product, Unknown, Value
from jaxlint.evaluation.beliefs.type_arguments import arguments_of, meant_of
from jaxlint.evaluation.beliefs.used_classes import called_by_position, calls_by_name, fits, used_of
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.heirs import has_kernels, is_protocol
from jaxlint.ir import nodes
from jaxlint.ir.lower_expressions import lowered_text
from jaxlint.ir.nodes import (
    AttrExpr,
    BinaryExpr,
    ConstExpr,
    Expr,
    NameExpr,
    SubscriptExpr,
)
from jaxlint.ir.walks import nodes_of
from jaxlint.tables.array_methods import METHODS

# classes whose objects are arrays of JAX and nothing else, which `chex.Array` is not
ARRAYS = frozenset(("jax.Array", "jax.numpy.ndarray", "jaxtyping.Array"))
_FUNCTIONS = frozenset(("typing.Callable", "collections.abc.Callable"))
_WRAPPERS = frozenset(
    f"typing.{name}" for name in ("Annotated", "Final", "Required", "NotRequired", "ReadOnly", "ClassVar")
) | {"dataclasses.InitVar"}
_COLLECTIONS = {
    "builtins.tuple": "tuple", "typing.Tuple": "tuple", "builtins.list": "list", "typing.List": "list",
}  # fmt: skip
_REST = {"tuple": ((ConstExpr(...),),), "list": ((),)}  # what stands behind the class of the objects
_UNION, _OPTIONAL, _SELF = "typing.Union", "typing.Optional", "typing.Self"
# what jaxtyping has besides kinds of arrays
NO_KINDS = frozenset(("PyTree", "Key", "PRNGKeyArray", "PyTreeDef", "ArrayLike", "Scalar", "ScalarLike"))
# bases that say what an object can do, and nothing of what it is
_SHAPES_ONLY = frozenset(("typing.Protocol", "typing.TypedDict", "builtins.type"))
_NO_OBJECTS = frozenset(("enum", "altered"))
# classes whose objects JAX takes apart, or takes as they are, and bases that say nothing of it
_TAKEN = frozenset(("pytree", "static", "linen", "nnx", "namedtuple", "enum", "altered"))
_PLAIN = frozenset(("builtins.object", "abc.ABC", "typing.Generic"))
_OF_DICTS = {each for each in dir(dict) if each not in METHODS and not each.startswith("__")}

_FAR = 3  # fields of fields that are told apart

ARRAY, _FUNCTION, _ANYTHING = "array", "function", "?"
_DROPOUT = "equinox.nn.Dropout"  # of which nobody derives a class that draws otherwise


class Several(NamedTuple):
    """A tuple or a list with any number of objects of a class."""

    cls: Class
    kind: str


Alternative = Class | Several | str | None
"""A class of the project or several of its objects, `ARRAY`, `_FUNCTION`, `_DROPOUT` or `_ANYTHING`; None is
Python's."""


class Belief(NamedTuple):
    """What is annotated: one array, function or layer, one or several objects of a class, or each of them or
    None."""

    kind: Class | Several | str
    is_optional: bool


class Annotations:
    """Reads annotations."""

    def __init__(
        self, flow: FlowState, core: Core, expressions: Expressions, definitions: Definitions
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.definitions = definitions
        self._of_parameters: dict[tuple[int, Environment, int | None, int], dict[str, Belief]] = {}
        self._of_fields: dict[tuple[Class, str, int], Belief | None] = {}
        self._lists: dict[tuple[Several, Hashable, int], MutableContainer] = {}

    # ---- beliefs

    def of_parameters(self, func: Function) -> dict[str, Belief]:
        """What is believed of a function's parameters, by their names."""
        is_done = func.module.state == "done"  # else more classes may follow
        more = None if is_done else len(func.module.env.vars)
        key = (id(func.code), func.env, more, len(self.definitions.heirs.classes))
        known = self._of_parameters.get(key)
        if known is None:
            known = {}
            for position, param in enumerate(func.code.params):
                if position == 0 and func.cls is not None and not is_static_method(func):
                    continue
                if param.annotation is None and param.kind in "pnk" and param.default in (None, nodes.NONE):
                    implied = self._implied(func, param.name)
                    belief = None if implied is None else Belief(implied, param.default is not None)
                    known.update(() if belief is None else ((param.name, belief),))
                elif param.annotation is not None and param.kind in "pnk":
                    belief = self._belief(param.annotation, func.env, func.module, func.cls)
                    if belief is not None and belief.kind == ARRAY and self._is_dict(func, param.name):
                        belief = None
                    if belief is not None:
                        is_optional = belief.is_optional or param.default == nodes.NONE
                        known[param.name] = belief._replace(is_optional=is_optional)
            self._of_parameters[key] = known
        return known

    def _implied(self, func: Function, name: str) -> Class | None:
        """The class that a parameter without annotation is used as: the only one that the module has a name
        for with all attributes that are read of it, of which there are two, or one of a record where the
        function also makes or replaces such a record; or the record of a library that has a method which is
        called."""
        used = used_of(func.code, func.module.program, name)
        if not used:
            return None
        named = func.module.env.vars
        classes = {each: None for each in named.values() if isinstance(each, Class) and _has_objects(each)}
        made = {named.get(each) for each in calls_by_name(func.code)}
        fitting = [each for each in classes if fits(each, used, each in made)]
        if not fitting:
            by_position = called_by_position(func.code, func.module.program, name)
            return self.expressions.interpreter.library.record_with(used, by_position)
        return next((each for each in fitting if all(each in other.lineage() for other in fitting)), None)

    def _is_dict(self, func: Function, name: str) -> bool:
        """Whether a function has items of a parameter by texts or members of an enumeration, or has methods
        of it that dicts have and arrays lack: what it does says more than the annotation."""
        for node in nodes_of(func.code.body):
            if not isinstance(node, (SubscriptExpr, AttrExpr)) or not isinstance(node.value, NameExpr):
                continue
            if node.value.name != name:
                continue
            if isinstance(node, AttrExpr):
                if node.name in _OF_DICTS:
                    return True
            elif isinstance(node.index, ConstExpr):
                if isinstance(node.index.value, str):
                    return True
            elif isinstance(node.index, AttrExpr) and isinstance(node.index.value, NameExpr):
                env: Environment | None = func.env
                while env is not None and node.index.value.name not in env.vars:
                    env = env.parent
                if env is not None and is_enumeration(env.vars[node.index.value.name]):
                    return True
        return False

    def must_be_static(self, func: Function, names: Container[str]) -> bool:
        """Whether one of these parameters is annotated with a class whose objects JAX takes for no argument:
        they are neither pytrees nor arrays. A call raises before anything is traced."""
        for name, belief in self.of_parameters(func).items():
            cls = belief.kind.cls if isinstance(belief.kind, Several) else belief.kind
            if name in names and not belief.is_optional and isinstance(cls, Class):
                if not any(map(_may_be_traced, (cls, *self.definitions.heirs.below(cls)))):
                    return True
        return False

    def of_field(self, cls: Class, name: str) -> Belief | None:
        """What the first class that annotates it says of a field."""
        key = (cls, name, len(self.definitions.heirs.classes))
        if key not in self._of_fields:
            self._of_fields[key] = None
            for each in cls.lineage():
                node = each.annotations.get(name)
                if node is not None:
                    self._of_fields[key] = self._belief(node, each.env, each.module, cls)
                    break
        return self._of_fields[key]

    def _belief(self, node: Expr, env: Environment, module: Module, cls: Class | None) -> Belief | None:
        try:
            with self.core.elsewhere(env, module):
                alternatives = dict.fromkeys(self._alternatives(node, cls))
        except Unreachable:
            return None
        is_optional = None in alternatives
        alternatives.pop(None, None)
        if len(alternatives) != 1:
            return None
        (kind,) = alternatives
        if kind is None or kind == _ANYTHING or (isinstance(kind, Class) and not _has_objects(kind)):
            return None
        if kind == ARRAY and has_kernels(module):
            return None  # of a kernel it may mean a reference
        return Belief(kind, is_optional)

    def _alternatives(self, node: Expr, cls: Class | None) -> Iterator[Alternative]:
        if isinstance(node, ConstExpr):
            if isinstance(node.value, str):
                written = lowered_text(node.value)
                node = ConstExpr(...) if written is None else written
                if not isinstance(node, ConstExpr):
                    yield from self._alternatives(node, cls)
                    return
            yield None if node.value is None else _ANYTHING
        elif isinstance(node, BinaryExpr) and node.operator == "|":
            yield from self._alternatives(node.left, cls)
            yield from self._alternatives(node.right, cls)
        elif isinstance(node, SubscriptExpr):
            yield from self._of_subscript(node, cls)
        elif isinstance(node, (NameExpr, AttrExpr)):
            yield _alternative(self.expressions.eval(node), cls)
        else:
            yield _ANYTHING

    def _of_subscript(self, node: SubscriptExpr, cls: Class | None) -> Iterator[Alternative]:
        if not isinstance(node.value, (NameExpr, AttrExpr)):
            yield _ANYTHING
            return
        base = self.expressions.eval(node.value)
        items = arguments_of(node)
        name = base.name if isinstance(base, External) else ""
        if isinstance(base, Class):
            yield self._of_generic(base, items) or _ANYTHING
        elif name in _FUNCTIONS:
            yield _FUNCTION
        elif name in (_UNION, _OPTIONAL):
            for item in items:
                yield from self._alternatives(item, cls)
            if name == _OPTIONAL:
                yield None
        elif name in _COLLECTIONS and items[1:] in _REST[_COLLECTIONS[name]]:
            each, *others = dict.fromkeys(self._alternatives(items[0], cls))
            if isinstance(each, Class) and _has_objects(each) and not others:
                yield Several(each, _COLLECTIONS[name])
            else:
                yield _ANYTHING
        elif name in _WRAPPERS and items:
            yield from self._alternatives(items[0], cls)
        elif name.startswith("jaxtyping.") and name.removeprefix("jaxtyping.") not in NO_KINDS and items:
            of = dict.fromkeys(self._alternatives(items[0], cls))
            yield ARRAY if [*of] == [ARRAY] else _ANYTHING
        else:
            yield _ANYTHING

    def _of_generic(self, cls: Class, arguments: Sequence[Expr]) -> Class | None:
        """The class that a class of the project with arguments means; None where several may be meant."""
        below = self.definitions.heirs.below(cls)
        wanted = [self._named_by(each) for each in arguments] if below else ()
        return meant_of(cls, wanted, below, self._named_in)

    def _named_in(self, node: Expr, cls: Class) -> Value:
        """What an expression names where a class is defined."""
        with self.core.elsewhere(cls.env, cls.module):
            return self._named_by(node)

    def _named_by(self, node: Expr) -> Value:
        """What a type names, without its arguments; nothing is known of one that is written otherwise."""
        if isinstance(node, SubscriptExpr):
            node = node.value
        try:
            return self.expressions.eval(node) if isinstance(node, (NameExpr, AttrExpr)) else UNKNOWN
        except Unreachable:
            return UNKNOWN

    # ---- values

    def parameter(self, belief: Belief, token: Hashable, ordinal: int | None) -> Value:
        """What stands for an argument, and for no argument of the same function. `ordinal`: how many of its
        class come before it; None where it may be any object of the class."""
        return self._value(belief, token, () if ordinal is None else (ordinal,))

    def field(self, owner: Instance, name: str) -> Value | None:
        """What stands for what an object has in an annotated field of which nothing else is known."""
        belief = self.of_field(owner.cls, name)
        if belief is None:
            return None
        token = None if owner.many else (id(owner), ".", name)
        if not isinstance(belief.kind, Class):
            return self._value(belief, token, ())
        place = (*owner.place, name) if owner.place else (id(owner), name)
        is_one = not owner.many and len(place) <= _FAR + 1
        found = self._value(belief, token, place if is_one else ())
        return found

    def _value(self, belief: Belief, token: Hashable, place: tuple[Hashable, ...]) -> Value:
        if belief.kind == ARRAY:
            return Unknown(token, annotated=True)
        value: Value
        if belief.kind == _DROPOUT:  # how much it drops is not known, nor whether it drops anything
            value = Product("layer", _DROPOUT, UNKNOWN, UNKNOWN)
            return join(value, NONE) if belief.is_optional else value
        if isinstance(belief.kind, Several):
            value = self._several(belief.kind, token)
            return join(value, NONE) if belief.is_optional else value
        if not isinstance(belief.kind, Class):
            return Unknown(token, None if belief.is_optional else True)
        cls = belief.kind
        if cls.has_mark("namedtuple"):
            value = Tuple(tuple([self._part(cls, name, token) for name in cls.all_fields()]), cls=cls)
        else:
            value = self.definitions.stand_in(cls, place)
        return join(value, NONE) if belief.is_optional else value

    def _several(self, kind: Several, token: Hashable) -> Value:
        """What stands for objects in a tuple, or in a list that has this token."""
        each = self.definitions.stand_in(kind.cls, ())
        if kind.kind == "tuple":
            return Tuple(None, each)
        key = (kind, token, each.depth)
        box = self._lists.setdefault(key, MutableContainer(kind.kind, each.depth, 0))
        box.items, box.elem = None, each
        return box

    def _part(self, cls: Class, name: str, token: Hashable) -> Value:
        """What a field of a named tuple is."""
        belief = self.of_field(cls, name)
        part = None if token is None else (token, ".", name)
        if belief is None or isinstance(belief.kind, Class):
            return Unknown(part)
        return self._value(belief, part, ())


def _alternative(value: Value, cls: Class | None) -> Alternative:
    if isinstance(value, Class):
        return value
    if isinstance(value, External):
        if value.name in ARRAYS:
            return ARRAY
        if value.name in _FUNCTIONS:
            return _FUNCTION
        if value.name == _DROPOUT:
            return _DROPOUT
        if value.name == _SELF and cls is not None:
            return cls
    return None if value == NONE else _ANYTHING


def _has_objects(cls: Class) -> bool:
    """Whether objects of a class are what its methods make of them, or those of the classes below."""
    if cls.has_any_mark(_NO_OBJECTS) or cls.opaque():
        return False
    return is_protocol(cls) or _SHAPES_ONLY.isdisjoint(cls.externals())


def _may_be_traced(cls: Class) -> bool:
    return (
        any(each.has_any_mark(_TAKEN) for each in cls.lineage())
        or cls.opaque()
        or not _PLAIN.issuperset(cls.externals())
        or cls.lookup("__jax_array__") is not None
        or cls.lookup("tree_flatten") is not None
    )
