"""What SciPy's functions do with tracers, beyond those of `scipy.special` and `scipy.linalg`.

In: the public callables of SciPy and a working call of each on host arrays. Out: rows of
`jaxlint/tables/scipy_functions.py`, found by putting a tracer at each parameter that takes numbers.
"""

from __future__ import annotations

import importlib
import inspect
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np
from scipy import stats

from derivation import hosts, names
from derivation.calls import Call, Outcome, narrow
from derivation.levels import LEVELS, at_levels, concrete, errors, raising

Refused = tuple[str, str, str]
Row = tuple[str, tuple[str, ...], tuple[Refused, ...]]

# Arrays that do not suit a function of others make some of these crash: they are called as is written below.
MODULES = tuple(
    f"scipy.{name}" for name in "cluster.vq differentiate integrate interpolate optimize signal".split()
)
FILLED = tuple(f"scipy.{name}" for name in "fft ndimage spatial.distance stats".split())
SECONDS = 10  # that a call may take
VALUES: tuple[Any, ...] = (hosts.VECTOR, np.float32(0.5), 3, hosts.MATRIX)  # of parameters with a default
VECTOR, MATRIX = hosts.VECTOR, hosts.MATRIX
LINE = np.linspace(0.0, 1.0, 8)
CURVE = LINE**2
TWO = np.array([0.25, 0.5])


def _sum(x: Any, *_: Any) -> Any:
    return (x * x).sum()


def _square(x: Any, *_: Any) -> Any:
    return x * x


def _shifted(x: Any, *_: Any) -> Any:
    return x - 0.4


