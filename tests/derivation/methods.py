"""What attributes, methods and operators of arrays do with tracers.

In: the attributes that arrays and tracers have. Out: rows of `jaxlint/tables/array_methods.py`,
found by using each of them at every level.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from derivation import functions, names, samples
from derivation.calls import POSITIONAL, Call
from derivation.kinds import holds_array, result_of
from derivation.levels import STAGED, at_levels, concrete, errors, raising

Row = tuple[str, str, str, str, str, tuple[str, ...], tuple[str, ...], str]
FormRow = tuple[str, str, str]

OWNER = "self"

VECTOR = np.array([0.25, 0.5, 0.75], np.float32)
MATRIX = np.arange(9, dtype=np.float32).reshape(3, 3)
SCALAR = np.float32(0.5)
INTEGER = np.int32(1)
INTEGERS = np.array([2, 0, 1], np.int32)
BOOLEAN = np.bool_(True)
RECEIVERS: tuple[Any, ...] = (VECTOR, SCALAR, MATRIX, INTEGER, INTEGERS, BOOLEAN)

# Python's own machinery, the same for every object.
COMMON = frozenset(dir(object)) - {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
COMMON |= {
    "__annotations__",
    "__array_module__",
    "__class_getitem__",
    "__del__",
    "__getattr__",
    "__jax_array__",
}
COMMON |= {"__array_priority__", "__dict__", "__firstlineno__", "__module__", "__slots__", "__weakref__"}
COMMON |= {
    "__abstractmethods__",
    "__parameters__",
    "__orig_bases__",
    "__match_args__",
    "__static_attributes__",
}

# Arguments of a method, by name; an operand is the receiver itself.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "__pow__": {"other": 2},
    "__rpow__": {"other": 2},
    "argpartition": {"kth": 1},
    "astype": {"dtype": np.int32},
    "choose": {"choices": [VECTOR, VECTOR, VECTOR]},
    "clip": {"min": VECTOR, "max": VECTOR},
    "compress": {"condition": np.array([True, False, True])},
    "dot": {"b": VECTOR},
    "item": {"args": ()},
    "partition": {"kth": 1},
    "repeat": {"repeats": INTEGERS},
    "reshape": {"args": (3, 1)},
    "searchsorted": {"v": VECTOR},
    "swapaxes": {"axis1": 0, "axis2": 1},
    "take": {"indices": INTEGERS},
    "to_device": {"device": jax.devices()[0]},
    "transpose": {"args": (0,)},
    "view": {"dtype": np.int32},
}
# Special methods, used the way that the language uses them.
SPECIAL: dict[str, Callable[[Any], Any]] = {
    "__contains__": lambda x: 0.5 in x,
    "__delitem__": lambda x: operator.delitem(x, 0),
    "__format__": lambda x: format(x, ".2f"),
    "__getitem__": lambda x: x[0],
    "__hash__": hash,
    "__iter__": list,
    "__reversed__": lambda x: list(reversed(x)),
    "__setitem__": lambda x: operator.setitem(x, 0, 1.0),
}
# Further uses of a method whose answer differs from the one with the arguments above.
FORMS: dict[str, Callable[[Any], Any]] = {
    "__format__('')": lambda x: format(x, ""),
    "__getitem__(bool array)": lambda x: x[x > 0.3],
    "__getitem__(int array)": lambda x: x[jnp.argsort(x)],
    "__getitem__(traced int)": lambda x: x[jnp.argmax(x)],
    "__getitem__(traced:traced)": lambda x: x[jnp.argmax(x) : jnp.argmax(x) + 1],
    "__getitem__(traced:)": lambda x: x[jnp.argmax(x) :],
    "__getitem__(:traced)": lambda x: x[: jnp.argmax(x)],
    "__getitem__(::traced)": lambda x: x[:: jnp.argmax(x)],
    "__getitem__(list)": lambda x: x[[0, 1]],
    "__getitem__(None)": lambda x: x[None],
    "__getitem__(...)": lambda x: x[..., 0],
    "__getitem__(str)": lambda x: x["a"],
    "__getitem__(float)": lambda x: x[0.5],
    "__getitem__(traced float)": lambda x: x[x[0]],
    "__contains__(traced)": lambda x: x[0] in x,
    "__round__(2)": lambda x: round(x, 2),
    "__iadd__": lambda x: iadd(x),
    "item(0)": lambda x: x.item(0),
    "reshape(traced)": lambda x: x.reshape(jnp.argmax(x) + 1, 1),
    "reshape((n, m))": lambda x: x.reshape((3, 1)),
    "new attribute": lambda x: setattr(x, "name", 1),
}
# How each method of x.at[i] is called.
AT_ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "add": (1.0,),
    "apply": (jnp.sin,),
    "divide": (2.0,),
    "get": (),
    "max": (1.0,),
    "min": (1.0,),
    "mul": (2.0,),
    "multiply": (2.0,),
    "power": (2.0,),
    "set": (1.0,),
    "subtract": (1.0,),
}


def iadd(x: Any) -> Any:
    x += 1
    return x


def attributes() -> Iterator[str]:
    """Every attribute of a concrete array or of a tracer."""
    found: set[str] = set(dir(jnp.asarray(VECTOR)))
    jax.eval_shape(lambda x: found.update(dir(x)), VECTOR)
    yield from sorted(
        name for name in found if name not in COMMON and (name.startswith("__") or name[0] != "_")
    )


def tables() -> tuple[dict[str, Row], dict[str, FormRow], dict[str, FormRow]]:
    """Rows of attributes, of further forms, and of the methods of `x.at[i]`."""
    rows = {name: row for name in attributes() if (row := row_of(name)) is not None}
    for name, operation in SPECIAL.items():
        levels, classes, result = form_row(operation)
        rows[name] = (
            "method",
            result,
            "same" if result in ("array", "list") else "?",
            levels,
            classes,
            (),
            (),
            "",
        )
    forms = {name: form_row(operation) for name, operation in FORMS.items()}
    at = {}
    for name, rest in AT_ARGUMENTS.items():
        at[name] = form_row(at_call(name, rest, lambda x: 0))
        at[f"{name}(mask)"] = form_row(at_call(name, rest, lambda x: x > 0.3))
    return rows, forms, at


def at_call(name: str, rest: tuple[Any, ...], index: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: getattr(x.at[index(x)], name)(*rest)


def form_row(operation: Callable[[Any], Any]) -> FormRow:
    """Levels that raise for a vector or else a scalar, the classes of error, the result."""
    receiver = next((each for each in (VECTOR, SCALAR) if concrete(operation, each).error is None), None)
    outcomes = at_levels(operation, VECTOR if receiver is None else receiver)
    results = {result_of(each.value, {}) for each in outcomes.values() if each.error is None}
    word = results.pop() if len(results) == 1 else "?" if results else ""
    return ("!" if receiver is None else "") + raising(outcomes), errors(outcomes), word


def row_of(name: str) -> Row | None:
    """The row of one attribute, None where no array can be used so."""
    for receiver in RECEIVERS:
        try:
            attribute = getattr(jnp.asarray(receiver), name)
        except Exception:
            continue
        kind = "method" if callable(attribute) else "property"
        call = call_of(name, attribute if kind == "method" else None, receiver)
        works = concrete(receiver_of(call), receiver)
        if works.error is not None:
            continue
        outcomes = at_levels(receiver_of(call), receiver)
        levels = raising(outcomes)
        traced = [each.value for each in outcomes.values() if each.error is None]
        results = {result_of(value, {}) for value in traced or [works.value]}
        dtype, size = "?", ""
        static: tuple[str, ...] = ()
        if name != "at" and any(holds_array(value) for value in traced or [works.value]):
            size, cured, _ = functions.size_of(call)
            if STAGED in levels and size in ("", "!"):
                size = ""
            else:
                results |= set(functions.other_results(cured, []))
                dtype = functions.dtype_of(name, cured)
                static = functions.static_of(cured)
        params = names.spelled({each: call.parameters[each] for each in call.parameters if each != OWNER})
        return (
            kind,
            "at" if name == "at" else functions.common_result(results),
            dtype,
            levels,
            errors(outcomes),
            params,
            static,
            size,
        )
    return None


def call_of(name: str, method: Any, receiver: Any) -> Call:
    """A call with the receiver as first argument; reading a property where there is no method."""
    parameters = {} if method is None else names.parameters_of(method)
    if set(parameters) == {"args", "kwargs"} and not hasattr(method, "__code__"):
        parameters = {}  # what Python 3.12 and newer read of a method that is written in C++

    def function(owner: Any, *args: Any, **kwargs: Any) -> Any:
        attribute = getattr(owner if isinstance(owner, jax.Array) else jnp.asarray(owner), name)
        return attribute if method is None else attribute(*args, **kwargs)

    arguments = ARGUMENTS.get(name)
    if arguments is None:
        arguments = {
            each: receiver if each == "other" else samples.BY_NAME.get(each, VECTOR)
            for each, parameter in parameters.items()
            if parameter.default is inspect.Parameter.empty and parameter.kind in POSITIONAL
        }
    owner = inspect.Parameter(OWNER, inspect.Parameter.POSITIONAL_ONLY)
    return Call(function, {OWNER: owner, **parameters}, {OWNER: receiver, **arguments})


def receiver_of(call: Call) -> Callable[[Any], Any]:
    return lambda x: call.run({**call.arguments, OWNER: x})
