"""Arguments: which parameter gets which value, and what is known of a parameter without a call."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import TypeGuard

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.function_context import Vars
from jaxlint.analysis.token_names import Tokens
from jaxlint.domain.join import MutableContainer, Tuple, join, join_all, options_of
from jaxlint.domain.literals import dtype_of
from jaxlint.domain.objects import Class, Function, Instance, Key, Transformed
from jaxlint.domain.questions import WITH_TOKENS, arrays_of, but_for_none, is_rest, is_static_method
from jaxlint.domain.values import (
    NONE,
    NUMBERS,
    UNKNOWN,
    Array,
    Candidates,
    Const,
    External,
    FeatureProbe,
    Number,
    NumPyArray,
    OneOf,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.annotations import ARRAY, NO_KINDS, Annotations, Belief, Several
from jaxlint.evaluation.definitions import Definitions
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.ir.nodes import Expr, SubscriptExpr
from jaxlint.ir.program import Code, Param

ARRAY_ANNOTATIONS = frozenset(
    ("jax.Array", "jax.numpy.ndarray", "chex.Array", "jaxtyping.Array", "jax.typing.ArrayLike")
)
_NEVER_TRACED = frozenset(("str", "bytes"))  # transforms refuse these


_NO_BELIEFS: Mapping[str, Belief] = MappingProxyType({})
_NOTHING_GIVEN: Mapping[Hashable, Value] = MappingProxyType({})


def _is_plain(value: Value) -> bool:
    return isinstance(value, (Const, Static, NumPyArray, Unknown)) and not isinstance(value, FeatureProbe)


def is_flag(value: Value) -> bool:
    """Whether an argument is one of the few values by which functions choose what they do."""
    return type(value) is Const and (value.value is None or type(value.value) is bool)


def _is_function(default: Value | None) -> TypeGuard[Value]:
    """Whether a default is a function, or is called like one: a caller that hands over another one mostly
    has one alike."""
    if isinstance(default, External):
        return dtype_of(default) == "?"
    if isinstance(default, Instance):
        return default.cls.lookup("__call__") is not None
    return isinstance(default, (Function, Class, Transformed))


def token_of(value: Value) -> Hashable:
    value = but_for_none(value)
    return value.token if isinstance(value, (Unknown, Key, TracerPytree, Number)) else None


def _may_be(value: Value, belief: Belief) -> bool:
    """Whether an argument is what an annotation says, as far as that makes a difference."""
    if isinstance(value, OneOf):
        return all(_may_be(option, belief) for option in value.options)
    if value == NONE:
        return belief.is_optional or belief.kind == "array"
    if isinstance(belief.kind, str) or isinstance(value, (Unknown, TracerPytree)):
        return True
    if isinstance(belief.kind, Several):
        kind = value.kind if isinstance(value, MutableContainer) else "tuple" * isinstance(value, Tuple)
        return kind == belief.kind.kind
    cls = value.cls if isinstance(value, (Instance, Tuple)) else None
    return cls is not None and belief.kind in cls.lineage()


def _in_general(value: Value, tokens: Tokens, is_traced: bool, is_split_up: bool = False) -> Value | None:
    """An argument of which no more is known than that it is traced, a key, or a tuple with keys.
    `is_split_up`: a tuple is one of arguments."""
    if isinstance(value, Key):
        return tokens.argument(Key(value.token, value.level, value.many, made=value.made))
    if is_traced and isinstance(value, (Array, TracerPytree)) and value.level:
        return tokens.argument(value) if isinstance(value, TracerPytree) else Array(value.level)
    if not isinstance(value, Tuple) or value.items is None or value.cls is not None:
        return None
    if not is_split_up and not any(isinstance(each, Key) for each in value.items):
        return None
    kept = []
    for item in value.items:
        each = _in_general(item, tokens, is_traced)
        kept.append(Unknown(tokens.local(token_of(item))) if each is None else each)
    return Tuple(tuple(kept))


def _around_rest(
    func: Function, args: list[Value], keywords: Mapping[str, Value]
) -> tuple[list[Value], Value | None, Vars]:
    """The arguments before those of which it is not known how many there are, any of the latter, and what
    comes after them, by the parameters where it is sure to end up."""
    places = [place for place, value in enumerate(args) if is_rest(value)]
    if not places:
        return args, None, {}
    first, end = places[0], places[-1] + 1
    inner = [value.parts[0] if is_rest(value) else value for value in args[first:end]]
    after = args[end:]
    open_ones = [param for param in func.code.params if param.kind in "pn" and param.name not in keywords]
    if any(map(is_optional, func.code.params)) or len(open_ones) < first + len(after):
        return args[:first], join_all((*inner, *after)), {}
    last = open_ones[len(open_ones) - len(after) :]
    placed: Vars = {param.name: value for param, value in zip(last, after, strict=True)}
    return args[:first], join_all(inner), placed


def is_optional(param: Param) -> bool:
    """Whether a call may fill a positional parameter or not, or with any number of arguments."""
    return param.kind == "*" or (param.kind in "pn" and param.default is not None)


class Arguments:
    """Binds the arguments of calls to parameters."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        expressions: Expressions,
        keys: Keys,
        definitions: Definitions,
        annotations: Annotations,
    ) -> None:
        self.flow = flow
        self.core = core
        self.expressions = expressions
        self.keys = keys
        self.definitions = definitions
        self.annotations = annotations
        # the keywords of which nothing is known, by code and how many traces enclose the call
        self.spreads: dict[tuple[Code, int], MutableContainer] = {}
        self.rests: dict[
            Hashable, MutableContainer
        ] = {}  # by code and what is in it: what `**` takes of a call

    def bind_arguments(
        self, func: Function, args: list[Value], keywords: dict[str, Value], exact: bool
    ) -> Vars | None:
        """The parameters' values; None where the call cannot succeed."""
        found: Vars = {}
        positional, rest, last = _around_rest(func, args, keywords)
        keywords = dict(keywords)
        spread = keywords.pop("**", None)
        position = 0
        for param in func.code.params:
            name, kind = param.name, param.kind
            if kind == "*":
                tail = tuple(positional[position:])
                found[name] = Tuple(tail) if rest is None else Tuple(None, join_all((*tail, rest)))
                position = len(positional)
            elif kind == "**":
                found[name] = self._rest_of(func, keywords, spread)
                keywords = {}
            elif kind in "pn" and position < len(positional):
                found[name] = positional[position]
                position += 1
            elif name in last:
                found[name] = last[name]
            elif kind != "p" and name in keywords:
                found[name] = keywords.pop(name)
            elif rest is not None and kind in "pn":
                # how many there are is not known: they fill what has no default, each with another one
                found[name] = self.core.fresh_copy(rest) if param.default is None else UNKNOWN
            elif param.default is not None and (exact or spread is None):
                found[name] = func.defaults.get(name, UNKNOWN)
            elif spread is not None or not exact:
                found[name] = UNKNOWN
            else:
                return None
        if position < len(positional) or keywords:
            return None
        return found

    def believe(self, func: Function, given: Vars) -> None:
        """In a trace, arguments of which nothing is known are objects of the classes that the annotations of
        their parameters name; also where these may be left out, which these have not been."""
        beliefs = self.annotations.of_parameters(func)
        for name, belief in beliefs.items():
            value = given[name]
            if type(value) is Unknown and not value.arrays and not isinstance(belief.kind, str):
                token = (func.code, name) if isinstance(belief.kind, Several) else None
                given[name] = self.annotations.parameter(belief._replace(is_optional=False), token, None)

    def _rest_of(
        self, func: Function, keywords: Mapping[str, Value], spread: Value | None
    ) -> MutableContainer:
        """What `**` takes of a call: of calls with the same keywords the same, so that one run is theirs."""
        parts = tuple([(name, value.fact()) for name, value in keywords.items()])
        key = (func.code, self.flow.context.depth, parts, None if spread is None else spread.fact())
        box = self.rests.get(key)
        if box is None:
            box = self.rests[key] = MutableContainer("dict", self.flow.context.depth, self.flow.block)
        box.entries, box.elem, box.block = dict(keywords), spread, self.flow.block
        box.of_call = True
        return box

    def arguments_apart(self, func: Function, given: Vars, tokens: Tokens) -> Vars:
        """The arguments of a call whose context is told apart from others, as the callee sees them."""
        values = dict(given)
        trees = False
        for position, (name, value) in enumerate(given.items()):
            kind = type(value)
            if kind in WITH_TOKENS:
                tokens.at(position)
                values[name] = tokens.argument(self.flow.tested(value) if self.flow.context.depth else value)
                trees = trees or kind is TracerPytree or kind is OneOf or arrays_of(value) > 0
        if trees:
            self._annotate(func, values)
        return values

    def arguments_in_general(
        self, func: Function, given: Vars, tokens: Tokens, cls: Class | None, depth: int
    ) -> Vars:
        """What is known of arguments beyond the budget of a function: which are traced or keys, and the
        class of the object whose method it is. `depth`: how many traces enclose the call."""
        is_traced = depth > 0
        known = {name: token_of(value) for name, value in given.items()}
        if not is_traced and all(map(_is_plain, given.values())):
            for name, value in given.items():
                if isinstance(value, Const) and type(value.value) is int:
                    known[name] = self.keys.number(value.value)
        values = self.unknown_arguments(func, tokens, known, cls, depth, given)
        stars = {param.name for param in func.code.params if param.kind == "*"}
        last = func.code.params[-1] if func.code.params else None
        if is_traced and last is not None and last.kind == "**":
            named = given[last.name]
            if isinstance(named, MutableContainer) and named.elem is None:
                values[last.name] = self._named_in_general(func, named, tokens)
        is_tree = False
        tokens.at(len(values))
        for name, value in given.items():
            kept = _in_general(value, tokens, is_traced, name in stars)
            if kept is not None:
                values[name] = kept
                is_tree = is_tree or type(kept) is TracerPytree
        if is_tree:
            self._annotate(func, values)
        first = func.code.params[0].name if func.code.params else ""
        owner, stand_in = given.get(first), values.get(first)
        if isinstance(owner, Tuple) and isinstance(stand_in, Instance) and stand_in.generic:
            values[first] = self._record_in_general(owner, stand_in, tokens, is_traced) or stand_in
        return values

    def _record_in_general(
        self, owner: Tuple, stand_in: Instance, tokens: Tokens, is_traced: bool
    ) -> Tuple | None:
        """A named tuple that holds what may be keys, as its methods see it that calls share: each such tuple
        has keys of its own. `stand_in`: what stands for any of its class. None where it holds none."""
        if owner.cls is None or owner.items is None or stand_in.cls not in owner.cls.lineage():
            return None
        names = [*owner.cls.all_fields()]
        if len(names) != len(owner.items) or all(token_of(each) is None for each in owner.items):
            return None
        tokens.at(0)
        tokens.local(None)  # no item is the argument itself
        kept: list[Value] = []
        for name, item in zip(names, owner.items, strict=True):
            each = _in_general(item, tokens, is_traced)
            if each is None:
                believed = self.annotations.field(stand_in, name)
                unknown = Unknown(tokens.local(token_of(item)))
                is_known = believed is not None and not isinstance(believed, Unknown)
                each = believed if believed is not None and is_known else unknown
            kept.append(each)
        return Tuple(tuple(kept), cls=owner.cls)

    def _named_in_general(self, func: Function, given: MutableContainer, tokens: Tokens) -> Value:
        """What `**` takes of calls that share a context in a trace: the names, and of each what is known of
        an argument in general."""
        tokens.at(len(func.code.params) - 1)
        whole = tokens.local(None)
        entries: dict[str, Value] = {}
        for name, value in given.entries.items():
            kept = _in_general(value, tokens, True)
            if kept is None:
                kept = Unknown((whole, "[]", name))
                tokens.back[kept.token] = token_of(value)
            entries[name] = kept
        return self._rest_of(func, entries, None)

    def _annotate(self, func: Function, values: Vars) -> None:
        """An annotation says that a traced argument is one array, never that it is traced."""
        for param in func.code.params:
            value = values[param.name]
            if isinstance(value, Unknown) and value.arrays and param.annotation is not None:
                values[param.name] = self._as_believed(func, param, value)
            if not isinstance(value, TracerPytree) or value.level == 0 or param.annotation is None:
                continue
            kind = self.annotated_kind(func, param.annotation)
            if kind == "array":
                values[param.name] = Array(value.level)
            elif kind in _NEVER_TRACED or kind in self.core.taught.static_types:
                values[param.name] = UNKNOWN

    def _as_believed(self, func: Function, param: Param, value: Unknown) -> Value:
        """An argument of which only arrays are tracers, or only what is no module."""
        belief = self.annotations.of_parameters(func).get(param.name)
        if belief is None:
            return value
        if belief.kind != ARRAY:
            return Unknown(value.token, value.truth)
        array = Array(value.arrays & ~NUMBERS)
        return join(array, NONE) if belief.is_optional else array

    def annotated_kind(self, func: Function, node: Expr) -> str:
        """`array`, or the name of a builtin type, or nothing."""
        is_generic = isinstance(node, SubscriptExpr)
        with self.core.elsewhere(func.env, func.module):
            value = self.expressions.eval(node.value if isinstance(node, SubscriptExpr) else node)
        if isinstance(value, External):
            if value.name in ARRAY_ANNOTATIONS and not is_generic:
                return "array"
            module, _, name = value.name.partition(".")
            if module == "jaxtyping" and is_generic and name not in NO_KINDS:
                return "array"
            return value.name.removeprefix("builtins.")
        return self.full_name(value) if isinstance(value, Class) else ""

    def full_name(self, value: Function | Class) -> str:
        """The dotted name under which other modules reach a function or a class."""
        return f"{value.module.name}.{value.code.qualname}"

    def unknown_arguments(
        self,
        func: Function,
        tokens: Tokens,
        known: Mapping[Hashable, Hashable],
        cls: Class | None,
        depth: int = 0,
        given: Mapping[Hashable, Value] = _NOTHING_GIVEN,
    ) -> Vars:
        """Parameters of which nothing is known but the tokens of some, which objects are given, and of a
        method its object's class."""
        args: Vars = {}
        # what surrounds a trace, and what a module runs, is known as it is run
        is_believed = not depth and not self.flow.driving
        beliefs = self.annotations.of_parameters(func) if is_believed else _NO_BELIEFS
        owner = None if is_static_method(func) else func.cls
        ordinals: dict[Class | Several | str, int] = {} if owner is None else {owner: 1}
        is_bound = func.code.name != "__new__"
        for position, param in enumerate(func.code.params):
            tokens.at(position)
            if position == 0 and owner is not None and is_bound and param.kind in "pn":
                decorated = owner.attributes.get(func.code.name)
                if func.code.name == "__init_subclass__":
                    args[param.name] = Unknown(tokens.local(None))
                elif isinstance(decorated, Product) and decorated.kind == "classmethod":
                    own = given.get(param.name)
                    args[param.name] = own if isinstance(own, Class) else owner
                else:
                    args[param.name] = self.definitions.instance_for(cls or owner, depth > 0, False)
            elif param.kind == "*":
                args[param.name] = Tuple(None, UNKNOWN)
            elif param.kind == "**":
                box = self.spreads.setdefault((func.code, depth), MutableContainer("dict", depth, 0))
                box.entries, box.elem = {}, UNKNOWN
                args[param.name] = box
            else:
                unknown = tokens.unknown(known.get(param.name), given.get(param.name))
                belief = beliefs.get(param.name)
                default = func.defaults.get(param.name) if is_believed else None
                if _is_function(default) and not (belief and isinstance(belief.kind, Class)):
                    args[param.name] = Candidates((default,), True, unknown.token)
                    continue
                if belief is None or not _may_be(given.get(param.name, UNKNOWN), belief):
                    args[param.name] = unknown
                    continue
                ordinal = ordinals.get(belief.kind, 0)
                ordinals[belief.kind] = ordinal + 1
                value = self.annotations.parameter(belief, unknown.token, ordinal)
                args[param.name] = value
                for each in options_of(value):
                    if isinstance(each, Instance):
                        tokens.stands_for(each, unknown.token, given.get(param.name))
        return args