# The functions work on tracers, so that it is SciPy that does not.
_SCALAR = {"f": _shifted, "func": _shifted, "a": 0.0, "b": 1.0}
BY_FUNCTION: dict[str, dict[str, Any]] = {
    "scipy.cluster.vq.kmeans": {"obs": MATRIX, "k_or_guess": 2},
    "scipy.cluster.vq.kmeans2": {"data": MATRIX, "k": MATRIX[:2]},
    "scipy.cluster.vq.vq": {"obs": MATRIX, "code_book": MATRIX},
    "scipy.differentiate.derivative": {"f": _square, "x": 0.5},
    "scipy.differentiate.hessian": {"f": lambda x: (x * x).sum(axis=0), "x": VECTOR},
    "scipy.differentiate.jacobian": {"f": _square, "x": VECTOR},
    "scipy.integrate.BDF": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.DOP853": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.LSODA": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.RK23": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.RK45": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.Radau": {"fun": lambda t, y: -y, "t0": 0.0, "y0": VECTOR, "t_bound": 1.0},
    "scipy.integrate.cumulative_simpson": {"y": CURVE},
    "scipy.integrate.cumulative_trapezoid": {"y": CURVE},
    "scipy.integrate.dblquad": {"func": lambda y, x: x * y, "a": 0.0, "b": 1.0, "gfun": 0.0, "hfun": 1.0},
    "scipy.integrate.fixed_quad": {"func": _square, "a": 0.0, "b": 1.0},
    "scipy.integrate.nquad": {"func": _square, "ranges": [(0.0, 1.0)]},
    "scipy.integrate.odeint": {"func": lambda y, t: -y, "y0": VECTOR, "t": LINE},
    "scipy.integrate.quad": {"func": _square, "a": 0.0, "b": 1.0},
    "scipy.integrate.quad_vec": {"f": _square, "a": 0.0, "b": 1.0},
    "scipy.integrate.romb": {"y": np.ones(5)},
    "scipy.integrate.simpson": {"y": CURVE},
    "scipy.integrate.solve_bvp": {
        "fun": lambda x, y: 0.0 * y, "bc": lambda a, b: np.array([a[0], b[1]]), "x": LINE, "y": np.ones((2, 8)),
    },
    "scipy.integrate.solve_ivp": {"fun": lambda t, y: -y, "t_span": (0.0, 1.0), "y0": VECTOR},
    "scipy.integrate.trapezoid": {"y": CURVE},
    "scipy.interpolate.Akima1DInterpolator": {"x": LINE, "y": CURVE},
    "scipy.interpolate.BSpline": {"t": np.arange(8.0), "c": np.arange(4.0), "k": 3},
    "scipy.interpolate.BarycentricInterpolator": {"xi": LINE},
    "scipy.interpolate.CubicHermiteSpline": {"x": LINE, "y": CURVE, "dydx": 2 * LINE},
    "scipy.interpolate.CubicSpline": {"x": LINE, "y": CURVE},
    "scipy.interpolate.InterpolatedUnivariateSpline": {"x": LINE, "y": CURVE},
    "scipy.interpolate.KroghInterpolator": {"xi": LINE, "yi": CURVE},
    "scipy.interpolate.LSQUnivariateSpline": {"x": LINE, "y": CURVE, "t": [0.5]},
    "scipy.interpolate.LinearNDInterpolator": {"points": [(0, 0), (0, 1), (1, 0), (1, 1)], "values": np.ones(4)},
    "scipy.interpolate.NearestNDInterpolator": {"x": [(0, 0), (0, 1), (1, 0), (1, 1)], "y": np.ones(4)},
    "scipy.interpolate.PPoly": {"c": np.ones((2, 2)), "x": VECTOR},
    "scipy.interpolate.PchipInterpolator": {"x": LINE, "y": CURVE},
    "scipy.interpolate.RBFInterpolator": {"y": LINE[:, None], "d": CURVE},
    "scipy.interpolate.RectBivariateSpline": {"x": LINE, "y": LINE, "z": np.outer(LINE, LINE)},
    "scipy.interpolate.RegularGridInterpolator": {"points": (LINE,), "values": CURVE},
    "scipy.interpolate.UnivariateSpline": {"x": LINE, "y": CURVE},
    "scipy.interpolate.barycentric_interpolate": {"xi": LINE, "yi": CURVE, "x": 0.5},
    "scipy.interpolate.griddata": {
        "points": np.array([(0, 0), (0, 1), (1, 0), (1, 1.0)]), "values": np.ones(4), "xi": np.array([[0.5, 0.5]]),
    },
    "scipy.interpolate.interp1d": {"x": LINE, "y": CURVE},
    "scipy.interpolate.interpn": {"points": (LINE,), "values": CURVE, "xi": VECTOR},
    "scipy.interpolate.krogh_interpolate": {"xi": LINE, "yi": CURVE, "x": 0.5},
    "scipy.interpolate.make_interp_spline": {"x": LINE, "y": CURVE},
    "scipy.interpolate.make_smoothing_spline": {"x": LINE, "y": CURVE},
    "scipy.interpolate.pchip_interpolate": {"xi": LINE, "yi": CURVE, "x": 0.5},
    "scipy.interpolate.splrep": {"x": LINE, "y": CURVE},
    "scipy.ndimage.affine_transform": {"input": MATRIX, "matrix": np.eye(2)},
    "scipy.ndimage.gaussian_filter": {"input": MATRIX, "sigma": 1.0},
    "scipy.ndimage.gaussian_filter1d": {"input": MATRIX, "sigma": 1.0},
    "scipy.ndimage.map_coordinates": {"input": MATRIX, "coordinates": np.ones((2, 3))},
    "scipy.ndimage.median_filter": {"input": MATRIX, "size": 3},
    "scipy.ndimage.rotate": {"input": MATRIX, "angle": 30.0},
    "scipy.ndimage.shift": {"input": MATRIX, "shift": 1.0},
    "scipy.ndimage.zoom": {"input": MATRIX, "zoom": 2.0},
    "scipy.optimize.basinhopping": {"func": _sum, "x0": VECTOR, "niter": 1},
    "scipy.optimize.bisect": _SCALAR,
    "scipy.optimize.brent": {"func": _square},
    "scipy.optimize.brenth": _SCALAR,
    "scipy.optimize.brentq": _SCALAR,
    "scipy.optimize.curve_fit": {"f": lambda x, a: a * x, "xdata": LINE, "ydata": CURVE},
    "scipy.optimize.differential_evolution": {"func": _sum, "bounds": [(0.0, 1.0)], "maxiter": 1},
    "scipy.optimize.fixed_point": {"func": lambda x: 0.5 * x, "x0": VECTOR},
    "scipy.optimize.fmin": {"func": _sum, "x0": VECTOR, "disp": False},
    "scipy.optimize.fmin_bfgs": {"f": _sum, "x0": VECTOR, "disp": False},
    "scipy.optimize.fmin_cg": {"f": _sum, "x0": VECTOR, "disp": False},
    "scipy.optimize.fmin_l_bfgs_b": {"func": _sum, "x0": VECTOR, "approx_grad": True},
    "scipy.optimize.fminbound": {"func": _square, "x1": -1.0, "x2": 1.0},
    "scipy.optimize.fsolve": {"func": _shifted, "x0": VECTOR},
    "scipy.optimize.golden": {"func": _square},
    "scipy.optimize.least_squares": {"fun": _shifted, "x0": VECTOR},
    "scipy.optimize.leastsq": {"func": _shifted, "x0": VECTOR},
    "scipy.optimize.linear_sum_assignment": {"cost_matrix": MATRIX},
    "scipy.optimize.linprog": {"c": VECTOR},
    "scipy.optimize.lsq_linear": {"A": MATRIX, "b": VECTOR},
    "scipy.optimize.minimize": {"fun": _sum, "x0": VECTOR},
    "scipy.optimize.minimize_scalar": {"fun": _square},
    "scipy.optimize.newton": {"func": _shifted, "x0": 0.5},
    "scipy.optimize.nnls": {"A": MATRIX, "b": VECTOR},
    "scipy.optimize.ridder": _SCALAR,
    "scipy.optimize.root": {"fun": _shifted, "x0": VECTOR},
    "scipy.optimize.root_scalar": {"f": _shifted, "bracket": (0.0, 1.0)},
    "scipy.optimize.toms748": _SCALAR,
    "scipy.signal.butter": {"N": 2, "Wn": 0.5},
    "scipy.signal.convolve": {"in1": LINE, "in2": LINE},
    "scipy.signal.convolve2d": {"in1": MATRIX, "in2": MATRIX},
    "scipy.signal.correlate": {"in1": LINE, "in2": LINE},
    "scipy.signal.correlate2d": {"in1": MATRIX, "in2": MATRIX},
    "scipy.signal.decimate": {"x": np.ones(64), "q": 2},
    "scipy.signal.detrend": {"data": LINE},
    "scipy.signal.fftconvolve": {"in1": LINE, "in2": LINE},
    "scipy.signal.hilbert": {"x": LINE},
    "scipy.signal.medfilt": {"volume": LINE},
    "scipy.signal.oaconvolve": {"in1": LINE, "in2": LINE},
    "scipy.signal.periodogram": {"x": LINE},
    "scipy.signal.welch": {"x": LINE},
    "scipy.signal.filtfilt": {"b": [1.0], "a": [1.0], "x": LINE},
    "scipy.signal.find_peaks": {"x": LINE},
    "scipy.signal.firwin": {"numtaps": 3, "cutoff": 0.5},
    "scipy.signal.lfilter": {"b": VECTOR, "a": VECTOR, "x": LINE},
    "scipy.signal.resample": {"x": LINE, "num": 4},
    "scipy.signal.savgol_filter": {"x": LINE, "window_length": 3, "polyorder": 1},
    "scipy.signal.sosfilt": {"sos": np.array([[1.0, 0, 0, 1, 0, 0]]), "x": LINE},
    "scipy.spatial.distance.cdist": {"XA": MATRIX, "XB": MATRIX},
    "scipy.spatial.distance.mahalanobis": {"u": VECTOR, "v": VECTOR, "VI": MATRIX},
    "scipy.spatial.distance.pdist": {"X": MATRIX},
}  # fmt: skip


