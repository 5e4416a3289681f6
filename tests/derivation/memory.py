"""Which functions and methods of NumPy give views of what they are given, and which write into it.

In: NumPy's public callables, run on arrays that may be written to and on arrays that may not. Out: rows of
`jaxlint/tables/numpy_memory.py`.
"""

from __future__ import annotations

import inspect
import operator
import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

import jax.numpy as jnp
import numpy as np
from numpy.lib import stride_tricks

from derivation import hosts
from derivation.calls import Call

View = tuple[str, bool, bool, tuple[str, ...]]
Write = tuple[str, int, str, str]

SELF = "self"
_SHAPES = ((4,), (2, 4), (2, 2, 4), (1, 4), (2, 1, 4), (2, 2))
# values of parameters that are needed, or may be given
_VALUES: dict[str, tuple[Any, ...]] = {
    "axis": (0, -1, 1, (0,)),
    "axis1": (0, 1),
    "axis2": (1, -1),
    "axes": ((0, 1), (1, 0), None),
    "source": (0, -1),
    "destination": (-1, 0),
    "start": (0, 1),
    "offset": (0, 1),
    "k": (0, 1, 2, 3),
    "indices_or_sections": (1, 2, (1,)),
    "shape": (-1, (-1, 1), (1, -1, 2), (3, 2, 2, 4)),
    "newshape": (-1,),
    "window_shape": (1, 2),
    "order": ("C", "F", "A", "K"),
    "copy": (True, False, None),
    "dtype": (np.float32, np.float64, np.complex64),
    "subok": (True, False),
    "writeable": (True, False),
    "ndmin": (0, 3),
    "tol": (0, 100),
    "trim": ("f", "b", "fb"),
    "requirements": ("C", "F", "W"),
}
# the parameters of methods, which have no signature that can be read, and what they are called with
_METHODS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "__array__": ("dtype copy", ()),
    "diagonal": ("offset axis1 axis2", ()),
    "ravel": ("order", ()),
    "reshape": ("*shape", (-1,)),
    "squeeze": ("axis", ()),
    "swapaxes": ("*axes", (0, -1)),
    "transpose": ("*axes", ()),
    "view": ("dtype", ()),
}
_OWN_MODULES = {"operator": operator, "random": random}
_PLAIN = np.array([[0.5, 0.25], [0.75, 0.5]], np.float32)


def locked(array: Any) -> Any:
    """A copy that shows what another array holds, and is laid out like it."""
    held = array.copy(order="K")
    held.flags.writeable = False
    return held[...]


def is_refused(run: Callable[[], Any]) -> bool:
    try:
        run()
    except ValueError:
        return True
    except Exception:
        return False
    return False


def runs(run: Callable[[], Any]) -> bool:
    try:
        run()
    except Exception:
        return False
    return True


# ---- views


def views() -> dict[str, View]:
    """Rows of what gives views of its first argument, whatever else it is given of certain parameters."""
    found = {}
    functions = [(name, each) for name, each in hosts.public_callables() if name.startswith("numpy.")]
    functions += [
        (f"numpy.lib.stride_tricks.{name}", getattr(stride_tricks, name))
        for name in ("as_strided", "sliding_window_view")
    ]
    for name, function in functions:
        parameters = hosts.parameters_of(name, function)
        if isinstance(function, (type, np.ufunc)) or not parameters:
            continue
        if row := view_of(function, list(parameters.values())):
            found[name] = row
    for name in (*(each for each in dir(np.ndarray) if each[0] != "_"), "__array__"):
        spelled, args = _METHODS.get(name, ("", ()))
        method, names = called(name, args), tuple(spelled.split())
        if callable(getattr(np.ndarray, name)) and (row := row_of(method, {}, names)):
            found[f"numpy.ndarray.{name}"] = row
    return found


def called(name: str, args: tuple[Any, ...] = ()) -> Callable[..., Any]:
    """The method of this name as a function, which is called with these arguments before others."""
    return lambda array, *more, **keywords: getattr(array, name)(*args, *more, **keywords)


def view_of(function: Callable[..., Any], parameters: list[inspect.Parameter]) -> View | None:
    first, *others = parameters
    if first.kind is inspect.Parameter.KEYWORD_ONLY:
        return None
    needed: dict[str, tuple[Any, ...]] = {}
    names = []
    for each in others:
        if each.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in names:
            names.append("*")
        if each.kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            continue
        names.append(each.name)
        if each.default is inspect.Parameter.empty:
            if each.name not in _VALUES:
                return None
            needed[each.name] = _VALUES[each.name]
    return row_of(function, needed, tuple(names))


