"""What a parameter was in a run, as an abstract value.

In: a parameter as a facts file has it, and the trace context in which the function was entered. Out: the most
that the analysis can be certain of; a value of which nothing is known where the file says nothing that it
understands. What is in a file is a hint: a class or a function that the project does not have is none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from jaxlint.analysis.core import Core
from jaxlint.analysis.trace_context import Context
from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.literals import DTYPES
from jaxlint.domain.objects import Class, Function, Instance, Key
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import (
    BATCHED,
    DIFFERENTIATED,
    NONE,
    STAGED,
    Array,
    NumPyArray,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.evaluation.definitions import Definitions
from jaxlint.observe.facts import Entry, Parameter

_AVAL = re.compile(r"(\w+)\[([\w,* ]*)\]")
_KEY = re.compile(r"key<\w+>\[([\w,* ]*)\]")
_STEP = re.compile(
    r"\[(?P<index>\d+)\]|\['(?P<key>[^'\\]*)'\]|\.(?P<name>\w+)|\[<flat index (?P<flat>\d+)>\]"
)
_STATIC = {f"builtins.{name}": name for name in ("int", "float", "bool", "str")}
_NONE = frozenset(("builtins.NoneType", "NoneType", "types.NoneType"))
_MANY = re.compile(r"vmap|vectorize|pmap")
_SLOPES = re.compile(r"grad|jvp|vjp|jac|hessian|linearize|linear_transpose")
_NO_TRACE = re.compile(r"custom_|named_call|named_scope")
_LOOKS = re.compile(r"eval_shape|make_jaxpr")


def level_of_transform(name: str) -> int:
    """Which tracers a transform makes; 0 of one that makes none."""
    spec = WRAPPERS.get(name)
    last = name.rpartition(".")[2]
    if spec is not None:
        return spec.level
    if _NO_TRACE.search(last):
        return 0
    if _SLOPES.search(last):
        return DIFFERENTIATED
    return BATCHED if _MANY.search(last) else STAGED


def context_of(transforms: Iterable[str], is_staged: bool, most: int) -> Context:
    """The trace context in which a function runs that these transforms enclose. `most`: traces in each
    other that are told apart."""
    context = Context()
    levels = [(name, level) for name in transforms if (level := level_of_transform(name))]
    if is_staged and not any(level & STAGED for _, level in levels):
        levels.append(("jax.jit", STAGED))
    for name, level in levels[-most:]:
        depth = context.depth + 1
        context = context._replace(depth=depth)
        if level & STAGED:
            context = context._replace(staged=True, stage=depth)
            if _LOOKS.search(name):
                context = context._replace(looked=depth)
        elif level & BATCHED:
            context = context._replace(batched=True)
    return context


def level_of_entry(entry: Entry) -> int:
    """Which tracers the tracers certainly are that a function was entered with."""
    if entry.staged:
        return STAGED
    levels = {level for name in entry.transforms if (level := level_of_transform(name))}
    return levels.pop() if len(levels) == 1 else 0


def is_traced(parameter: Parameter) -> bool:
    """Whether a parameter was, or held, a tracer."""
    return (
        parameter.kind == "tracer"
        or (parameter.kind == "key" and parameter.traced)
        or any(map(is_traced, parameter.leaves.values()))
    )


def _is_none(parameter: Parameter) -> bool:
    return parameter.kind == "static" and parameter.type in _NONE


class Where(NamedTuple):
    """Where a value is made: in which context, which tracers are there, and what it is known by."""

    context: Context
    level: int
    place: tuple[Hashable, ...]

    def inner(self, step: Hashable) -> Where:
        return self._replace(place=(*self.place, step))

    @property
    def token(self) -> Hashable:
        return ("g", self.place)


Leaves = Sequence[tuple[tuple[Hashable, ...], Parameter]]


class ObservedValues:
    """Makes values; the same one for the same place, so that what is analyzed again is known again.

    Args:
        class_of: The class of the project that has a dotted name.
        function_of: The function of the project that facts name.
    """

    def __init__(
        self,
        core: Core,
        definitions: Definitions,
        class_of: Callable[[str], Class | None],
        function_of: Callable[[str], Function | None],
    ) -> None:
        self.core = core
        self.definitions = definitions
        self.class_of = class_of
        self.function_of = function_of

    def of(self, parameter: Parameter, where: Where) -> Value:
        """The value of a parameter."""
        kind = parameter.kind
        if kind in ("tracer", "array", "numpy", "key"):
            return _array(parameter, where)
        if kind == "static":
            if _is_none(parameter):
                return NONE
            if parameter.type in _STATIC:
                return Static(_STATIC[parameter.type])
        if kind == "function":
            return self.function_of(parameter.name) or Unknown(where.token)
        if kind in ("pytree", "tuple", "dict"):
            return self._tree(parameter, where)
        cls = self.class_of(parameter.type) if kind in ("object", "static") else None
        if cls is not None and not cls.has_mark("enum"):
            return self.definitions.instance_for(cls, where.context.depth > 0, False)
        return Unknown(where.token)

    def _tree(self, parameter: Parameter, where: Where) -> Value:
        steps = [(_steps(path), leaf) for path, leaf in sorted(parameter.leaves.items())]
        leaves: Leaves = [(path, leaf) for path, leaf in steps if path is not None]
        is_whole = len(leaves) == len(steps) and not parameter.more
        cls = self.class_of(parameter.type)
        if cls is not None and len(leaves) == len(steps):
            return self._object(cls, leaves, where)
        uniform = _uniform(leaves, where.level) if len(leaves) == len(steps) else None
        name = parameter.type.rpartition(".")[2] if parameter.type.startswith("builtins.") else parameter.kind
        if is_whole and name == "tuple":
            items = self._items(leaves, where)
            if items is not None:
                return Tuple(items)
        if is_whole and name in ("dict", "list") and uniform is None:
            return self._box(name, leaves, where)
        return uniform or Unknown(where.token)

    def _box(self, kind: str, leaves: Leaves, where: Where) -> Value:
        groups = _grouped(leaves)
        if kind == "list":
            items = self._items(leaves, where)
            if items is None:
                return Unknown(where.token)
        elif groups is None or not all(isinstance(name, str) for name in groups):
            return Unknown(where.token)
        key = ("observed", kind, where.place)
        box = self.core.flow.frame.heap.get(key)
        if not isinstance(box, MutableContainer):
            box = self.core.keep(key, MutableContainer(kind, where.context.depth, 0))
        if kind == "list":
            box.items = [*(items or ())]
        else:
            parts = (groups or {}).items()
            box.entries = {name: self._part(inner, where.inner(name)) for name, inner in parts}
        return box

    def _items(self, leaves: Leaves, where: Where) -> tuple[Value, ...] | None:
        """The items of a sequence; None where it is not known which these are."""
        groups = _grouped(leaves)
        if groups is None or [*sorted(map(str, groups))] != sorted(map(str, range(len(groups)))):
            return None
        return tuple(self._part(groups[index], where.inner(index)) for index in range(len(groups)))

    def _part(self, leaves: Leaves, where: Where) -> Value:
        """What is in a pytree: a leaf, or what holds some."""
        if len(leaves) == 1 and not leaves[0][0]:
            return self.of(leaves[0][1], where)
        return _uniform(leaves, where.level) or Unknown(where.token)

    def _object(self, cls: Class, leaves: Leaves, where: Where) -> Value:
        """An object of a class of the project that is a pytree."""
        groups = _grouped(leaves) or {}
        fields = [*cls.all_fields()]
        named: dict[str, Leaves] = {}
        for step, inner in groups.items():
            if isinstance(step, int) and step < len(fields):
                named[fields[step]] = inner
            elif isinstance(step, str):
                named[step] = inner
        values = {name: self._part(inner, where.inner(name)) for name, inner in named.items()}
        if cls.has_mark("namedtuple"):
            items = [values.get(name) or Unknown(where.inner(name).token) for name in fields]
            return Tuple(tuple(items), cls=cls)
        if not cls.has_mark("pytree") or not groups:
            return self.definitions.instance_for(cls, where.context.depth > 0, False)
        key = ("observed", "object", where.place)
        made = self.core.flow.frame.heap.get(key)
        if not isinstance(made, Instance) or made.cls is not cls:
            made = self.core.keep(key, Instance(cls, where.context.depth, generic=True))
        made.level = where.level
        made.attributes = {**self.definitions.generic_instance(cls).attributes, **values}
        return made


def _array(parameter: Parameter, where: Where) -> Value:
    typed = _KEY.fullmatch(parameter.aval)
    plain = _AVAL.fullmatch(parameter.aval)
    dims = (typed or plain or [""] * 3)[1 if typed else 2]
    rank = len([each for each in dims.split(",") if each.strip()])
    is_tracer = parameter.kind == "tracer" or (parameter.kind == "key" and parameter.traced)
    level = where.level if is_tracer else 0
    if is_tracer and not level:
        return Unknown(where.token)
    if typed or parameter.kind == "key":
        rank -= 0 if typed or not plain else 1
        first = dims.split(",")[0].strip()
        count = int(first) if rank > 0 and first.isdigit() else None
        return Key(where.token, level, rank > 0, count)
    if plain is None:
        return Unknown(where.token)
    dtype = DTYPES.get(plain[1], "?")
    return NumPyArray(dtype, rank) if parameter.kind == "numpy" else Array(level, dtype, rank)


def _uniform(leaves: Leaves, level: int) -> Value | None:
    """A pytree of tracers, where all leaves are such."""
    rest = [leaf for _, leaf in leaves if not _is_none(leaf)]
    return TracerPytree(level) if level and rest and all(each.kind == "tracer" for each in rest) else None


def _steps(path: str) -> tuple[Hashable, ...] | None:
    """The keys of a path into a pytree; None where it is of another kind."""
    found: list[Hashable] = []
    end = 0
    for match in _STEP.finditer(path):
        if match.start() != end:
            return None
        end = match.end()
        number = match["index"] or match["flat"]
        found.append(match["key"] if match["key"] is not None else match["name"] or int(number))
    return tuple(found) if end == len(path) else None


def _grouped(leaves: Leaves) -> Mapping[Hashable, Leaves] | None:
    """The leaves by the first step to them; None where the tree is a leaf itself."""
    groups: dict[Hashable, list[tuple[tuple[Hashable, ...], Parameter]]] = {}
    for path, leaf in leaves:
        if not path:
            return None
        groups.setdefault(path[0], []).append((path[1:], leaf))
    return groups
