"""diffrax, optimistix, lineax, jaxopt and blackjax: solvers and samplers that trace what they are given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from jaxlint.domain.join import MutableContainer, Tuple
from jaxlint.domain.objects import Bound, Function, Instance, Partial, Transformed
from jaxlint.domain.values import DIFFERENTIATED, NONE, STAGED, UNKNOWN, Array, Product, TracerPytree, Value
from jaxlint.library.library_call import Call
from jaxlint.library.modelled import model
from jaxlint.tables.samplers import STATES, Fields

if TYPE_CHECKING:
    from jaxlint.library.parts import Parts

_NONE_GIVEN: Mapping[str, Value] = MappingProxyType({})
_FUNCTIONS = (Function, Bound, Partial, Transformed, Instance)


def _record(
    call: Call, m: Parts, given: Value, name: str, extra: int = 0, counts: Iterable[str] = ()
) -> Value:
    """What a solver gives: an object with an attribute of the structure of what it starts from, and a dict of
    what it counts; how much it may count at most is there as it was given."""
    level = m.core.arrays_level([*call.args, *call.keywords.values()])
    fields = [(name, m.lifting.lower(given, level, extra))]
    if counts:
        stats = m.core.box("dict", call.nid, "stats")
        stats.entries.update({each: Array(level & STAGED, "i", 0) for each in counts}, max_steps=UNKNOWN)
        stats.is_open = True
        fields.append(("stats", stats))
    return Product("record", tuple(fields))


def _traced(
    func: Value, args: Iterable[Value], call: Call, m: Parts, keywords: Mapping[str, Value] = _NONE_GIVEN
) -> Value:
    """Runs a function in a trace to which arrays alone are arguments, as for `equinox.filter_jit`."""
    lifted = [m.lifting.lift(each, STAGED, True) for each in (func, *args)]
    named = {name: m.lifting.lift(each, STAGED, True) for name, each in keywords.items()}
    return m.transforms.enter_trace(lifted[0], lifted[1:], named, call.nid, "while_loop", STAGED)


# ---- diffrax


@model("diffrax.ODETerm", "diffrax.ControlTerm", "diffrax.MultiTerm", "diffrax.WeaklyDiagonalControlTerm")
def term(call: Call, m: Parts) -> Value:
    held = call.args if call.name.endswith("MultiTerm") else [call.get(0, "vector_field") or UNKNOWN]
    return Product("object", call.name, *held)


@model("diffrax.Event")
def event(call: Call, m: Parts) -> Value:
    return Product("object", call.name, call.get(0, "cond_fn") or UNKNOWN)


@model("diffrax.SaveAt", "diffrax.SubSaveAt")
def save_at(call: Call, m: Parts) -> Value:
    return Product("object", call.name, *(call.keywords.get(each, NONE) for each in ("fn", "subs")))


@model("diffrax.PIDController")
def controller(call: Call, m: Parts) -> Value:
    return Product("object", call.name, call.keywords.get("norm", NONE))


def _fields_of(value: Value | None, m: Parts) -> list[Value]:
    if isinstance(value, Product) and value.kind == "object":
        return [each for part in value.parts[1:] for each in _fields_of(part, m)]
    if isinstance(value, (Tuple, MutableContainer)):
        return [each for part in m.expressions.known_items(value) or () for each in _fields_of(part, m)]
    return [value] if isinstance(value, _FUNCTIONS) else []


@model("diffrax.diffeqsolve")
def diffeqsolve(call: Call, m: Parts) -> Value:
    start, args = call.get(5, "y0"), call.get(6, "args") or NONE
    if start is None:
        return UNKNOWN
    time = Array(0, "f", 0)
    for each in (*_fields_of(call.get(0, "terms"), m), *_fields_of(call.keywords.get("saveat"), m)):
        _traced(each, [time, start, args], call, m)
    for each in _fields_of(call.keywords.get("stepsize_controller"), m):
        _traced(each, [start], call, m)
    named = {name: call.get(place, name) or UNKNOWN for place, name in enumerate(("terms", "solver"))}
    named |= dict.fromkeys(("t0", "t1", "dt0"), time) | {"dt0": NONE if call.get(4, "dt0") == NONE else time}
    named |= {
        name: call.keywords.get(name, UNKNOWN) for name in ("saveat", "stepsize_controller", "max_steps")
    }
    for each in _fields_of(call.keywords.get("event"), m):
        _traced(each, [time, start, args], call, m, named)
    return _record(call, m, start, "ys", 1, ("num_steps", "num_accepted_steps", "num_rejected_steps"))


# ---- optimistix and lineax


@model("optimistix.root_find", "optimistix.least_squares", "optimistix.minimise", "optimistix.fixed_point")
def iterative(call: Call, m: Parts) -> Value:
    func, start, args = call.get(0, "fn"), call.get(2, "y0"), call.get(3, "args") or NONE
    if start is None:
        return UNKNOWN
    if isinstance(func, _FUNCTIONS):
        _traced(func, [start, args], call, m)
    return _record(call, m, start, "value", counts=("num_steps",))


@model("lineax.FunctionLinearOperator")
def operator(call: Call, m: Parts) -> Value:
    func = call.get(0, "fn")
    if isinstance(func, _FUNCTIONS):
        m.transforms.enter_trace(func, [TracerPytree(STAGED)], {}, call.nid, "make_jaxpr", STAGED)
    return UNKNOWN


@model("lineax.linear_solve")
def linear_solve(call: Call, m: Parts) -> Value:
    vector = call.get(1, "vector")
    return UNKNOWN if vector is None else _record(call, m, vector, "value")


# ---- jaxopt


@model(
    "jaxopt.GradientDescent",
    "jaxopt.LBFGS",
    "jaxopt.BFGS",
    "jaxopt.LBFGSB",
    "jaxopt.NonlinearCG",
    "jaxopt.GaussNewton",
    "jaxopt.LevenbergMarquardt",
    "jaxopt.FixedPointIteration",
    "jaxopt.AndersonAcceleration",
    "jaxopt.Bisection",
    "jaxopt.ProximalGradient",
    "jaxopt.ProjectedGradient",
    "jaxopt.OptaxSolver",
)
def solver(call: Call, m: Parts) -> Value:
    if "jit" in call.keywords or "has_aux" in call.keywords or not call.exact:
        return UNKNOWN
    names = ("fun", "residual_fun", "fixed_point_fun", "optimality_fun")
    place = 1 if call.name.endswith("OptaxSolver") else 0
    func = next((each for name in names if (each := call.get(place, name)) is not None), UNKNOWN)
    return Product("object", "jaxopt.base.IterativeSolver", func, call.name.rpartition(".")[2])


@model("jaxopt.base.IterativeSolver.run")
def run_solver(call: Call, m: Parts) -> Value:
    owner, start = call.args[0], call.get(1, "init_params") or NONE
    if not isinstance(owner, Product) or not call.exact:
        return UNKNOWN
    _, func, name = owner.parts
    rest = call.args[3:] if name.startswith("Pro") else call.args[2:]
    if isinstance(func, _FUNCTIONS):
        first = Array(0, "f", 0) if name == "Bisection" else start
        given = {word: value for word, value in call.keywords.items() if word != "init_params"}
        lifted = [m.lifting.lift(each, STAGED) for each in (first, *rest)]
        named = {word: m.lifting.lift(value, STAGED) for word, value in given.items()}
        m.transforms.enter_trace(func, lifted, named, call.nid, "while_loop", STAGED)
    return _record(call, m, start, "params")


# ---- blackjax


@model("blackjax.nuts", "blackjax.hmc", "blackjax.dynamic_hmc", "blackjax.mala", "blackjax.rmh")
def sampler(call: Call, m: Parts) -> Value:
    func = call.get(0, "logdensity_fn") or UNKNOWN
    return Product("object", "blackjax.base.SamplingAlgorithm", func, call.name.rpartition(".")[2])


@model("blackjax.base.SamplingAlgorithm.init")
def start(call: Call, m: Parts) -> Value:
    _run_density(call, call.args[1:2], "value_and_grad", DIFFERENTIATED, m)
    level, known = m.core.arrays_level(call.args[1:]), _states_of(call)
    return TracerPytree(level) if known is None else _held(*known[0], call.get(1, "position"), level, m)


@model("blackjax.base.SamplingAlgorithm.step")
def step(call: Call, m: Parts) -> Value:
    """The next state, and what there is to say of it; Hamiltonian dynamics are integrated in a loop."""
    owner = call.args[0]
    loops = isinstance(owner, Product) and owner.parts[2] not in ("mala", "rmh")
    level = STAGED if loops else DIFFERENTIATED
    _run_density(call, [UNKNOWN], "fori_loop" if loops else "value_and_grad", level, m)
    if isinstance(owner, Product):  # it draws from children of the key
        drawn = m.keys.handed_on(call.get(1, "rng_key"), owner.parts[1:])
        m.consumption.consume(drawn, call.nid, "step")
    before, known = call.get(2, "state"), _states_of(call)
    found = m.core.arrays_level([*call.args[1:], *call.keywords.values()])
    if known is None:
        return Tuple((TracerPytree(found), TracerPytree(found)))
    position = before.items[0] if isinstance(before, Tuple) and before.cls and before.items else None
    return Tuple((_held(*known[0], position, found, m), _held(*known[1], position, found, m)))


def _states_of(call: Call) -> tuple[tuple[str, Fields], tuple[str, Fields]] | None:
    owner = call.args[0]
    return STATES.get(owner.parts[2]) if isinstance(owner, Product) else None


def _held(name: str, fields: Fields, position: Value | None, level: int, m: Parts) -> Tuple:
    """A state of a sampler, or what it says of a step: arrays alone have no slope of their own."""
    tree = TracerPytree(level) if position is None else m.lifting.lower(position, level)
    values = {"array": Array(level & ~DIFFERENTIATED), "tree": tree}
    return m.arrays.named(
        f"blackjax.{name}", {each: values.get(kind, UNKNOWN) for each, kind in fields.items()}
    )


def _run_density(call: Call, args: Iterable[Value], kind: str, level: int, m: Parts) -> None:
    owner = call.args[0]
    func = owner.parts[1] if isinstance(owner, Product) else UNKNOWN
    if isinstance(func, _FUNCTIONS):
        lifted = [m.lifting.lift(each, level) for each in args]
        m.transforms.enter_trace(func, lifted, {}, call.nid, kind, level)
