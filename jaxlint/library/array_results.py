"""The dtype, the rank and the level of the arrays that functions of JAX and NumPy give back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

from jaxlint.analysis.core import Core
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.numpy_memory import view_of
from jaxlint.domain.join import SHAPE, MutableContainer, Tuple
from jaxlint.domain.key_tokens import COUNTED
from jaxlint.domain.literals import (
    DTYPES,
    dtype_of,
    element_dtype,
    has_none,
    literal_ndim,
    ndim_of,
    widest,
)
from jaxlint.domain.objects import Class
from jaxlint.domain.values import (
    ANY,
    DIFFERENTIATED,
    DTYPE,
    INT,
    LIMITS,
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    NumPyArray,
    Product,
    Static,
    Value,
)
from jaxlint.library.library_classes import named_tuple

_KINDS = {"bool": "b", "int": "i", "float": "f", "complex": "c"}
_REDUCTIONS = frozenset(
    "sum mean max min prod std var any all argmax argmin amax amin ptp nansum nanmean nanmax nanmin "
    "median count_nonzero average".split()
)
_SAME_SHAPE = frozenset(
    "exp log sin cos tanh abs absolute sqrt square sign floor ceil round negative logical_not isnan "
    "isfinite isinf relu sigmoid gelu softmax log_softmax clip nan_to_num astype zeros_like ones_like "
    "full_like sort cumsum cumprod flip roll log1p expm1 softplus silu elu conj real imag".split()
)
_FLAT_PART = {"jax.numpy.divmod": 0, "jax.numpy.modf": 1}  # which of the results


def counted_by(args: Sequence[Value], keywords: Mapping[str, Value]) -> Hashable:
    """What `arange` counts, wherever it ends: where it begins, and its step; None where it is not known."""
    first: Value = Const(0)
    if len(args) > 1 or "stop" in keywords or "start" in keywords:
        first = args[0] if args else keywords.get("start", first)
    step = args[2] if len(args) > 2 else keywords.get("step", Const(1))
    known = [each.value for each in (first, step) if isinstance(each, Const) and type(each.value) is int]
    return (COUNTED, tuple(known)) if len(known) == 2 else None


def folded(value: Value, type_: str) -> Value | None:
    """What a sum over lanes makes of a number or a NumPy array; None for what is traced or not known."""
    if isinstance(value, NumPyArray):
        return NumPyArray()
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Static(type_ or type(value.value).__name__)
    if isinstance(value, Static) and value.type in ("int", "float"):
        return Static(type_ or value.type)
    return None


class ArrayResults:
    """What functions of arrays give back."""

    def __init__(self, flow: FlowState, core: Core) -> None:
        self.flow = flow
        self.core = core
        self._classes: dict[str, Class] = {}  # of the named tuples that functions give, by the function

    def compared(self, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> set[int | str]:
        """The arguments, arrays each, of which NumPy takes the truth of a comparison: by place or name."""
        places = _COMPARED.get(name)
        if places is None:
            return set()
        if name == "numpy.eye" and len(args) < 2 and "M" not in keywords:
            places |= {0, "N"}
        given: list[tuple[int | str, Value]] = [*enumerate(args), *keywords.items()]
        return {place for place, value in given if place in places and isinstance(value, Array)}

    def of_arrays(self, name: str, result: str, array: Array, nid: int) -> Value:
        """Several arrays, as the table says: a tuple of as many, a named tuple, a list."""
        level = array.level
        if result == "tuple:*":
            return Tuple(None, array)
        if result.startswith("tuple:"):
            parts = [Array(level, "?")] * int(result[6:])
            if name in _FLAT_PART:
                parts[_FLAT_PART[name]] = Array(level & ~DIFFERENTIATED, "?")
            return Tuple(tuple(parts))
        if result.startswith("namedtuple:"):
            fields = result.removeprefix("namedtuple:").split(",")
            return self.named(name, dict.fromkeys(fields, Array(level, "?")))
        if result == "list":
            box = self.core.box("list", nid, name)
            box.items = None
            box.elem = array
            return box
        return UNKNOWN

    def named(self, name: str, fields: Mapping[str, Value]) -> Tuple:
        """A named tuple that a function of a library gives."""
        if name not in self._classes:
            self._classes[name] = named_tuple(name, [*fields])
        return Tuple(tuple(fields.values()), cls=self._classes[name])

    def dtype(
        self, rule: str, name: str, params: tuple[str, ...], args: list[Value], keywords: dict[str, Value]
    ) -> str:
        given = keywords.get("dtype")
        if given is None and "dtype" in params:
            position = params.index("dtype")
            if "*" not in params[:position] and position < len(args):
                given = args[position]
        if given is not None and given != NONE:
            return dtype_of(given)
        last = name.rpartition(".")[2]
        if last in ("array", "asarray", "full", "arange", "linspace", "stack", "concatenate") and args:
            if last == "linspace":
                return "f"
            source = args[1] if last == "full" and len(args) > 1 else args[0]
            if last == "full":
                source = keywords.get("fill_value", source)
            return element_dtype(source) if last != "arange" else widest(args)
        if rule in _KINDS:
            return _KINDS[rule]
        if rule == "key":
            return "k"
        first = next((each for each in args if not isinstance(each, Const) or each.value is not None), None)
        if first is None:
            return "?"
        if rule == "same":
            return element_dtype(first)
        broadest = widest(args)
        if rule == "promote":
            return broadest
        if rule == "number":
            return "i" if broadest == "b" else broadest
        if rule == "inexact":
            return "f" if broadest in "bif" else broadest
        if rule == "real":
            return "f" if broadest == "c" else broadest
        return "?"

    def ndim(self, last: str, args: list[Value], keywords: dict[str, Value]) -> int | None:
        if last in _REDUCTIONS:
            if len(args) == 1 and "axis" not in keywords and "keepdims" not in keywords:
                return 0
            return None
        if last in ("zeros", "ones", "empty", "full"):
            shape = keywords.get("shape", args[0] if args else None)
            if isinstance(shape, Tuple) and shape.items is not None:
                return len(shape.items)
            if isinstance(shape, Const) and isinstance(shape.value, int):
                return 1
            return 1 if shape == INT else None
        if last == "arange" or last == "ravel":
            return 1
        if last in ("linspace", "geomspace", "logspace"):
            return 1
        if last == "eye" or last == "identity" or last == "outer":
            return 2
        if last in ("array", "asarray") and args:
            return literal_ndim(args[0])
        if last in _SAME_SHAPE and args:
            return ndim_of(args[0])
        if last in ("normal", "uniform", "bits"):
            if len(args) == 1 and "shape" not in keywords:
                return 0
            shape = keywords.get("shape", args[1] if len(args) > 1 else None)
            if isinstance(shape, Tuple) and shape.items is not None:
                return len(shape.items)
        return None

    def of_numpy(self, name: str, args: list[Value], keywords: dict[str, Value], level: int) -> Value:
        last = name.rpartition(".")[2]
        if name.startswith("scipy.") and (found := _of_scipy(name)) is not None:
            return found
        if last in ("ndim", "size"):
            return INT
        if last == "shape":
            return SHAPE
        if last in ("finfo", "iinfo"):
            return LIMITS
        if last in _NUMPY_STATIC:
            return ANY
        if name == "numpy.random.default_rng" or last in ("RandomState", "Generator"):
            seeded = any(each != NONE for each in (*args, *keywords.values()))
            kind = "RandomState" if last == "RandomState" else "Generator"
            return Product("generator", f"numpy.random.{kind}", self.flow.context.depth, seeded)
        if last in DTYPES and not args:
            return DTYPE
        if args and isinstance(args[0], MutableContainer) and args[0].kind in ("dict", "set"):
            return UNKNOWN  # one object to NumPy: a reduction gives it back, an array of it may hold tracers
        through = numpy_through(name)
        if through == "array" and level:
            return self.core.made(
                args, self.dtype("?", name, (), args, keywords), self.ndim(last, args, keywords)
            )
        if through == "array" and args and isinstance(args[0], Array):
            return self.core.made(args)
        view = view_of(name, args, keywords, self.ndim(last, args, keywords))
        if view is not None:
            return view
        place = _DTYPE_PLACES.get(last, len(args))
        given = keywords.get("dtype", args[place] if place < len(args) else NONE)
        entries = args[_ENTRIES[last] :][:1] if last in _ENTRIES else []
        if given in _OBJECTS or any(map(has_none, entries)):
            return UNKNOWN  # entries may be anything, tracers too
        dtype = dtype_of(given)
        if given == NONE and last in _FLOATS:
            dtype = "f"
        if dtype == "?" and last in DTYPES:
            dtype = DTYPES[last]
        if dtype == "?" and last in ("array", "asarray") and args:
            dtype = element_dtype(args[0])
        if dtype == "?" and last in _BOOLEAN:
            dtype = "b"
        if last in ("nonzero", "where", "unravel_index", "meshgrid", "broadcast_arrays") and (
            last != "where" or len(args) == 1
        ):
            return Tuple(None, NumPyArray())
        if last in ("split", "array_split", "atleast_1d") and last != "atleast_1d":
            return Tuple(None, NumPyArray())
        return NumPyArray(dtype, self.ndim(last, args, keywords))


# the arguments that these functions compare in Python, which in staged code makes a tracer of any array
_COMPARED: dict[str, frozenset[int | str]] = {
    "numpy.arange": frozenset((0, 1, 2, "start", "stop", "step")),
    "numpy.eye": frozenset((1, "M")), "numpy.identity": frozenset((0, "n")),
    "numpy.tri": frozenset((0, 1, "N", "M")), "numpy.tile": frozenset((1, "reps")),
    "numpy.tril_indices": frozenset((0, "n")), "numpy.triu_indices": frozenset((0, "n")),
    "numpy.diag_indices": frozenset((0, "n")),
}  # fmt: skip
# where NumPy's functions take the dtype
_DTYPE_PLACES = {
    "zeros": 1, "ones": 1, "empty": 1, "full": 2, "array": 1, "asarray": 1,
    "zeros_like": 1, "ones_like": 1, "empty_like": 1, "full_like": 2,
}  # fmt: skip
_ENTRIES = {"array": 0, "asarray": 0, "full": 1}  # and the entries
_FLOATS = frozenset(("zeros", "ones", "empty"))
_OBJECTS = (External("builtins.object"), External("numpy.object_"), Const("object"), Const("O"))


def numpy_through(name: str) -> str:
    """`array` where a NumPy function given a JAX array passes the work on to it."""
    from jaxlint.tables import numpy_functions

    row = numpy_functions.NUMPY.get(name)
    return row[2] if row is not None else ""


def _of_scipy(name: str) -> Value | None:
    """What a function of SciPy gives that is no single array: an object that can be called has a name of its
    own, which is that of its method."""
    from jaxlint.tables import numpy_functions, scipy_functions

    row = scipy_functions.SCIPY.get(name)
    if row is None:
        is_listed = name in numpy_functions.NUMPY or name.startswith("scipy.stats.")
        return None if is_listed else UNKNOWN
    result = row[0]
    if result == "object":
        method = f"{name}.__call__"
        return External(method) if method in scipy_functions.SCIPY else UNKNOWN
    if result.startswith("hosts:"):
        count = result.removeprefix("hosts:")
        return Tuple(None, NumPyArray()) if count == "*" else Tuple((NumPyArray(),) * int(count))
    return UNKNOWN if result in ("?", "function", "none") or result.startswith("namedtuple") else None


_NUMPY_STATIC = frozenset(
    "dtype issubdtype result_type promote_types can_cast isscalar iscomplexobj isrealobj "
    "broadcast_shapes min_scalar_type printoptions set_printoptions allclose array_equal may_share_memory "
    "errstate seterr index_exp s_".split()
)
_BOOLEAN = frozenset(
    "logical_and logical_or logical_not isnan isfinite isinf isin greater less equal not_equal any all "
    "greater_equal less_equal isclose triu_mask".split()
)
