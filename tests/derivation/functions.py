"""Rows of the functions table: what each public function of JAX does with tracers.

In: the public names, and a working call of each. Out: the rows described in the docstring of
`jaxlint/tables/jax_functions.py`. Everything is found by running calls with one argument
or another traced.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import jax
import numpy as np

from derivation import names, samples
from derivation.calls import Call, Outcome, as_concrete, is_number_array
from derivation.kinds import arrays_in, dtype_word, kind_of, result_of

Row = tuple[str, str, tuple[str, ...], tuple[str, ...], str, str]

CASTS = {"bool": np.bool_, "int": np.int32, "float": np.float32, "complex": np.complex64}
# Results for which a dtype is said.
DTYPED = frozenset(("array", "tuple", "list", "namedtuple", "host"))
# What can be given, as a Python value, to make a result's shape known: parameter and value.
CURES: dict[str, Any] = {
    "size": 3,
    "length": 4,
    "total_repeat_length": 6,
    "num_segments": 3,
    "nse": 9,
    "assume_unique_indices": True,
    "strip_zeros": False,
    "mode": "clip",
}
# Errors that come from tracing alone; the others may come from an unfit value.
TRACER_ERRORS = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
)
# Errors that come from a shape that depends on values.
SHAPE_ERRORS = (jax.errors.ConcretizationTypeError, jax.errors.NonConcreteBooleanIndexError)


@dataclass(frozen=True)
class Facts:
    """What runs of one function say."""

    row: Row
    flags: dict[str, str] = field(default_factory=dict)
    known: bool = True


def array_parameters(call: Call) -> list[str]:
    """The parameters given an array, or a container of arrays."""
    return [
        name
        for name, value in call.arguments.items()
        if any(is_number_array(leaf) for leaf in jax.tree.leaves(value))
    ]


def is_key(value: Any) -> bool:
    return isinstance(value, jax.Array) and kind_of(value.dtype) == "key"


def facts_of(name: str, function: Any) -> Facts | None:
    """The facts about a public function; None for a class whose instances are not of interest."""
    parameters = names.parameters_of(function)
    calls = [Call(function, parameters, arguments) for arguments in samples.candidates(name, parameters)]
    found = working_call(calls)
    if found is None:
        return None if isinstance(function, type) else Facts(unknown_row(parameters), known=False)
    call, outcome = found
    if isinstance(outcome.value, (enum.Enum, BaseException)) or (
        outcome.value is None and isinstance(function, type)
    ):
        return None
    size, cured, pinned = size_of(call)
    static = static_of(cured, pinned)
    if name in samples.UNARY:
        only = samples.UNARY[name]
        size, alone, _ = size_of(Call(function, parameters, {only: call.arguments[only]}))
        static = tuple(each for each in parameters if each in static or each in static_of(alone))
        size += ":when=unary"
    for arguments in samples.FORMS.get(name, ()):
        form = Call(function, parameters, arguments)
        arrays = array_parameters(form)
        if form.staged(arrays).error is None:
            static = tuple(each for each in static if each not in arrays)
    result = result_of(outcome.value, call.arguments)
    if isinstance(function, type) and issubclass(function, tuple):
        result = "?"  # a record: it holds whatever it is given
    others = calls if result.startswith("tuple") else []
    result = common_result({result, *other_results(cured, others)})
    if name in samples.FETCHING:
        result = "host"
    if name in samples.BY_ARGUMENT:
        result = "?"
    row = (
        result,
        "key"
        if name in samples.LEGACY_KEYS
        else dtype_of(name, cured)
        if result.partition(":")[0] in DTYPED
        else "?",
        names.spelled(parameters),
        static,
        size,
        next((each for each, value in call.arguments.items() if is_key(value)), ""),
    )
    return Facts(row, {} if result == "?" else flags_of(cured, result))


def static_of(call: Call, pinned: Collection[str] = ()) -> tuple[str, ...]:
    """The parameters that must not be traced, those found already included."""
    works = call.works_staged()
    found = (each for each in call.parameters if each in pinned or is_static(call, each, works))
    return tuple(starred(call.parameters[each]) for each in found)


def starred(parameter: inspect.Parameter) -> str:
    return f"*{parameter.name}" if parameter.kind is inspect.Parameter.VAR_POSITIONAL else parameter.name


def unknown_row(parameters: Mapping[str, inspect.Parameter]) -> Row:
    return ("?", "?", names.spelled(parameters), (), "", "")


def working_call(calls: list[Call]) -> tuple[Call, Outcome] | None:
    """The first call that works with all its arrays traced, else one that works only unstaged."""
    unstaged = []
    for call in calls:
        outcome = call.staged(array_parameters(call))
        if outcome.error is None:
            return call, outcome
        if isinstance(outcome.error, TRACER_ERRORS):
            unstaged.append(call)
    for call in unstaged:
        outcome = call.concrete()
        if outcome.error is None:
            return call, outcome
    return None


def size_of(call: Call) -> tuple[str, Call, list[str]]:
    """How the shape of the result becomes known, a call where it is, and arguments to keep concrete."""
    arrays = array_parameters(call)
    if call.staged(arrays).error is None:
        return "", call, []
    failing = [each for each in arrays if call.staged([each]).error is not None]
    some = [
        each for each in failing if call.replaced(**{each: as_concrete(call.arguments[each])}).works_staged()
    ]
    partial = len(some) < len(arrays)
    for cure, value in CURES.items():
        if cure in call.parameters and cure not in call.arguments:
            cured = call.replaced(**{cure: value})
            if cured.staged(arrays).error is None:
                when = ",".join(some) if some and partial else ""
                return f"{cure}:when={when}" if when else cure, cured, []
    unsized = isinstance(call.staged(arrays).error, SHAPE_ERRORS)
    if failing and (failing[0] != arrays[0] or not unsized):
        return "", call, failing
    return "!" if unsized else "", call, []


def is_static(call: Call, name: str, works: bool) -> bool:
    """Whether a tracer in place of this parameter raises where its concrete value does not.

    `works` says whether the call as it is works in a staged trace.
    """
    kind = call.parameters[name].kind
    if kind is inspect.Parameter.VAR_KEYWORD or name == "out" or name in array_parameters(call):
        return False
    for value in values_for(call, name):
        if any(callable(leaf) and not isinstance(leaf, type) for leaf in jax.tree.leaves(value)):
            return False
        here = call.replaced(**{name: value})
        if value is not None and not (works if name in call.arguments else here.works_staged()):
            continue
        error = here.staged([name]).error
        if error is None:
            return False
        if value is None:
            return isinstance(error, TRACER_ERRORS) or "hash" in str(error).splitlines()[0]
        return not takes_array(here, name)
    return False


def takes_array(call: Call, name: str) -> bool:
    """Whether a traced array of more than one element is welcome where a traced scalar is not."""
    if isinstance(call.arguments[name], (bool, str, tuple)) or not isinstance(
        call.arguments[name], (int, float)
    ):
        return False
    arrays = (call.replaced(**{name: array}) for array in (samples.VECTOR, samples.INTEGERS))
    return any(each.staged([name]).error is None for each in arrays)


def values_for(call: Call, name: str) -> Iterator[Any]:
    """Values to try for a parameter, None where nothing else is known."""
    if name in call.arguments:
        given = call.arguments[name]
        if not isinstance(given, tuple) or given:
            yield given
        return
    for table in (samples.BY_NAME, samples.OPTIONAL):
        if table.get(name) is not None:
            yield table[name]
    yield from samples.ALTERNATIVES.get(name, ())
    parameter = call.parameters[name]
    if parameter.kind is not inspect.Parameter.VAR_POSITIONAL and type(parameter.default) is not object:
        yield None if parameter.default is inspect.Parameter.empty else parameter.default


def other_results(call: Call, calls: list[Call]) -> Iterator[str]:
    """The words for results of the same function with arguments of another rank or number."""
    for name, value in call.arguments.items():
        changed: Any = None
        if isinstance(value, (list, tuple)) and value and is_number_array(value[0]):
            changed = type(value)([*value, value[-1]])
        elif isinstance(value, np.ndarray):
            changed = np.stack([value, value])
        if changed is not None:
            outcome = call.replaced(**{name: changed}).staged(array_parameters(call))
            if outcome.error is None:
                yield result_of(outcome.value, call.arguments)
    for other in calls:
        other = other.replaced(**{each: call.arguments[each] for each in CURES if each in call.arguments})
        outcome = other.staged(array_parameters(other))
        if outcome.error is None and not any(is_key(value) for value in other.arguments.values()):
            yield result_of(outcome.value, other.arguments)


def common_result(words: set[str]) -> str:
    """The one word for several: a tuple whose length varies is `tuple:*`."""
    if len(words) == 1:
        return next(iter(words))
    if all(word.startswith("tuple:") for word in words):
        return "tuple:*"
    return "array" if words == {"array", "tree"} else "?"


def flags_of(call: Call, result: str) -> dict[str, str]:
    """Boolean parameters whose other value changes the sort of result, with what it becomes."""
    found = {}
    for name, parameter in call.parameters.items():
        if isinstance(parameter.default, bool):
            other = call.replaced(**{name: not parameter.default})
            outcome = other.staged(array_parameters(other))
            if outcome.error is None:
                word = result_of(outcome.value, other.arguments)
                same = word.partition(":")[0] == result.partition(":")[0]
                if not same or (word != result and "*" not in result):
                    found[name] = word
    return found


def dtype_of(name: str, call: Call) -> str:
    """The word for the dtype of the result, from calls with arrays of every dtype."""
    arrays = [each for each in array_parameters(call) if not is_key(call.arguments[each])]
    calls = [call]
    for kind in CASTS if arrays else ():
        calls.append(call.replaced(**{each: cast(call.arguments[each], kind) for each in arrays}))
    if len(arrays) > 1:
        kinds = [kind_of(arrays_in(call.arguments[each])[0].dtype) for each in arrays]
        for each, kind in zip(arrays, kinds, strict=True):
            calls.append(
                call.replaced(**{each: cast(call.arguments[each], "float" if kind == "int" else "int")})
            )
    if name in samples.VARIANTS:
        calls.append(call.replaced(**samples.VARIANTS[name]))
    for name in {"dtype", "new_dtype"} & set(call.arguments):
        calls += [call.replaced(**{name: dtype}) for dtype in (np.float32, np.complex64, np.int8)]
    seen = []
    for other in calls:
        outcome = other.staged(array_parameters(other))
        if outcome.error is not None and other is call:
            outcome = other.concrete()
        if outcome.error is None:
            given = [kind_of(arrays_in(other.arguments[each])[0].dtype) for each in arrays]
            seen.append((given, {kind_of(leaf.dtype) for leaf in arrays_in(outcome.value)}))
    return dtype_word(seen)


def cast(value: Any, kind: str) -> Any:
    """`value` with its arrays as arrays of another kind of dtype."""

    def change(leaf: Any) -> Any:
        return (
            np.asarray(leaf).real.astype(CASTS[kind]) if is_number_array(leaf) and not is_key(leaf) else leaf
        )

    return jax.tree.map(change, value)


def tables() -> tuple[dict[str, Row], dict[str, dict[str, str]], dict[str, str], list[str]]:
    """Rows, flags and aliases by name, and the names whose rows hold only their parameters."""
    objects = names.public_objects()
    aliases = names.canonical_names(objects)
    rows: dict[str, Row] = {}
    flags: dict[str, dict[str, str]] = {}
    unknown: list[str] = []
    for name, function in {**objects, **samples.RETURNED}.items():
        if not names.has_row(name) or name in aliases:
            continue
        facts = facts_of(name, function)
        if facts is None:
            continue
        rows[name] = facts.row
        if facts.flags:
            flags[name] = facts.flags
        if not facts.known:
            unknown.append(name)
    return rows, flags, aliases, unknown