def public_callables() -> Iterator[tuple[str, Any]]:
    for path in (*MODULES, *FILLED):
        module = importlib.import_module(path)
        for name in sorted(getattr(module, "__all__", None) or vars(module)):
            value = getattr(module, name, None)
            is_test = name.startswith("_") or name in ("test", "show_options")
            if is_test or not callable(value) or inspect.ismodule(value):
                continue
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            # Distributions are objects, of which the methods are called.
            if isinstance(value, (stats.rv_continuous, stats.rv_discrete)) or hasattr(value, "rvs"):
                continue
            yield f"{path}.{name}", value


def table() -> dict[str, Row]:
    """Rows by name, those of what objects do where they are called too. Functions of which no call is run
    have none."""
    state = np.random.get_state()
    rows: dict[str, Row] = {}
    for name, function in public_callables():
        np.random.seed(0)
        with limited():
            call = working_call(name, function, names.parameters_of(function))
        if call is None:
            continue
        made = call.concrete().value
        is_object = isinstance(function, type) or type(made).__module__.startswith("scipy.interpolate")
        result = "object" if is_object else hosts.host_word(made)
        rows[name] = (result, names.spelled(call.parameters), tuple(refused(call)))
        if is_object and callable(made) and (own := called(name, made)) is not None:
            rows[f"{name}.__call__"] = own
    np.random.set_state(state)
    return rows


