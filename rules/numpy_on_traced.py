"""JAX106: NumPy on traced values."""

from __future__ import annotations

from collections.abc import Iterator

from jaxlint.rule import (
    ALIASES,
    FUNCTIONS,
    HOST_METHODS,
    NUMPY,
    POSITIONS,
    SCIPY,
    STRICT,
    Array,
    Call,
    Claim,
    Example,
    Finding,
    Fix,
    Located,
    Model,
    MutableContainer,
    NumPyArray,
    Part,
    Product,
    Rule,
    Store,
    Subscript,
    Tuple,
    Value,
    around,
    cst,
    parameter_at,
    replaced,
    safety,
    signature,
    spelling,
)

_ERROR = "raises TracerArrayConversionError"
# They call the method of an array, and so work on a tracer, but convert a list of tracers.
_OF_LISTS = frozenset(
    f"numpy.{name}"
    for name in "all amax amin any argmax argmin cumprod cumsum max mean median min prod std sum var".split()
)
# Of jax.numpy, those that take a list of arrays where NumPy does.
_TAKES_LISTS = frozenset(
    f"jax.numpy.{name}"
    for name in "array asarray block column_stack concatenate dstack hstack stack vstack".split()
)
_OF_TRUTH = ("TracerBoolConversionError", "ConcretizationTypeError", "TypeError", "JAXTypeError")
_METHOD = "numpy.ndarray."
_NOT_IN_JNP = frozenset(("out", "order", "like", "subok", "casting", "where", "device", "copy"))
# Methods of the distributions of scipy.stats: all convert what they are given, which a test runs.
_METHODS = frozenset("pdf logpdf pmf logpmf cdf logcdf sf logsf ppf isf".split())
_OF_DISTRIBUTION = ("host", "SBD", "", "host", "TracerArrayConversionError", ("x", "*args"), False)


def _is_of_distribution(name: str) -> bool:
    return name.startswith("scipy.stats.") and name.count(".") == 3 and name.rpartition(".")[2] in _METHODS