def row_of(
    function: Callable[..., Any], needed: Mapping[str, tuple[Any, ...]], names: tuple[str, ...]
) -> View | None:
    """What the results are for all values of what is needed, and of which parameters this stands."""
    calls = [dict(zip(needed, each, strict=True)) for each in product(*needed.values())]
    plain = kind_of(function, calls)
    if plain is None:
        return None
    word, whole, keeps = plain
    spelled = []
    for name in names:
        given = [{**each, name: value} for each in calls for value in _VALUES.get(name, ())]
        more = plain if name[0] == "*" or name in needed else kind_of(function, given)
        alike = more is not None and more[:2] == (word, whole)
        keeps = keeps and not (alike and more is not None and not more[2])
        spelled.append(name if alike else f"-{name}")
    return word, whole, keeps, tuple(spelled)


def kind_of(function: Callable[..., Any], calls: list[dict[str, Any]]) -> tuple[str, bool, bool] | None:
    """host or hosts, whether only what lies in one piece is shown, and whether that is shown in one piece."""
    word, whole, keeps, seen = "", False, True, False
    for given, result in results_of(function, calls):
        parts = list(result) if isinstance(result, (tuple, list)) else [result]
        kind = "host" if parts and parts[0] is result else "hosts"
        if not parts or not all(isinstance(each, np.ndarray) for each in parts) or (word and word != kind):
            return None
        word, in_one_piece = kind, given.flags.c_contiguous
        shown = not any(each.flags.writeable for each in parts)
        if not shown and in_one_piece:
            return None
        whole = whole or not shown
        keeps = keeps and (not in_one_piece or all(each.flags.c_contiguous for each in parts))
        seen = True
    return (word, whole, keeps) if seen else None


def results_of(function: Callable[..., Any], calls: list[dict[str, Any]]) -> Iterator[tuple[Any, Any]]:
    for array, given in product(samples(), calls):
        try:
            yield array, function(array, **given)
        except Exception:
            continue


def samples() -> Iterator[Any]:
    """Arrays that may not be written to, in one piece and not."""
    for shape, dtype in product(_SHAPES, (np.float32, np.complex64)):
        array = np.arange(1, 1 + np.prod(shape), dtype=dtype).reshape(shape)
        yield locked(array)
        yield locked(array.T)
        yield locked(np.repeat(array, 2, -1))[..., ::2]


# ---- writes


def writes() -> dict[str, tuple[Write, ...]]:
    """Rows of what is written into, by parameter."""
    found: dict[str, list[Write]] = {}
    state = np.random.get_state()
    for name, function in hosts.public_callables():
        if name.startswith("numpy."):
            found[name] = list(writes_of(name, function))
            if isinstance(function, np.ufunc):
                found |= of_ufunc(name, function)
    for module, held in _OWN_MODULES.items():
        for name in held.__all__:
            if callable(getattr(held, name)) and not isinstance(getattr(held, name), type):
                found[f"{module}.{name}"] = list(of_first(getattr(held, name)))
    for kind, maker in GENERATORS.items():
        for name in dir(maker()):
            if name[0] != "_" and callable(getattr(maker(), name)):
                found[f"{kind}.{name}"] = list(
                    of_generator(lambda *a, _n=name, _m=maker, **k: getattr(_m(), _n)(*a, **k))
                )
    for name in dir(np.ndarray):
        if callable(getattr(np.ndarray, name)) and name not in (
            "setflags",
            "__setstate__",
            "__array_finalize__",
        ):
            found[f"numpy.ndarray.{name}"] = list(of_method(called(name)))
    np.random.set_state(state)
    return {name: tuple(rows) for name, rows in found.items() if rows}


GENERATORS: dict[str, Callable[[], Any]] = {
    "numpy.random.Generator": lambda: np.random.default_rng(0),
    "numpy.random.RandomState": lambda: np.random.RandomState(0),
    "random.Random": lambda: random.Random(0),
}