def called(name: str, made: Any) -> Row | None:
    """What an object does where it is called."""
    parameters = names.parameters_of(made)
    with limited():
        call = working_call(f"{name}.__call__", made, parameters)
    if call is None:
        return None
    return hosts.host_word(call.concrete().value), names.spelled(parameters), tuple(refused(call))


def working_call(name: str, function: Any, parameters: dict[str, inspect.Parameter]) -> Call | None:
    own = BY_FUNCTION.get(name)
    if own is None:
        is_filled = name.rpartition(".")[0] in FILLED or name.endswith(".__call__")
        return hosts.working_call(name, function, parameters) if is_filled else None
    call = Call(function, parameters, own)
    return call if call.concrete().error is None else None


def refused(call: Call) -> Iterator[Refused]:
    """The parameters that must not be traced: with the kinds of tracer that raise, and the errors. Those with a
    default are tried with several values, and have to raise with each that works."""
    for name, parameter in call.parameters.items():
        kind = parameter.kind
        if name == "workers":
            continue  # it starts processes
        if name in call.arguments:
            values = (call.arguments[name],)
        elif kind in hosts.POSITIONAL_KINDS or kind is inspect.Parameter.KEYWORD_ONLY:
            values = () if isinstance(parameter.default, (bool, str)) else VALUES
        else:
            continue
        outcomes = [each for value in values if (each := outcomes_of(call, name, value)) is not None]
        levels = "".join(
            each for each in LEVELS if outcomes and all(each in raising(one) for one in outcomes)
        )
        if levels:
            yield name, levels, errors({level: outcomes[0][level] for level in levels})


def outcomes_of(call: Call, name: str, value: Any) -> dict[str, Outcome] | None:
    """What happens at each level where the numbers of one argument are a tracer; None where the call does not
    work with an array of JAX."""
    leaves = [leaf for leaf in jax.tree.leaves(value) if hosts.is_number(leaf)]
    if not leaves:
        return None
    with limited():
        traced = np.asarray(leaves[0])
        traced = traced.astype(narrow(traced.dtype))
        operation = hosts.put(call.replaced(**{name: value}), name)
        if concrete(operation, traced).error is not None:
            return None
        outcomes = at_levels(operation, traced)
        return None if any(isinstance(each.error, TooLong) for each in outcomes.values()) else outcomes


class TooLong(Exception):
    """A call takes longer than it may."""


@contextmanager
def limited() -> Iterator[None]:
    """What takes longer raises where it is."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise TooLong

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