class NumpyOnTraced(Rule):
    """A NumPy or SciPy function is called on a tracer, or a NumPy array is indexed by one.

    ## What it does
    Finds calls such as `np.exp(x)` and `np.array([x, y])` where an argument is certainly a traced array, or
    a pytree of them that the function refuses too, methods of NumPy arrays that are given one, NumPy arrays
    indexed by a tracer, and tracers stored in a NumPy array.

    ## Why
    NumPy needs concrete arrays, and a tracer has no concrete value: `TracerArrayConversionError`. This holds
    under `jax.vmap` and `jax.grad` alone, too.

    ## When it is fine
    NumPy on what is concrete while tracing - shapes, constants, tables - is computed once, and is good
    style. `np.sum(x)`, `np.reshape(x, ...)` and others call the method of the tracer and work, as do
    `np.shape(x)`, `np.ndim(x)` and operators between a NumPy array and a tracer.

    ## Fix safety
    The fix, the same function of `jax.numpy`, is unsafe: the dtype becomes JAX's default, mostly of 32 bits,
    an out-of-bounds index is clamped, and the result cannot be changed in place. It is only shown if the
    result may be needed while tracing.
    """

    code = "JAX106"
    name = "numpy-on-traced"
    category = "correctness"
    fix = "unsafe"
    raises = ("TracerArrayConversionError", "TypeError", "JAXTypeError")
    calls = ("numpy", "scipy")
    only_traced = True
    examples = (
        Example(
            bad="""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def gelu(x):
    return 0.5 * x * (1.0 + np.tanh(0.797885 * (x + 0.044715 * x**3)))


print(gelu(jnp.ones(3)))
""",
            good="""
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def gelu(x):
    return 0.5 * x * (1.0 + jnp.tanh(0.797885 * (x + 0.044715 * x**3)))


print(gelu(jnp.ones(3)))
""",
            prints="[0.8411921 0.8411921 0.8411921]",
        ),
        Example(
            bad="""
import jax
import jax.numpy as jnp
import numpy as np

GRID = np.linspace(0.0, 1.0, 8)


@jax.jit
def lookup(i):
    return GRID[i]


print(lookup(3))
""",
            good="""
import jax
import jax.numpy as jnp
import numpy as np

GRID = np.linspace(0.0, 1.0, 8)


@jax.jit
def lookup(i):
    return jnp.asarray(GRID)[i]


print(lookup(3))
""",
            prints="0.42857143",
        ),
    )
    claim = Claim("raises", "jax.errors.TracerArrayConversionError", "__array__() was called on traced array")

    def visit_Call(self, call: Call, m: Model) -> Iterator[Finding]:
        if call.name.startswith(_METHOD):
            yield from _of_method(call, m)
        if call.name in SCIPY:
            yield from _of_scipy(call, m)
        row = NUMPY.get(call.name) or (_OF_DISTRIBUTION if _is_of_distribution(call.name) else None)
        if row is None:
            return
        parameters, compared = row[5], m.compared(call)
        which: list[tuple[int | str, str | None, Value]] = [
            (position, parameter_at(parameters, position), value) for position, value in enumerate(call.args)
        ]
        which += [
            (name, name, value)
            for name, value in call.keywords.items()
            if name in parameters[:1] or name in compared or row is _OF_DISTRIBUTION
        ]
        for place, parameter, value in which:
            levels = POSITIONS.get(call.name, {}).get((parameter or "").lstrip("*"), (row[1],))[0]
            is_list = isinstance(value, Tuple) or (
                isinstance(value, MutableContainer) and value.kind == "list"
            )
            if is_list:
                levels = "SBD" if call.name in _OF_LISTS else levels
                found = bool(levels) and m.tracer_tree(value, levels)
            else:
                is_strict = place in (0, *parameters[:1]) and call.name in STRICT
                found = bool(levels) and (m.no_number if is_strict else m.traced)(value, levels)
            truth = not found and place in compared
            if found or truth:
                twin = _twin(call, m)
                error = "TracerBoolConversionError" if truth else _error(row[4])
                yield Finding(
                    call.nid,
                    f"`{{func}}` is called on traced `{{it}}`: raises {error}",
                    help=_help(call.name, twin),
                    label="of a traced value",
                    names={
                        "func": Part(call.nid, ("func",)),
                        "it": Part(call.nid, (("argument", place),)),
                    },
                    data=twin,
                    raises=_OF_TRUTH if truth else (),
                )
                return

    def visit_Subscript(self, event: Subscript, m: Model) -> Iterator[Finding]:
        if not isinstance(event.value, NumPyArray):
            return
        names: dict[str, int | str | Part] = {"table": Part(event.nid, ("value",))}
        for part in _parts(event.index):
            if m.traced(part):
                yield Finding(
                    event.nid,
                    f"`{{table}}`, a NumPy array, is indexed by a tracer: {_ERROR}",
                    help="jnp.asarray({table})[...]",
                    label="a traced index",
                    names=names,
                    data="table",
                )
                return
            if isinstance(part, Product) and part.kind == "slice" and any(map(m.traced, part.parts[:3])):
                yield Finding(
                    event.nid,
                    "`{table}`, a NumPy array, is sliced by a tracer: raises TracerIntegerConversionError",
                    help="jax.lax.dynamic_slice_in_dim({table}, start, size)",
                    label="a traced bound",
                    names=names,
                )
                return

    def visit_Assign(self, store: Store, m: Model) -> Iterator[Finding]:
        owner = store.value
        if not isinstance(owner, NumPyArray) or store.index is None or store.kind == "delete":
            return
        path = ("target", "value") if store.kind == "augmented" else ("value",)
        names: dict[str, int | str | Part] = {"array": Part(store.nid, path)}
        # A single entry is converted by float() or int(), whose failure NumPy may report in its own way.
        parts = _parts(store.index)
        entry = owner.ndim in (None, len(parts)) and all(_is_number(part) for part in parts)
        raises: tuple[str, ...] = ()
        if any(m.traced(part) for part in parts):
            message = f"`{{array}}`, a NumPy array, is indexed by a tracer: {_ERROR}"
        elif m.traced(store.new, "SBD" if not entry or owner.dtype in "fc" else "SB"):
            error = "TracerArrayConversionError"
            if entry and owner.dtype in "ic":
                error = "ConcretizationTypeError"
            elif entry and owner.ndim is not None:
                error = "ValueError"
            if entry and owner.ndim is not None and owner.dtype in "bf":
                raises = ("ValueError",)
            elif entry:
                raises = (*self.raises, "ConcretizationTypeError", "ValueError")
            message = f"a tracer is stored in NumPy array `{{array}}`: raises {error}"
        else:
            return
        yield Finding(
            store.nid,
            message,
            help="make `{array}` with jax.numpy and write {array} = {array}.at[...].set(...)",
            label="a tracer",
            names=names,
            raises=raises,
        )

    visit_AugAssign = visit_Assign

    def repair(self, finding: Finding, code: Located) -> Fix | None:
        node = code.node(finding.nid)
        name = spelling(code, "jax.numpy")
        if finding.data is None or name is None:
            return None
        if finding.data == "table" and isinstance(node, cst.Subscript):
            edits = around(code, node.value, f"{name[0]}.asarray(", ")")
            return Fix(safety(code, node), "index a JAX array", (*edits, *name[1]))
        if isinstance(node, cst.Call):
            text = f"{name[0]}{finding.data.removeprefix('jax.numpy')}"
            return Fix(safety(code, node), f"write `{text}`", (replaced(code, node.func, text), *name[1]))
        return None


