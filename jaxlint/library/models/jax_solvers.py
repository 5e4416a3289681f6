"""Functions of jax that are given functions: solvers, linear maps, reductions, Taylor series."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple, join_all
from jaxlint.domain.objects import Bound, Function, Partial, Transformed
from jaxlint.domain.references import references
from jaxlint.domain.values import INT, NONE, STAGED, UNKNOWN, Array, Product, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.library.models.jax_transforms import linear, pullback

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_FUNCTIONS = (Function, Bound, Partial, Transformed)


def _run(func: Value | None, args: Iterable[Value], call: Call, m: Parts) -> Value:
    """A function that is traced with these arguments."""
    return m.primitives.run_staged(func, list(args), call.nid, call.name.rpartition(".")[2])


def _run_with(func: Value | None, given: Value, args: Iterable[Value], call: Call, m: Parts) -> Value:
    """A function that is traced, and gets a function as well."""
    if func is None:
        return UNKNOWN
    lifted = [m.lifting.lift(each, STAGED) for each in args]
    kind = call.name.rpartition(".")[2]
    return m.transforms.enter_trace(func, [given, *lifted], {}, call.nid, kind, STAGED)


def _like(value: Value, call: Call, m: Parts) -> Value:
    """A result of the structure of an argument."""
    return m.lifting.lower(value, m.core.arrays_level([value]))


@model("jax.scipy.sparse.linalg.cg", "jax.scipy.sparse.linalg.gmres", "jax.scipy.sparse.linalg.bicgstab")
def linear_solver(call: Call, m: Parts) -> Value:
    matrix, b = call.get(0, "A"), call.get(1, "b")
    if b is None:
        return UNKNOWN
    if isinstance(matrix, _FUNCTIONS):
        _run(matrix, [b], call, m)
    return Tuple((_like(b, call, m), UNKNOWN))


@model("jax.scipy.optimize.minimize")
def minimize(call: Call, m: Parts) -> Value:
    func, start, rest = call.get(0, "fun"), call.get(1, "x0"), call.get(2, "args")
    items = () if rest is None else m.expressions.known_items(rest)
    if start is not None and items is not None:
        _run(func, [start, *items], call, m)
    return UNKNOWN


@model("jax.experimental.ode.odeint")
def odeint(call: Call, m: Parts) -> Value:
    func, start, times = call.get(0, "func"), call.get(1, "y0"), call.get(2, "t")
    if start is None:
        return UNKNOWN
    _run(func, [start, Array(0, "f", 0), *call.args[3:]], call, m)
    level = m.core.arrays_level([start, *([] if times is None else [times]), *call.args[3:]])
    return m.lifting.lower(start, level, 1)


@model("jax.lax.custom_root")
def custom_root(call: Call, m: Parts) -> Value:
    func, start = call.get(0, "f"), call.get(1, "initial_guess")
    if func is None or start is None:
        return UNKNOWN
    _run(func, [start], call, m)
    _run_with(call.get(2, "solve"), func, [start], call, m)
    return UNKNOWN if "has_aux" in call.keywords or len(call.args) > 4 else _like(start, call, m)


@model("jax.lax.custom_linear_solve")
def custom_linear_solve(call: Call, m: Parts) -> Value:
    matvec, b = call.get(0, "matvec"), call.get(1, "b")
    if matvec is None or b is None:
        return UNKNOWN
    _run(matvec, [b], call, m)
    _run_with(call.get(2, "solve"), matvec, [b], call, m)
    return UNKNOWN if "has_aux" in call.keywords else _like(b, call, m)


@model("jax.numpy.piecewise")
def piecewise(call: Call, m: Parts) -> Value:
    x, functions = call.get(0, "x"), call.get(2, "funclist")
    if x is None:
        return UNKNOWN
    for each in (m.expressions.known_items(functions) if functions is not None else ()) or ():
        if isinstance(each, _FUNCTIONS):
            _run(each, [x, *call.args[3:]], call, m)
    return m.core.made(call.args[:1])


@model("jax.lax.reduce", "jax.lax.reduce_window")
def reduce(call: Call, m: Parts) -> Value:
    operand, start = call.args[0] if call.args else UNKNOWN, call.args[1] if len(call.args) > 1 else UNKNOWN
    func = call.get(2, "computation")
    if isinstance(func, _FUNCTIONS):
        _run(func, [start, start], call, m)
    return _like(operand, call, m) if isinstance(operand, (Array, Tuple, MutableContainer)) else UNKNOWN


@model("jax.lax.platform_dependent")
def platform_dependent(call: Call, m: Parts) -> Value:
    """One of several functions, by the device that the program is compiled for; where nothing is compiled, it
    is called as it is."""
    functions = [each for name, each in call.keywords.items() if name != "**"]
    if not m.flow.context.staged:
        return m.calls.call_any([(each, call.args) for each in functions], {}, call.nid, True)
    results = [_run(each, call.args, call, m) for each in functions]
    return m.lifting.lower(join_all(results), m.core.arrays_level(call.args))


@model("jax.linear_transpose")
def linear_transpose(call: Call, m: Parts) -> Value:
    _run(call.get(0, "fun"), call.args[1:], call, m)
    return pullback(call.args[1:]) if call.exact else UNKNOWN


@model("jax.closure_convert")
def closure_convert(call: Call, m: Parts) -> Value:
    result = _run(call.get(0, "fun"), call.args[1:], call, m)
    return Tuple((linear(m.lifting.lower(result, m.core.arrays_level(call.args[1:]))), UNKNOWN))


@model("jax.experimental.jet.jet")
def jet(call: Call, m: Parts) -> Value:
    """The terms of a Taylor series: a function is run with tracers of it."""
    func, primals = call.get(0, "fun"), call.get(1, "primals")
    items = None if primals is None else m.expressions.known_items(primals)
    if func is None or items is None:
        return UNKNOWN
    result = m.calls.call(func, list(items), {}, call.nid)
    level = m.core.arrays_level(call.args[1:])
    return Tuple((m.lifting.lower(result, level), TracerPytree(level)))


@model("jax.experimental.pallas.program_id")
def program_id(call: Call, m: Parts) -> Value:
    return Array(STAGED, "i", 0) if m.flow.context.staged else UNKNOWN


@model("jax.experimental.pallas.num_programs")
def num_programs(call: Call, m: Parts) -> Value:
    return INT


@model("jax.experimental.pallas.when")
def when(call: Call, m: Parts) -> Value:
    """A decorator that runs its function in a branch."""
    return Product("object", call.name)


@model("jax.experimental.pallas.when.__call__")
def run_branch(call: Call, m: Parts) -> Value:
    if len(call.args) > 1:
        m.calls.call(call.args[1], [], {}, call.nid)
    return NONE


@model("jax.experimental.pallas.run_scoped")
def run_scoped(call: Call, m: Parts) -> Value:
    func = call.get(0, "f")
    if func is None or not call.exact:
        return UNKNOWN
    named = {name: references(each) for name, each in call.keywords.items()}
    return m.calls.call(func, [*map(references, call.args[1:])], named, call.nid)


@model("jax.experimental.checkify.checkify")
def checkify(call: Call, m: Parts) -> Value:
    """A function that gives an error along with what the function gives."""
    func = call.get(0, "f")
    return UNKNOWN if func is None else Product("object", call.name, func)


@model("jax.experimental.checkify.checkify.__call__")
def checked(call: Call, m: Parts) -> Value:
    owner = call.args[0]
    func = owner.parts[1] if isinstance(owner, Product) else UNKNOWN
    return Tuple((UNKNOWN, m.calls.call(func, call.args[1:], call.keywords, call.nid, call.exact)))
