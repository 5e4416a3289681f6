"""What functions do with random keys: make, spend, split, fold, clone or only read them.

In: working calls of the functions that take or make keys. Out: rows of
`jaxlint/tables/jax_random.py`, found with JAX's own checker of key reuse switched on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import jax

from derivation import functions, names, samples
from derivation.calls import Call
from derivation.kinds import arrays_in, kind_of
from derivation.samples import KEY

Row = tuple[str, str]

# Beside all of jax.random: functions elsewhere that take a key.
ELSEWHERE = (
    "jax.experimental.sparse.random_bcoo",
    "jax.nn.initializers.Initializer",
    "jax.nn.initializers.ones",
    "jax.nn.initializers.zeros",
)


def tables() -> dict[str, Row]:
    """The role of each function by canonical name, with its key parameter."""
    objects = names.public_objects()
    aliases = names.canonical_names(objects)
    found: dict[str, Row] = {}
    for name, function in {**objects, **samples.RETURNED}.items():
        if (name.startswith("jax.random.") or name in ELSEWHERE) and name not in aliases:
            row = row_of(name, function)
            if row is not None:
                found[name] = row
    return found


def row_of(name: str, function: Any) -> Row | None:
    parameters = names.parameters_of(function)
    calls = [Call(function, parameters, arguments) for arguments in samples.candidates(name, parameters)]
    working = functions.working_call(calls)
    if working is None:
        return None
    call, outcome = working
    makes = name in samples.LEGACY_KEYS or any(
        kind_of(each.dtype) == "key" for each in arrays_in(outcome.value)
    )
    key = next((each for each, value in call.arguments.items() if functions.is_key(value)), None)
    if key is None:
        return ("source", "") if makes else None
    return role_of(call, key, makes), key


def role_of(call: Call, key: str, makes: bool) -> str:
    """The role, by whether the key is refused afterwards and whether the result is a key."""
    consumptions = refused(lambda given: call.replaced(**{key: given}).run(), jax.random.bits)
    if not makes:
        return "spend" if consumptions else "read"
    if consumptions:
        return "split"
    return "fold" if "data" in call.arguments else "clone"


def refused(*uses: Callable[[Any], Any]) -> bool:
    """Whether JAX refuses one of these uses of one key, in this order."""

    def program(key: Any) -> None:
        for use in uses:
            use(key)

    with jax.debug_key_reuse(True):
        try:
            jax.eval_shape(program, jax.random.key(0))
        except jax.errors.KeyReuseError:
            return True
    return False


def direct() -> dict[str, bool]:
    """Whether a sampler makes its numbers of the bits of the key that it is given, so that those of two such
    samplers depend on each other; others split the key first."""
    objects = names.public_objects()
    return {
        name: "random_bits" in _takers(name, objects[name], key)
        for name, (role, key) in tables().items()
        if role == "spend" and name.startswith("jax.random.")
    }


def _takers(name: str, function: Any, key: str) -> set[str]:
    """What a sampler does with the key itself, by the names of operations of JAX."""
    parameters = names.parameters_of(function)
    calls = [Call(function, parameters, arguments) for arguments in samples.candidates(name, parameters)]
    working = functions.working_call(calls)
    if working is None:
        return set()
    traced = jax.make_jaxpr(lambda given: arrays_in(working[0].replaced(**{key: given}).run()))(KEY)
    return {*_taking(traced.jaxpr, set(traced.jaxpr.invars))}


def _taking(jaxpr: Any, keys: set[Any]) -> Iterator[str]:
    for equation in jaxpr.eqns:
        given = [place for place, each in enumerate(equation.invars) if _is_in(each, keys)]
        if not given:
            continue
        inner = [each for each in equation.params.values() if hasattr(each, "jaxpr")]
        if not inner:
            yield equation.primitive.name
        for closed in inner:
            shift = len(closed.jaxpr.invars) - len(equation.invars)
            yield from _taking(closed.jaxpr, {closed.jaxpr.invars[place + shift] for place in given})


def _is_in(variable: Any, keys: set[Any]) -> bool:
    return not hasattr(variable, "val") and variable in keys  # a literal has a value and no hash


def initializers() -> dict[str, bool]:
    """Whether the function that a function of `jax.nn.initializers` makes draws with the key it is given."""
    aliases = names.canonical_names(objects := names.public_objects())
    found: dict[str, bool] = {}
    for name, function in objects.items():
        if name.startswith("jax.nn.initializers.") and name not in aliases:
            parameters = names.parameters_of(function)
            for given in samples.candidates(name, parameters):
                draw = drawing_of(Call(function, parameters, given))
                if draw is not None:
                    found[name] = refused(draw, jax.random.bits)
                    break
    return found


def drawing_of(call: Call) -> Callable[[Any], Any] | None:
    """What the function that a call gives does with a key; None where it gives no function, or none that
    works. Some need an array of two axes, or of three."""
    made = call.concrete().value
    for rank in (1, 2, 3) if callable(made) else ():
        with contextlib.suppress(ValueError, TypeError):
            made(KEY, (3,) * rank)
            return partial(made, shape=(3,) * rank)
    return None


def sequences() -> dict[str, bool]:
    """Whether uses of one key in a row are refused; `fold_in` is with one and the same number."""
    bits, split = jax.random.bits, jax.random.split
    uses: dict[str, Callable[[Any], Any]] = {
        "spend": bits,
        "split": split,
        "fold": lambda key: jax.random.fold_in(key, 1),
        "spend fold": lambda key: bits(jax.random.fold_in(key, 1)),
        "spend clone": lambda key: bits(jax.random.clone(key)),  # type: ignore[no-untyped-call]
        "read": jax.random.key_data,
    }
    found = {f"{one}, {other}": refused(uses[one], uses[other]) for one in uses for other in uses}
    found["spend split[0], spend split[0]"] = refused(lambda key: spend_items(split(key), 0, 0))
    found["spend split[0], spend split[1]"] = refused(lambda key: spend_items(split(key), 0, 1))
    found["spend all of split, spend split[0]"] = refused(lambda key: spend_all_and_first(split(key)))
    return found


def spend_items(keys: Any, *items: int) -> None:
    for item in items:
        jax.random.bits(keys[item])


def spend_all_and_first(keys: Any) -> None:
    jax.vmap(jax.random.bits)(keys)
    jax.random.bits(keys[0])