def _of_method(call: Call, m: Model) -> Iterator[Finding]:
    """A method of a NumPy array that is given a tracer as its first argument."""
    levels, errors = HOST_METHODS.get(call.name.removeprefix(_METHOD), ("", ""))
    if levels and call.args and m.no_number(call.args[0], levels):
        error = _error(errors)
        yield Finding(
            call.nid,
            f"`{{func}}`, of a NumPy array, is given traced `{{it}}`: raises {error}",
            help="jnp.asarray(...) of the array has the same method, and computes with tracers",
            label="of a traced value",
            names={"func": Part(call.nid, ("func",)), "it": Part(call.nid, (("argument", 0),))},
            raises=(error, *NumpyOnTraced.raises),
        )


def _of_scipy(call: Call, m: Model) -> Iterator[Finding]:
    """A function of SciPy, or an object of it that is called, with a tracer where that raises."""
    _, parameters, refused = SCIPY[call.name]
    errors = {name: (levels, error) for name, levels, error in refused}
    given: list[tuple[int | str, str | None, Value]] = [
        (position, parameter_at(parameters, position), value) for position, value in enumerate(call.args)
    ]
    given += [(name, name, value) for name, value in call.keywords.items()]
    for place, parameter, value in given:
        levels, raised = errors.get(parameter or "", ("", ""))
        error = _error(raised)
        is_list = isinstance(value, (Tuple, MutableContainer))
        # What becomes an array may as well be a list of numbers.
        is_refused = error == "TracerArrayConversionError" if is_list else bool(levels)
        if is_refused and (m.tracer_tree if is_list else m.traced)(value, levels):
            yield Finding(
                call.nid,
                f"`{{func}}` is called on traced `{{it}}`: raises {error}",
                help=_help(call.name, None),
                label="of a traced value",
                names={"func": Part(call.nid, ("func",)), "it": Part(call.nid, (("argument", place),))},
                raises=(*NumpyOnTraced.raises, *_OF_TRUTH, error),
            )
            return


def _twin(call: Call, m: Model) -> str | None:
    """The function of jax.numpy that takes the same arguments; None where there is none that is certain."""
    name = "jax." + call.name
    found = signature(name)
    if not call.name.startswith("numpy.") or found is None or not call.exact:
        return None
    size = FUNCTIONS[ALIASES.get(name, name)][4]
    if size and not (size.endswith(":when=unary") and len(call.args) + len(call.keywords) > 1):
        return None
    parameters, static = found
    given = [(parameter_at(parameters, position), value) for position, value in enumerate(call.args)]
    given += [
        (key if key in parameters and key not in _NOT_IN_JNP else None, call.keywords[key])
        for key in call.keywords
    ]
    for parameter, value in given:
        if parameter is None or (parameter.lstrip("*") in static and m.level(value)):
            return None
        if (
            isinstance(value, (Tuple, MutableContainer))
            and parameter not in static
            and name not in _TAKES_LISTS
        ):
            return None
    return name


def _spelled(name: str) -> str:
    return f"jnp{name.removeprefix('jax.numpy')}" if name.startswith("jax.numpy.") else name


def _help(name: str, exact: str | None) -> str:
    if exact is not None:
        return f"{_spelled(exact)}(...) computes with tracers"
    twin = f"jax.{name}"
    if ALIASES.get(twin, twin) in FUNCTIONS:
        return f"{_spelled(twin)} computes with tracers"
    return "jax.pure_callback calls NumPy when the compiled program runs"


def _error(errors: str) -> str:
    """The class of error of a table row: one, or `S:One B:Other`."""
    first = errors.split()[0] if errors else "TracerArrayConversionError"
    return first.rpartition(":")[2]


def _parts(index: Value) -> tuple[Value, ...]:
    return (index.items or ()) if isinstance(index, Tuple) else (index,)


def _is_number(index: Value) -> bool:
    return not isinstance(index, (Product, Array, Tuple, MutableContainer, NumPyArray))
