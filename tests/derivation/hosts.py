"""What NumPy's and SciPy's functions do with tracers and with arrays of JAX.

In: the public callables of NumPy and a working call of each on host arrays. Out: rows of
`jaxlint/tables/numpy_functions.py`, found by putting a tracer at each array position.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from derivation import names, samples
from derivation.calls import POSITIONAL as POSITIONAL_KINDS
from derivation.calls import Call, Outcome, is_number_array, narrow
from derivation.kinds import result_of
from derivation.levels import at_levels, concrete, errors, raising

Position = tuple[str, str, str, str]
Row = tuple[str, str, str, str, str, tuple[str, ...], bool]

MODULES = ("numpy", "numpy.linalg", "numpy.fft", "numpy.random", "scipy.special", "scipy.linalg")
# They touch files, settings or the process, or are only for NumPy's own use.
LEFT_OUT = frozenset(
    "numpy.DataSource numpy.fromfile numpy.genfromtxt numpy.get_include numpy.info numpy.load numpy.loadtxt numpy.memmap "
    "numpy.save numpy.savetxt numpy.savez numpy.savez_compressed numpy.set_printoptions numpy.setbufsize numpy.seterr "
    "numpy.seterrcall numpy.show_config numpy.show_runtime numpy.test numpy.linalg.test numpy.fft.test "
    "numpy.random.test numpy.random.set_bit_generator numpy.random.set_state numpy.typename numpy.fromregex "
    "scipy.special.test scipy.linalg.test numpy.errstate numpy.printoptions numpy.getbufsize numpy.geterrcall "
    "numpy.nested_iters numpy.nditer numpy.busdaycalendar numpy.recarray numpy.record "
    "scipy.linalg.interpolative".split()
)
FILLERS: tuple[Any, ...] = (
    samples.VECTOR,
    np.float32(0.5),
    samples.MATRIX,
    samples.INTEGERS,
    samples.BOOLEANS,
    [samples.VECTOR, samples.VECTOR],
    3,
    samples.CUBE,
    np.int32(1),
    samples.COMPLEX,
    samples.VECTOR.astype(np.float64),
    samples.MATRIX.astype(np.float64),
)
MATRIX = samples.MATRIX
VECTOR = samples.VECTOR
INTEGERS = samples.INTEGERS
WIDE = np.array([[0.0, 1.0, 1.0], [4.0, 4.0, 4.0]])
# Arguments of functions that the fillers do not suit.
BY_FUNCTION: dict[str, dict[str, Any]] = {
    "numpy.apply_along_axis": {"func1d": np.sum, "axis": 0, "arr": MATRIX, "args": ()},
    "numpy.apply_over_axes": {"func": np.sum, "a": MATRIX, "axes": (0,)},
    "numpy.choose": {"a": INTEGERS, "choices": [VECTOR, VECTOR, VECTOR]},
    "numpy.clip": {"a": VECTOR, "a_min": 0.25, "a_max": 0.5},
    "numpy.compress": {"condition": samples.BOOLEANS, "a": VECTOR},
    "numpy.delete": {"arr": VECTOR, "obj": 1},
    "numpy.einsum": {"operands": ("i,i->i", VECTOR, VECTOR)},
    "numpy.einsum_path": {"operands": ("i,i->i", VECTOR, VECTOR)},
    "numpy.fromfunction": {"function": np.add, "shape": (2, 3)},
    "numpy.full": {"shape": (3,), "fill_value": 0.5},
    "numpy.geomspace": {"start": 1.0, "stop": 8.0},
    "numpy.gradient": {"f": VECTOR, "varargs": ()},
    "numpy.insert": {"arr": VECTOR, "obj": 1, "values": 0.5},
    "numpy.linspace": {"start": 0.0, "stop": 1.0},
    "numpy.mask_indices": {"n": 3, "mask_func": np.triu},
    "numpy.moveaxis": {"a": MATRIX, "source": 0, "destination": 1},
    "numpy.pad": {"array": VECTOR, "pad_width": 1},
    "numpy.percentile": {"a": VECTOR, "q": 50.0},
    "numpy.put": {"a": VECTOR.copy(), "ind": 0, "v": 0.5},
    "numpy.ravel_multi_index": {"multi_index": (INTEGERS, INTEGERS), "dims": (3, 3)},
    "numpy.repeat": {"a": VECTOR, "repeats": 2},
    "numpy.reshape": {"a": VECTOR, "shape": (3, 1)},
    "numpy.resize": {"a": VECTOR, "new_shape": (2, 3)},
    "numpy.roll": {"a": VECTOR, "shift": 1},
    "numpy.take": {"a": VECTOR, "indices": 1},
    "numpy.tile": {"A": VECTOR, "reps": 2},
    "numpy.unpackbits": {"a": np.ones(2, np.uint8)},
    "numpy.unravel_index": {"indices": 1, "shape": (3, 3)},
    "numpy.where": {"condition": samples.BOOLEANS, "x": VECTOR, "y": VECTOR},
    "numpy.linalg.tensorinv": {"a": np.eye(4, dtype=np.float32).reshape(2, 2, 2, 2)},
    "numpy.random.choice": {"a": VECTOR},
    "numpy.random.multivariate_normal": {"mean": VECTOR, "cov": MATRIX},
    "numpy.random.permutation": {"x": VECTOR},
    "numpy.random.ranf": {"args": ()},
    "numpy.random.sample": {"args": ()},
    "numpy.random.shuffle": {"x": VECTOR.copy()},
    "numpy.random.triangular": {"left": 0.0, "mode": 0.5, "right": 1.0},
    "scipy.special.sph_harm_y": {"args": (1, 1, 0.5, 0.5)},
    "scipy.linalg.cdf2rdf": {"w": VECTOR, "v": MATRIX},
    "scipy.linalg.cho_solve": {"c_and_lower": (MATRIX, True), "b": VECTOR},
    "scipy.linalg.diagsvd": {"s": VECTOR, "M": 3, "N": 3},
    "scipy.linalg.eigh_tridiagonal": {"d": VECTOR, "e": VECTOR[1:]},
    "scipy.linalg.eigvalsh_tridiagonal": {"d": VECTOR, "e": VECTOR[1:]},
    "scipy.linalg.fractional_matrix_power": {"A": MATRIX, "t": 0.5},
    "scipy.linalg.leslie": {"f": VECTOR, "s": VECTOR[1:]},
    "scipy.linalg.lu_solve": {"lu_and_piv": (MATRIX, INTEGERS), "b": VECTOR},
    "scipy.linalg.solve_banded": {"l_and_u": (1, 0), "ab": WIDE, "b": VECTOR},
}
# Signatures that cannot be read.
POSITIONAL = {
    "numpy.arange": "start stop step",
    "numpy.where": "condition x y",
    "numpy.array": "object dtype",
}


def assigned(host: Any, index: Any, value: Any) -> None:
    host[index] = value


def added(host: Any, value: Any) -> Any:
    host += value
    return host


# Ways of writing an operation on a host array `a`, a host scalar `s` or a generator `rng`, and a tracer `x`.
FORMS: dict[str, Callable[[Any], Any]] = {
    "a + x": lambda x: VECTOR + x,
    "x + a": lambda x: x + VECTOR,
    "a @ x": lambda x: VECTOR @ x,
    "a ** x": lambda x: VECTOR**x,
    "a < x": lambda x: VECTOR < x,
    "a == x": lambda x: VECTOR == x,
    "s * x": lambda x: np.float32(2) * x,
    "x * s": lambda x: x * np.float32(2),
    "a += x": lambda x: added(VECTOR.copy(), x),
    "a[0] = x[0]": lambda x: assigned(VECTOR.copy(), 0, x[0]),
    "a[:] = x": lambda x: assigned(VECTOR.copy(), slice(None), x),
    "a[argmax(x)]": lambda x: VECTOR[jnp.argmax(x)],
    "a[argsort(x)]": lambda x: VECTOR[jnp.argsort(x)],
    "a[x > 0]": lambda x: VECTOR[x > 0],
    "a[argmax(x):]": lambda x: VECTOR[jnp.argmax(x) :],
    "a[argmax(x)] = 0": lambda x: assigned(VECTOR.copy(), jnp.argmax(x), 0),
    "a.dot(x)": lambda x: VECTOR.dot(x),
    "a.fill(x[0])": lambda x: VECTOR.copy().fill(x[0]),
    "a.clip(x)": lambda x: VECTOR.clip(x),
    "a.reshape(argmax(x))": lambda x: VECTOR.reshape(jnp.argmax(x) + 3 - jnp.argmax(x)),
    "a.repeat(argmax(x))": lambda x: VECTOR.repeat(jnp.argmax(x)),
    "a.item(argmax(x))": lambda x: VECTOR.item(jnp.argmax(x)),
    "a.sum(axis=argmin(x))": lambda x: VECTOR.sum(axis=jnp.argmin(x)),
    "a.searchsorted(x)": lambda x: VECTOR.searchsorted(x),
    "a.take(argsort(x))": lambda x: VECTOR.take(jnp.argsort(x)),
    "a.tolist().index(x[0])": lambda x: VECTOR.tolist().index(x[0]),
    "np.array([x, x])": lambda x: np.array([x, x]),
    "np.array([x[0], 1.0])": lambda x: np.array([x[0], 1.0]),
    "np.asarray([x])": lambda x: np.asarray([x]),
    "np.array(x, dtype=object)": lambda x: np.array(x, dtype=object),
    "np.array([x[0]], dtype=object)": lambda x: np.array([x[0]], dtype=object),
    "np.add.reduce(x)": np.add.reduce,
    "np.add.accumulate(x)": np.add.accumulate,
    "np.add.outer(x, x)": lambda x: np.add.outer(x, x),
    "np.add(a, 1, out=x)": lambda x: np.add(VECTOR, 1, out=x),
    "np.vectorize(abs)(x)": lambda x: np.vectorize(abs)(x),
    "np.r_[x]": lambda x: np.r_[x],
    "np.c_[x]": lambda x: np.c_[x],
    "np.mgrid[0:argmax(x)]": lambda x: np.mgrid[0 : jnp.argmax(x)],
    "rng.normal(x)": lambda x: np.random.default_rng(0).normal(x),
    "rng.normal(size=argmax(x))": lambda x: np.random.default_rng(0).normal(size=jnp.argmax(x)),
    "rng.permutation(x)": lambda x: np.random.default_rng(0).permutation(x),
    "np.random.default_rng(argmax(x))": lambda x: np.random.default_rng(jnp.argmax(x)),
    "np.random.seed(argmax(x))": lambda x: np.random.seed(jnp.argmax(x)),
    "for a in np.asarray(x)": lambda x: list(np.asarray(x)),
    "x in a": lambda x: x[0] in VECTOR,
    "np.float32(x[0])": lambda x: np.float32(x[0]),
    "np.float64(x[0])": lambda x: np.float64(x[0]),
    "np.int32(x[0])": lambda x: np.int32(x[0]),
    "np.bool_(x[0])": lambda x: np.bool_(x[0]),
    "np.complex64(x[0])": lambda x: np.complex64(x[0]),
    "np.dtype(x.dtype)": lambda x: np.dtype(x.dtype),
    "np.zeros(argmax(x))": lambda x: np.zeros(jnp.argmax(x)),
    "np.zeros(x.shape)": lambda x: np.zeros(x.shape),
    "np.prod(x.shape)": lambda x: np.prod(x.shape),
    "np.sum(x)": np.sum,
    "np.sum([x, x])": lambda x: np.sum([x, x]),
    "np.max([x[0], x[1]])": lambda x: np.max([x[0], x[1]]),
}


def public_callables() -> Iterator[tuple[str, Any]]:
    for path in MODULES:
        module = importlib.import_module(path)
        for name in sorted(getattr(module, "__all__", None) or vars(module)):
            value = getattr(module, name, None)
            full = f"{path}.{name}"
            if name.startswith("_") or not callable(value) or full in LEFT_OUT or inspect.ismodule(value):
                continue
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            yield full, value


def parameters_of(name: str, function: Any) -> dict[str, inspect.Parameter]:
    if isinstance(function, np.ufunc):
        operands = ("x",) if function.nin == 1 else tuple(f"x{each + 1}" for each in range(function.nin))
        return names.operation_parameters(operands, ("out", "where", "dtype"))
    if isinstance(function, type) and issubclass(function, np.generic):
        return {"value": inspect.Parameter("value", inspect.Parameter.POSITIONAL_ONLY)}
    parameters = names.parameters_of(function)
    if not parameters and name in POSITIONAL:
        many = inspect.Parameter.VAR_POSITIONAL
        return {"args": inspect.Parameter("args", many)}
    return parameters


def tables() -> tuple[
    dict[str, Row], dict[str, dict[str, Position]], dict[str, Position], list[str], list[str]
]:
    """Rows by name, positions that differ from the first, forms, the names of which no call is run, and those
    that refuse as their first argument what is no array."""
    state = np.random.get_state()
    rows: dict[str, Row] = {}
    differing: dict[str, dict[str, Position]] = {}
    unknown, strict = [], []
    for name, function in public_callables():
        np.random.seed(0)
        parameters = parameters_of(name, function)
        call = working_call(name, function, parameters)
        params = tuple(POSITIONAL[name].split()) if name in POSITIONAL else names.spelled(parameters)
        impure = name.startswith("numpy.random.")
        if call is None:
            unknown.append(name)
            rows[name] = ("?", "", "?", "?", "", params, impure)
            continue
        positions = positions_of(call)
        first = next(iter(positions.values()), ("", "", "", ""))
        others = {each: facts for each, facts in positions.items() if facts[0] != first[0]}
        if others:
            differing[name] = others
        if positions and refuses_trees(call, next(iter(positions))):
            strict.append(name)
        rows[name] = (host_word(call.concrete().value), *first, params, impure)
    forms = {name: position(operation, VECTOR) for name, operation in FORMS.items()}
    np.random.set_state(state)
    return rows, differing, forms, unknown, strict


def refuses_trees(call: Call, name: str) -> bool:
    """Whether the call raises with a dict of arrays, and with None, for one argument."""
    return all(call.replaced(**{name: value}).concrete().error for value in ({"a": VECTOR}, None))


def working_call(name: str, function: Any, parameters: dict[str, inspect.Parameter]) -> Call | None:
    """The first candidate that NumPy takes, with a number in it if there is any such."""
    own = BY_FUNCTION.get(name, {})
    required = [
        each
        for each, parameter in parameters.items()
        if parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    optional = next((each for each in parameters if each not in required), None)
    plain = None
    for filler in (own,) if required and all(each in own for each in required) else FILLERS:
        arguments: dict[str, Any] = {}
        for each in required:
            many = parameters[each].kind is inspect.Parameter.VAR_POSITIONAL
            known = samples.BY_NAME.get(each, filler)
            arguments[each] = (filler, filler) if many else filler if is_number_array(known) else known
        call = Call(function, parameters, {**arguments, **own})
        if (
            not required
            and not own
            and optional is not None
            and parameters[optional].kind in POSITIONAL_KINDS
        ):
            call = call.replaced(**{optional: filler})
        if call.concrete().error is None:
            return call
        if not required and plain is None and Call(function, parameters, {}).concrete().error is None:
            plain = Call(function, parameters, {})
    return plain


def positions_of(call: Call) -> dict[str, Position]:
    """What happens when the numbers of one argument or another are a tracer."""
    found = {}
    for name, value in call.arguments.items():
        leaves = [leaf for leaf in jax.tree.leaves(value) if is_number(leaf)]
        if leaves:
            value = np.asarray(leaves[0])
            found[name] = position(put(call, name), value.astype(narrow(value.dtype)))
    return found


def position(operation: Callable[[Any], Any], value: Any) -> Position:
    outcomes = at_levels(operation, value)
    return raising(outcomes), through(outcomes), jax_word(concrete(operation, value)), errors(outcomes)


def is_number(leaf: Any) -> bool:
    return is_number_array(leaf) or (isinstance(leaf, (int, float, complex)) and not isinstance(leaf, bool))


def put(call: Call, name: str) -> Callable[[Any], Any]:
    """The call with every array of one argument replaced."""

    def operation(x: Any) -> Any:
        value = jax.tree.map(lambda leaf: x if is_number(leaf) else leaf, call.arguments[name])
        return call.run({**call.arguments, name: value})

    return operation


def through(outcomes: dict[str, Outcome]) -> str:
    words = {jax_word(each) for each in outcomes.values() if each.error is None}
    return words.pop() if len(words) == 1 else "?" if words else ""


def jax_word(outcome: Outcome) -> str:
    if outcome.error is not None:
        return "raises"
    value = outcome.value
    word = result_of(value, {})
    return host_word(value) if word == "static" else word


def host_word(value: Any) -> str:
    """The word for a result, telling host arrays and scalars from other Python values."""
    if isinstance(value, np.ndarray):
        return "host"
    if isinstance(value, np.generic):
        return "scalar"
    if isinstance(value, tuple) and value and any(isinstance(each, np.ndarray) for each in value):
        return f"hosts:{len(value)}"
    if isinstance(value, list) and value and any(isinstance(each, np.ndarray) for each in value):
        return "hosts:*"
    return result_of(value, {})