def writes_of(name: str, function: Any) -> Iterator[Write]:
    parameters = hosts.parameters_of(name, function)
    call = hosts.working_call(name, function, parameters)
    if call is None:
        return
    names = positions_of(parameters)
    flags = [each for each, own in parameters.items() if isinstance(own.default, bool)]
    for each, value in call.arguments.items():
        choices = ("", *(f"{flag}={not parameters[flag].default}" for flag in flags))
        for choice in choices if isinstance(value, np.ndarray) else ():
            given = {name: text == "True" for name, _, text in (choice.partition("="),) if choice}
            run = partial(called_with, call, each, given)
            if (error := tried(run, value)) is not None:
                whole = runs(partial(run, value.astype(np.int32))) and not is_refused(
                    partial(run, locked(value.astype(np.int32)))
                )
                yield each, names.get(each, -1), f"{choice}{' float' * whole}", error
                break
    if "out" in parameters:
        position = function.nin if isinstance(function, np.ufunc) else names.get("out", -1)
        yield from of_out(lambda **own: call_with(call, own), position)


def called_with(call: Call, name: str, given: Mapping[str, Any], value: Any) -> Any:
    """The call with another value of an argument, and with more arguments."""
    return call.replaced(**{name: value}, **given).run()


def call_with(call: Call, own: dict[str, Any]) -> Any:
    """The call with more arguments by name."""
    return call.replaced(**own).run(by_keyword=tuple(own))


def of_out(run: Callable[..., Any], position: int) -> Iterator[Write]:
    """Whether the result is written into `out`."""
    try:
        result = run()
    except Exception:
        return
    if isinstance(result, tuple):
        result = result[0]
    if isinstance(result, (np.ndarray, np.generic)):
        write = tried(lambda array: run(out=array), np.zeros_like(np.asarray(result)))
        if write is not None:
            yield "out", position, "", write


def of_ufunc(name: str, function: Any) -> dict[str, list[Write]]:
    found: dict[str, list[Write]] = {}
    one = (1,) if function.nin == 2 else ()
    for dtype in (np.float32, np.int32, np.bool_):
        own = np.ones(4, dtype)
        if f"{name}.at" not in found:
            write = tried(lambda array: function.at(array, [0], *one), own)
            if write is not None:
                found[f"{name}.at"] = [("a", 0, "", write)]
        for method, args in (("reduce", ()), ("accumulate", ()), ("reduceat", ([0, 2],)), ("outer", (own,))):
            if f"{name}.{method}" not in found:
                rows = list(
                    of_out(partial(getattr(function, method), own, *args), -1)
                )
                if rows:
                    found[f"{name}.{method}"] = rows
    return found


def of_first(function: Callable[..., Any]) -> Iterator[Write]:
    """A function of Python's own that writes into its first argument."""
    for args in ((), (0,), (1.0,), (0, 1.0)):
        write = tried(lambda array, _a=args: function(array, *_a), _PLAIN[0])
        if write is not None:
            yield "a", 0, "", write
            return


def of_generator(method: Callable[..., Any]) -> Iterator[Write]:
    write = tried(method, _PLAIN[0])
    if write is not None:
        yield "x", 0, "", write
    for args in ((), (_PLAIN[0],)):
        for own in ({}, {"size": 2}):
            for row in of_out(lambda _a=args, _o=own, **given: method(*_a, **_o, **given), -1):
                yield row
                return


def of_method(method: Callable[..., Any]) -> Iterator[Write]:
    """Whether a method writes into its array, or into `out`."""
    if tried(lambda own: method(own, inplace=True), _PLAIN) is not None:
        yield SELF, -1, "inplace=True", ""
        return
    for args, array in product(
        ((), (0,), (1.0,), (0, 1.0), (1.0, np.float32)),
        (_PLAIN[0], _PLAIN[0].astype(np.int32), _PLAIN[0] > 0),
    ):
        if tried(lambda own, _a=args: method(own, *_a), array) is not None:
            yield SELF, -1, "", ""
            return
    for args in ((), ([0],), (0.25, 0.5), (_PLAIN,), ([True, False],)):
        for array in (_PLAIN, _PLAIN.astype(np.int32)[0]):
            for row in of_out(lambda _a=args, _o=array, **given: method(_o, *_a, **given), -1):
                yield row
                return


def tried(run: Callable[[Any], Any], value: Any) -> str | None:
    """The class of error for an array of JAX, empty where there is none: of what takes an array that may be
    written to, and refuses one that may not. None for all else."""
    if not runs(lambda: run(value.copy()[...])) or not is_refused(lambda: run(locked(value))):
        return None
    try:
        run(jnp.asarray(value))
    except Exception as error:
        return type(error).__name__
    return ""


def positions_of(parameters: Mapping[str, inspect.Parameter]) -> dict[str, int]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return {name: place for place, (name, each) in enumerate(parameters.items()) if each.kind in kinds}


def tables() -> tuple[dict[str, View], dict[str, tuple[Write, ...]]]:
    return views(), writes()
