"""What calls of JAX, NumPy, the standard library and a few frameworks give back.

The facts are the tables in `jaxlint/tables`, made by running the libraries; this reads them and
tells the rules of every such call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jaxlint.analysis import transforms
from jaxlint.analysis.events import Call as CallEvent
from jaxlint.analysis.feature_guards import ASKED_NAMES, OWN_VERSION
from jaxlint.analysis.trace_cache import EVERY
from jaxlint.analysis.transforms import RUNNERS, WRAPPERS, Call
from jaxlint.domain.literals import (
    DTYPES,
    dtype_of,
    element_dtype,
    has_none,
    literal_ndim,
    ndim_of,
    where_dtype,
    widest,
)
from jaxlint.domain.tokens import FLATTEN
from jaxlint.domain.values import (
    ANY,
    BATCHED,
    DIFFERENTIATED,
    DTYPE,
    GRAPHDEF,
    INT,
    NONE,
    SHAPE,
    STAGED,
    UNKNOWN,
    Array,
    Bound,
    Class,
    Const,
    External,
    FeatureProbe,
    Function,
    Key,
    MutableContainer,
    NumPyArray,
    Partial,
    Product,
    Static,
    TracerPytree,
    Transformed,
    Tuple,
    Unknown,
    Value,
    VariableRef,
    from_shape,
    join_all,
    level_of,
    options_of,
)
from jaxlint.library.builtin import ARRAY_CLASSES, BUILTINS
from jaxlint.library.framework_layers import (
    ARRAYS,
    DRAWS,
    LAYERS,
    NO_STREAMS,
    PARAMETERS,
    QUIET,
    SCHEDULES,
    STATELESS,
    VARIABLES,
)
from jaxlint.library.framework_modules import Modules
from jaxlint.library.iteration import HANDLERS
from jaxlint.library.self_hosting import published
from jaxlint.tables.jax_functions import ALIASES, FORMER, FUNCTIONS

CONSTANTS: dict[str, Value] = {
    "jax.numpy.pi": Const(3.141592653589793), "numpy.pi": Const(3.141592653589793),
    "math.pi": Const(3.141592653589793), "jax.numpy.e": Const(2.718281828459045),
    "numpy.e": Const(2.718281828459045), "math.e": Const(2.718281828459045),
    "jax.numpy.inf": Const(float("inf")), "numpy.inf": Const(float("inf")),
    "math.inf": Const(float("inf")), "jax.numpy.nan": Const(float("nan")),
    "numpy.nan": Const(float("nan")), "math.nan": Const(float("nan")),
    "jax.numpy.newaxis": NONE, "numpy.newaxis": NONE,
}  # fmt: skip
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
# collectives over a mapped axis: their result is the same for all of its lanes
_ACROSS_LANES = frozenset(f"jax.lax.{name}" for name in ("psum", "pmean", "pmax", "pmin", "all_gather"))
# those that give a number for a number: how many lanes there are is known while tracing
_FOLDED = {"jax.lax.psum": "", "jax.lax.pmean": "float"}
_SHAPE_ONLY = frozenset(f"jax.numpy.{name}_like" for name in ("zeros", "ones", "full", "empty"))
# functions of one pytree that give back the leaves that they are given, and those that leave NumPy's arrays
# to NumPy: tests/test_api_table.py finds both by running JAX
GIVEN_BACK = frozenset(("jax.block_until_ready", "jax.copy_to_host_async"))
KEPT_ON_HOST = frozenset(("jax.lax.stop_gradient",))
# what has no slope: where only a gradient is traced it gives the value itself
_FLAT = frozenset(
    ["jax.lax.stop_gradient", "jax.scipy.special.gammasgn"]
    + [f"jax.lax.{name}" for name in ("ceil", "floor", "round", "sign")]
    + [
        f"jax.numpy.{name}"
        for name in ("around", "ceil", "fix", "floor", "floor_divide", "rint", "round", "sign", "trunc")
    ]
)
# of one array these give one, of several a list
_ONE_OR_MORE = frozenset(("atleast_1d", "atleast_2d", "atleast_3d"))
_FLAT_PART = {"jax.numpy.divmod": 0, "jax.numpy.modf": 1}  # which of the results
_VIEWS = frozenset(("jax.numpy.asarray", "jax.numpy.reshape", "jax.numpy.ravel", "jax.numpy.astype"))


# what functions give that make no array of JAX, by the word of the table, and some by their names
_OF_NO_ARRAY = {"static": ANY, "dtype": DTYPE, "none": NONE, "function": UNKNOWN, "host": UNKNOWN}
_STATIC = {
    **dict.fromkeys(("dtype", "result_type", "promote_types"), DTYPE),
    **dict.fromkeys(("ndim", "size"), INT),
    "shape": SHAPE,
}


class Library(Modules):
    """Calls of what the project does not define."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._known: dict[str, Value] = {}
        self.published = published(
            self.world, (*_PUBLISHED, *self.taught.jit_wrappers, *self.taught.key_sinks)
        )
        self._special: dict[str, Callable[[Call], Value]] = {
            name: getattr(self, method) for name, method in SPECIAL.items()
        }
        for name, method in (*RUNNERS.items(), *HANDLERS.items()):
            self._special[name] = getattr(self, method)

    # ---- names

    def external(self, name: str) -> Value:
        found = self._known.get(name)
        if found is None:
            found = self._external("jax.jit" if name in self.taught.jit_wrappers else name)
            self._known[name] = found
        return found

    @staticmethod
    def _external(name: str) -> Value:
        if name.startswith("typing_extensions."):
            name = name.replace("_extensions", "", 1)
        canonical = transforms.ALIASES.get(name) or ALIASES.get(name) or FORMER.get(name) or name
        constant = CONSTANTS.get(canonical)
        if constant is not None:
            return constant
        how = ASKED_NAMES.get(name) or ASKED_NAMES.get(name.rpartition(".")[2])
        return FeatureProbe("any", how, own=name in OWN_VERSION) if how else External(canonical, name)

    def builtin(self, name: str) -> Value:
        for star in self.module.stars:
            if isinstance(star, External) and f"{star.name}.{name}" in FUNCTIONS:
                return self.external(f"{star.name}.{name}")
        if name in BUILTINS:
            return self.external(f"builtins.{name}")
        return UNKNOWN

    # ---- dispatch

    def call_external(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        level = STAGED if self.context.staged and self.compared(name, args, keywords) else 0
        for value in args:
            level |= level_of(value)
        for value in keywords.values():
            level |= level_of(value)
        always, traced = self.call_hooks.of(name)
        if (always or (level and traced)) and not self.silent and name not in _IDENTIFIERS:
            self.emit_call(CallEvent(nid, self.frame, name, args, keywords, None, level, exact))
        if name in WRAPPERS:
            return self.wrap(name, args, keywords, nid, exact)
        root = name.partition(".")[0]
        special = self._special.get(name)
        if special is not None:
            result = special(Call(name, args, keywords, nid, exact))
        elif root == "jax":
            result = self._jax(name, args, keywords, nid)
        elif root in ("numpy", "scipy"):
            result = self._numpy(name, args, keywords, level)
        elif root == "math":
            result = _math(name, args)
        elif root == "builtins":
            result = self._builtin_call(name[9:], args, keywords, nid, exact)
        else:
            result = self._other(name, args, keywords, nid)
        if root != "jax" and isinstance(result, (Unknown, Static)):
            result = self._asked(name, args, result)
        if root == "jax" and self.context.staged and level_of(result) and not name.startswith(_TREE):
            self.frame.operations += 1
        self.last_called = (name, None)
        return result

    def compared(self, name: str, args: Sequence[Value], keywords: Mapping[str, Value]) -> set[int | str]:
        """The arguments, arrays each, of which NumPy takes the truth of a comparison: by place or name."""
        places = _COMPARED.get(name)
        if places is None:
            return set()
        if name == "numpy.eye" and len(args) < 2 and "M" not in keywords:
            places |= {0, "N"}
        given: list[tuple[int | str, Value]] = [*enumerate(args), *keywords.items()]
        return {place for place, value in given if place in places and isinstance(value, Array)}

    def _asked(self, name: str, args: list[Value], result: Value) -> Value:
        """What a call gives back that asks a library, or is handed an answer."""
        if name in _VERSION_OF:
            return FeatureProbe("any", _VERSION_OF[name])
        if name in _CONTENTS_OF and args and all(isinstance(each, External) for each in options_of(args[0])):
            return FeatureProbe("any", "name")
        return result if isinstance(result, FeatureProbe) else self.answer(args, result)

    # ---- jax

    def _jax(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        row = FUNCTIONS.get(name)
        if row is None:
            return self._unlisted(name, args, keywords, nid)
        last = name.rpartition(".")[2]
        result, dtype_rule, params, _, _, key = row
        if name.startswith("jax.random.") and key:
            value = keywords.get(key, args[0] if args else None)
            self.consume(value, nid, last)
        operands = [*args, *keywords.values()]
        if result in _OF_NO_ARRAY:
            return _of_no_array(result, name, operands)
        if last in _ONE_OR_MORE and len(args) == 1:
            result = "?" if isinstance(args[0], Product) else "array"
        level = self.arrays_level(operands)
        if name in _SHAPE_ONLY:
            level = self.arrays_level(operands[1:])
        elif name in _FLAT:
            level &= ~DIFFERENTIATED
        if name in _FOLDED and args:
            folded = _folded(args[0], _FOLDED[name])
            if folded is not None:
                return folded
        if name in _ACROSS_LANES:
            level &= ~BATCHED
        dtype = self._dtype(dtype_rule, name, params, args, keywords)
        if name in _VIEWS and args and isinstance(args[0], Array) and dtype in ("?", args[0].dtype):
            level = level_of(args[0])
        ndim = self._ndim(last, args, keywords)
        if result == "array" or (result == "tuple:*" and last == "where" and len(args) + len(keywords) > 1):
            if dtype == "k":
                return Key(self.fresh(), level)
            shape = self.context.staged and from_shape(operands)
            return Array(level, dtype if last != "where" else where_dtype(args), ndim, shape)
        if result == "tree":
            return self._tree_of(name, args[0] if args else None, level)
        return self._of_arrays(name, result, Array(level, dtype), nid)

    def _unlisted(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """What a function gives that the table lacks: one that is gone, a dtype's name, or an unknown one."""
        last = name.rpartition(".")[2]
        if name in _REMOVED_SAMPLERS and (args or "key" in keywords):
            self.consume(keywords.get("key", args[0] if args else None), nid, last)
            return self.made([*args, *keywords.values()])
        if last in DTYPES and args:
            shape = self.context.staged and from_shape(args)
            return Array(self.arrays_level(args), DTYPES[last], ndim_of(args[0]), shape)
        self.escape(args, keywords)
        return UNKNOWN

    def _of_arrays(self, name: str, result: str, array: Array, nid: int) -> Value:
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
            return Tuple((Array(level, "?"),) * (result.count(",") + 1))
        if result == "list":
            box = self.box("list", nid, name)
            box.items = None
            box.elem = array
            return box
        return UNKNOWN

    def _tree_of(self, name: str, target: Value | None, level: int) -> Value:
        """What a function gives that maps the leaves of a pytree."""
        if target is None:
            return TracerPytree(level)
        if name in GIVEN_BACK:
            return target
        if name in KEPT_ON_HOST and not self.context.staged:
            return self._kept_on_host(target, level)
        if isinstance(target, (Array, NumPyArray)):
            return Array(level, target.dtype, target.ndim)
        return self.lower(target, level)

    def _kept_on_host(self, value: Value, level: int) -> Value:
        """What a function of `KEPT_ON_HOST` gives outside of staged code: NumPy's arrays stay such, or become
        JAX's in older versions; Python's numbers stay numbers."""
        if isinstance(value, Tuple) and value.items is not None:
            return Tuple(tuple([self._kept_on_host(each, level) for each in value.items]), cls=value.cls)
        if isinstance(value, (Const, Static)):
            return value
        return UNKNOWN if isinstance(value, NumPyArray) else self.lower(value, level)

    def _dtype(
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

    def _ndim(self, last: str, args: list[Value], keywords: dict[str, Value]) -> int | None:
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

    def f_random_source(self, call: Call) -> Value:
        return self.random_source(call.args, call.nid)

    def f_random_split(self, call: Call) -> Value:
        return self.random_split(call.get(0, "key"), call.get(1, "num"), call.nid)

    def f_random_fold(self, call: Call) -> Value:
        return self.random_fold(call.get(0, "key"), call.get(1, "data"))

    def f_random_clone(self, call: Call) -> Value:
        return Key(self.fresh(), self.arrays_level(call.args))

    def f_random_read(self, call: Call) -> Value:
        return self.made(call.args, "i")

    def f_tree_map(self, call: Call) -> Value:
        func, tree = call.get(0, "f"), call.get(1, "tree")
        if func is None or tree is None:
            return UNKNOWN
        leaves = [self.leaf_of(each) for each in call.args[1:]]
        if "is_leaf" in call.keywords:
            leaves = [UNKNOWN for _ in leaves]
        if call.name.endswith("_with_path"):
            leaves.insert(0, UNKNOWN)
        self.frame.loop += 1
        spent = self.env.vars.get("$spent")
        rounds = len(self.rounds)
        self.rounds.append(((self.module, call.nid), "tree_map", 0))
        result = self.call(func, leaves, {}, call.nid)
        self.rounds[rounds:] = [((self.module, call.nid), "tree_map", 1)]
        if self.env.vars.get("$spent") is not spent and _has_leaves(tree):
            self.leafwise = True
            self.call(func, [self.fresh_copy(leaf) for leaf in leaves], {}, call.nid)
            self.leafwise = False
        del self.rounds[rounds:]
        self.frame.loop -= 1
        if isinstance(tree, (Array, NumPyArray)) and isinstance(result, (Array, NumPyArray)):
            return result  # a single leaf
        if isinstance(tree, (Const, Static)) and tree not in (NONE, ANY):
            return result
        return TracerPytree(result.level) if isinstance(result, Array) else UNKNOWN

    def leaf_of(self, value: Value) -> Value:
        """What one leaf of a pytree is."""
        if isinstance(value, TracerPytree):
            return Array(value.level)
        if isinstance(value, (Array, NumPyArray, Key)):
            return value
        if isinstance(value, Tuple):
            if value.items is None:
                return self.leaf_of(value.elem)
            return join_all(self.leaf_of(item) for item in value.items)
        if isinstance(value, MutableContainer):
            return self.leaf_of(value.each())
        if isinstance(value, (Const, Static)):
            return value if value != NONE else UNKNOWN
        return UNKNOWN

    def f_tree_leaves(self, call: Call) -> Value:
        tree = call.get(0, "tree")
        box = self.box("list", call.nid, "leaves")
        box.items = None
        box.elem = UNKNOWN if tree is None else self.leaf_of(tree)
        return box

    def f_tree_reduce(self, call: Call) -> Value:
        func, tree = call.get(0, "function"), call.get(1, "tree")
        if func is None or tree is None:
            return UNKNOWN
        leaf = self.leaf_of(tree)
        start = call.args[2] if len(call.args) > 2 else call.keywords.get("initializer", leaf)
        return self.call(func, [join_all((start, leaf)) if start != leaf else leaf, leaf], {}, call.nid)

    def f_tree_flatten(self, call: Call) -> Value:
        return Tuple((self.f_tree_leaves(call), Product("opaque", "treedef")))

    def f_context(self, call: Call) -> Value:
        return Product("context", _CONTEXTS[call.name])

    def f_leafless(self, call: Call) -> Value:
        """A pytree without leaves: no transform makes a tracer of it."""
        return Tuple(())

    def f_nnx_split(self, call: Call) -> Value:
        """The definition of a graph, which has no leaves, and a state for each filter."""
        if not call.exact or call.keywords:
            return UNKNOWN
        return Tuple((GRAPHDEF, *(UNKNOWN for _ in range(max(1, len(call.args) - 1)))))

    def f_partition_spec(self, call: Call) -> Value:
        return Product("spec", *call.args)

    def f_nullcontext(self, call: Call) -> Value:
        return Product("nullcontext", call.get(0, "enter_result") or NONE)

    def f_new_ref(self, call: Call) -> Value:
        return Product("ref")

    def f_devices(self, call: Call) -> Value:
        box = self.box("list", call.nid, call.name)
        box.items, box.elem = None, Product("device")
        return box

    def f_register_class(self, call: Call) -> Value:
        cls = call.get(0, "cls") or call.get(0, "nodetype")
        if isinstance(cls, Class):
            cls.marks.add("pytree")
            if not call.name.endswith(("dataclass", "static")):
                cls.marks.add("flattened")
            flatten = call.get(1, "flatten_func")
            if isinstance(flatten, Function):
                cls.attributes[FLATTEN] = flatten
            meta = call.get(2, "meta_fields")
            names = self.known_items(meta) if meta is not None and "dataclass" in call.name else None
            for name in names or ():
                if isinstance(name, Const) and isinstance(name.value, str):
                    default = cls.fields.get(name.value, (None, False))[0]
                    cls.fields[name.value] = (default, True)
            if call.name.endswith("register_static"):
                cls.marks.add("static")
            return cls
        return Partial(External(call.name), (), tuple(call.keywords.items())) if cls is None else UNKNOWN

    def f_generator(self, call: Call) -> Value:
        return Product("generator", call.name, self.context.depth, bool(call.args))

    def f_is_concrete(self, call: Call) -> Value:
        """A tracer of a gradient alone has a value."""
        value = call.get(0, "x") or UNKNOWN
        level = level_of(value)
        if not level:
            return Static("bool")
        self.see_tracer(value)
        return Const(not level & (STAGED | BATCHED))

    def f_device_get(self, call: Call) -> Value:
        value = call.get(0, "x")
        return NumPyArray() if isinstance(value, Array) and not value.level else UNKNOWN

    # ---- numpy, math

    def _numpy(self, name: str, args: list[Value], keywords: dict[str, Value], level: int) -> Value:
        last = name.rpartition(".")[2]
        if last in ("ndim", "size"):
            return INT
        if last == "shape":
            return SHAPE
        if last in _NUMPY_STATIC:
            return ANY
        if name == "numpy.random.default_rng" or last in ("RandomState", "Generator"):
            seeded = any(each != NONE for each in (*args, *keywords.values()))
            kind = "RandomState" if last == "RandomState" else "Generator"
            return Product("generator", f"numpy.random.{kind}", self.context.depth, seeded)
        if last in DTYPES and not args:
            return DTYPE
        if args and isinstance(args[0], MutableContainer) and args[0].kind in ("dict", "set"):
            return UNKNOWN  # one object to NumPy: a reduction gives it back, an array of it may hold tracers
        through = numpy_through(name)
        if through == "array" and level:
            return self.made(
                args, self._dtype("?", name, (), args, keywords), self._ndim(last, args, keywords)
            )
        if through == "array" and args and isinstance(args[0], Array):
            return self.made(args)
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
        return NumPyArray(dtype, self._ndim(last, args, keywords))

    # ---- the standard library

    def _other(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if name in ARRAYS:
            return self.made([*args, *keywords.values()])
        if name in LAYERS:
            return Product("layer", name)
        if name in SCHEDULES:
            return Product("schedule")
        if name in VARIABLES:
            return VariableRef(args[0] if args else UNKNOWN, name in PARAMETERS)
        if name.startswith("optax."):
            is_loss = "loss" in name or "entropy" in name
            return self.made(args) if is_loss else Product("optax", name in STATELESS)
        if name in self.taught.key_sinks:
            for value in (*args, *keywords.values()):
                if isinstance(value, Key):
                    self.consume(value, nid, name.rpartition(".")[2])
        elif name.partition(".")[0] not in _STANDARD:
            self.handed(args, keywords, nid)
        self.escape(args, keywords)
        return UNKNOWN

    def f_clear_caches(self, call: Call) -> Value:
        self.frame.notes.cleared = True
        self.note_made(EVERY)
        return NONE

    def f_version(self, call: Call) -> Value:
        """A version is compared like what it is made of."""
        made = call.args[0] if call.args else UNKNOWN
        return made if isinstance(made, (FeatureProbe, Const)) else UNKNOWN

    def f_identifier(self, call: Call) -> Value:
        """Random, but no number: it is one of the program's names until its number is read."""
        return Product("identifier", call.name, call.nid, self.module.path)

    def read_number(self, identifier: Value) -> None:
        if isinstance(identifier, Product) and identifier.kind == "identifier":
            name, nid, path = identifier.parts
            if path == self.module.path and not self.silent:
                self.emit_call(CallEvent(nid, self.frame, name, [], {}))

    def f_infer_backend(self, call: Call) -> Value:
        """The library that an array is of, by autoray."""
        value = call.get(0, "array")
        return Const("jax") if isinstance(value, (Array, Key)) else Static("str")

    def f_graphdef(self, call: Call) -> Value:
        return GRAPHDEF

    def f_opaque(self, call: Call) -> Value:
        return Product("opaque", call.name)

    def f_namespace(self, call: Call) -> Value:
        return UNKNOWN if call.args else self.namespace(call.keywords, call.nid)

    def f_decorator(self, call: Call) -> Value:
        target = call.args[0] if call.args else None
        return target if isinstance(target, Function) else External("builtins.$identity")

    # ---- methods of library objects

    def call_product(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        kind = func.kind
        if kind == "method" and func.parts == ("compile", _LOWERED):
            return Product("compiled")
        if kind == "method":
            return self.call_method(func.parts[0], func.parts[1], args, keywords, nid, exact)
        if kind == "getter":
            return self.got(func, args[0], nid) if len(args) == 1 else UNKNOWN
        if kind in ("staticmethod", "classmethod"):
            return self.call(func.parts[0], args, keywords, nid, exact)
        if kind == "property-part":
            made, part = func.parts
            if part == "setter" and args and isinstance(args[0], Function):
                return Product("property", *made.parts[:2], args[0])
            return made  # type: ignore[no-any-return]
        if kind == "array-function":
            if func.parts[0] and args:
                self.consume(args[0], nid, "the initializer")
            return self.made(args)
        if kind == "haiku-method":
            return self._haiku_method(func, args, keywords, nid, exact)
        if kind == "linen-method":
            return self._linen_method(func, args, keywords, nid, exact)
        if kind == "scanned-class":
            made = self.instantiate(func.parts[0], args, keywords, nid, exact)
            return Product("scanned", made, func.parts[1])
        if kind == "scanned" and args and not keywords:
            return self._scan_module(func, args, nid)
        if kind == "schedule":
            return self.made(args)
        if kind == "layer":
            if func.parts[0].startswith("equinox.") and (len(args) > 1 or keywords.keys() - QUIET):
                return UNKNOWN
            return self.made([*args, *keywords.values()])
        if kind == "rngs":
            return self.new_key()
        if kind == "rngs-part":
            if func.parts[0] in DRAWS:
                return self.made(args)
            return UNKNOWN if func.parts[0] in NO_STREAMS else self.new_key()
        self.escape(args, keywords)
        return UNKNOWN

    def call_method(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        level = level_of(owner)
        for value in (*args, *keywords.values()):
            level |= level_of(value)
        full, result = self._method_of(name, owner, args, keywords, nid, exact)
        if full:
            if not self.silent:
                self.emit_call(CallEvent(nid, self.frame, full, args, keywords, owner, level, exact))
            self.last_called = (full, owner)
        return result

    def _method_of(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> tuple[str, Value]:
        """The whole name of a method of a library's or of Python's own object, and what it gives. The name is
        empty where no rule is told."""
        if isinstance(owner, Array):
            result = self._array_method(name, owner, args, keywords, nid)
            self.frame.operations += self.context.staged
            return f"jax.Array.{name}", result
        if isinstance(owner, NumPyArray):
            return f"numpy.ndarray.{name}", _host_method(name, owner)
        if isinstance(owner, MutableContainer):
            return f"builtins.{owner.kind}.{name}", self.box_method(name, owner, args, keywords, nid)
        if isinstance(owner, VariableRef):
            for value in args:
                owner.put(value)
            return "", NONE if args else owner.inner
        if isinstance(owner, TracerPytree):
            return f"tree.{name}", self.tree_method(name, owner, args, nid)
        if isinstance(owner, Const) or (isinstance(owner, Static) and owner.type == "str"):
            return f"builtins.str.{name}", self.text_method(name, args, keywords, owner, nid)
        if isinstance(owner, Tuple):
            return f"builtins.tuple.{name}", self._tuple_method(name, owner, args, keywords, nid)
        if isinstance(owner, (Transformed, Bound)):
            return f"jitted.{name}", self._transformed_method(name, owner, args, keywords, nid, exact)
        if isinstance(owner, Product):
            return self._product_method(name, owner, args, keywords, nid)
        if type(owner) is Function and name == "cache_clear":
            self.note_made(EVERY)
        return "", ANY if type(owner) is Static else UNKNOWN

    def _tuple_method(
        self, name: str, owner: Tuple, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "_replace" and owner.cls is not None and owner.items is not None:
            names = list(owner.cls.all_fields())
            items = tuple(keywords.get(each, old) for each, old in zip(names, owner.items, strict=False))
            return Tuple(items, cls=owner.cls)
        return self.tuple_search(name, owner, args, nid) if name in ("index", "count") else UNKNOWN

    def _product_method(
        self, name: str, owner: Product, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> tuple[str, Value]:
        """The same for an object that a library has made."""
        if owner.kind == "at-index":
            self.frame.operations += self.context.staged
            base = owner.parts[0]
            if not isinstance(base, Array):
                return f"jax.Array.at.{name}", Array(1, "?")
            spread = self.arrays_level([base, owner.parts[1], *args])
            return f"jax.Array.at.{name}", Array(spread, base.dtype, base.ndim if name != "get" else None)
        if owner.kind == "generator":
            full = f"{owner.parts[0]}.{name}"
            return full, ANY if full.startswith("random.") else NumPyArray()
        if owner.kind in ("io.IOBase", "logging.Logger", "pathlib.Path"):
            full = f"{owner.kind}.{name}"
            if full == "pathlib.Path.open":
                return full, Product("io.IOBase", -1, False)
            return full, owner if owner.kind == "pathlib.Path" and name in _PATH_PARTS else UNKNOWN
        if owner.kind == "optax":
            tree = TracerPytree(self.arrays_level(args))
            state = Tuple(()) if owner.parts[0] else tree
            return "", Tuple((tree, state)) if name == "update" else state if name == "init" else UNKNOWN
        if owner.kind == "exit-stack":
            return "", self.stack_method(name, args, keywords, nid)
        if owner.kind == "stream" and name == "__next__":
            return "", self.b_next([owner], {}, nid)
        return "", UNKNOWN

    def _array_method(
        self, name: str, owner: Array, args: list[Value], keywords: dict[str, Value], nid: int
    ) -> Value:
        if name == "item":
            return Static("any")
        if name in ("tolist", "__array__"):
            return UNKNOWN if name == "tolist" else NumPyArray(owner.dtype)
        if name == "astype":
            dtype = dtype_of(args[0]) if args else dtype_of(keywords.get("dtype", UNKNOWN))
            same = dtype in ("?", owner.dtype)
            level = owner.level if same else owner.level | (1 if self.context.staged else 0)
            return Array(level, dtype, owner.ndim, owner.shape)
        if name in ("block_until_ready", "copy", "view", "conj", "conjugate", "to_device"):
            return owner
        row = f"jax.numpy.{name}"
        if row in FUNCTIONS:
            return self._jax(row, [owner, *args], keywords, nid)
        if name in ("reshape", "flatten"):
            return Array(owner.level, owner.dtype, 1 if name == "flatten" else None)
        return UNKNOWN

    def _transformed_method(
        self, name: str, owner: Value, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        func = owner.func if isinstance(owner, Bound) else owner
        if name == "clear_cache":
            self.frame.notes.cleared = True
            self.note_made(func)
            if isinstance(func, Transformed):
                self.note_made(func.func)
        if name in ("defvjp", "defjvp", "def_vmap") and isinstance(func, Transformed):
            self.custom_rules[func.place] = tuple(args)
            return func if name != "defvjp" else NONE
        if name in ("lower", "trace", "eval_shape"):
            self.looking = True
            with self.unspent():
                self.call(owner, args, keywords, nid, exact)
            self.looking = False
            return Product("lowered")
        return UNKNOWN


# the arguments that these functions compare in Python, which in staged code makes a tracer of any array
_COMPARED: dict[str, frozenset[int | str]] = {
    "numpy.arange": frozenset((0, 1, 2, "start", "stop", "step")),
    "numpy.eye": frozenset((1, "M")), "numpy.identity": frozenset((0, "n")),
    "numpy.tri": frozenset((0, 1, "N", "M")), "numpy.tile": frozenset((1, "reps")),
    "numpy.tril_indices": frozenset((0, "n")), "numpy.triu_indices": frozenset((0, "n")),
    "numpy.diag_indices": frozenset((0, "n")),
}  # fmt: skip
_STANDARD = frozenset(sys.stdlib_module_names)
_REMOVED_SAMPLERS = frozenset(("jax.random.shuffle",))
# where NumPy's functions take the dtype
_DTYPE_PLACES = {
    "zeros": 1, "ones": 1, "empty": 1, "full": 2, "array": 1, "asarray": 1,
    "zeros_like": 1, "ones_like": 1, "empty_like": 1, "full_like": 2,
}  # fmt: skip
_ENTRIES = {"array": 0, "asarray": 0, "full": 1}  # and the entries
_FLOATS = frozenset(("zeros", "ones", "empty"))
_OBJECTS = (External("builtins.object"), External("numpy.object_"), Const("object"), Const("O"))


def _has_leaves(tree: Value) -> bool:
    """Whether what a program maps a function over, leaf by leaf, is a tree of more than one."""
    if isinstance(tree, Tuple) and tree.items is not None:
        return len(tree.items) > 1 or any(map(_has_leaves, tree.items))
    if isinstance(tree, MutableContainer):
        items = (*tree.entries.values(), *(tree.items or ()))
        return len(items) > 1 or tree.elem is not None or any(map(_has_leaves, items))
    return isinstance(tree, (TracerPytree, Unknown))


def _math(name: str, args: list[Value]) -> Value:
    last = name[5:]
    if last in ("floor", "ceil", "trunc", "gcd", "lcm", "factorial", "comb", "perm", "isqrt"):
        return INT
    if last.startswith("is"):
        return Static("bool")
    if last == "prod":
        return INT
    return Static("float")


def _host_method(name: str, owner: NumPyArray) -> Value:
    if name in ("item",):
        return ANY
    if name in ("tolist", "tobytes"):
        return UNKNOWN
    if name in ("sort", "fill", "resize", "put", "setflags", "itemset"):
        return NONE
    if name == "nonzero":
        return Tuple(None, NumPyArray("i"))
    return NumPyArray()


def numpy_through(name: str) -> str:
    """`array` where a NumPy function given a JAX array passes the work on to it."""
    from jaxlint.tables import numpy_functions

    row = numpy_functions.NUMPY.get(name)
    return row[2] if row is not None else ""


_NUMPY_STATIC = frozenset(
    "dtype issubdtype result_type promote_types can_cast iinfo finfo isscalar iscomplexobj isrealobj "
    "broadcast_shapes min_scalar_type printoptions set_printoptions allclose array_equal may_share_memory "
    "errstate seterr index_exp s_".split()
)
_BOOLEAN = frozenset(
    "logical_and logical_or logical_not isnan isfinite isinf isin greater less equal not_equal any all "
    "greater_equal less_equal isclose triu_mask".split()
)
_LOWERED = Product("lowered")
# names that say which version of a library there is, or what there is of it
_VERSION_OF = {
    "importlib.metadata.version": "version", "importlib_metadata.version": "version",
    "pkg_resources.get_distribution": "version", "importlib.util.find_spec": "name",
}  # fmt: skip
_CONTENTS_OF = frozenset(("builtins.dir", "builtins.vars", "inspect.signature", "inspect.getfullargspec"))
_CONTEXTS = {
    "jax.ensure_compile_time_eval": "eager",
    "pytest.raises": "raises", "pytest.warns": "warns", "contextlib.suppress": "raises",
    "pytest.deprecated_call": "warns", "warnings.catch_warnings": "warns",
}  # fmt: skip
_PATH_PARTS = frozenset("parent with_suffix with_name joinpath resolve absolute expanduser".split())
_TREE = ("jax.tree.", "jax.tree_util.tree_")
_IDENTIFIERS = tuple(f"uuid.uuid{version}" for version in (1, 4, 6, 7, 8))
SPECIAL: dict[str, str] = {
    **dict.fromkeys(_IDENTIFIERS, "f_identifier"),
    "jax.random.key": "f_random_source", "jax.random.PRNGKey": "f_random_source",
    "jax.random.wrap_key_data": "f_random_source", "jax.random.split": "f_random_split",
    "jax.random.fold_in": "f_random_fold", "jax.random.clone": "f_random_clone",
    "jax.random.key_data": "f_random_read", "jax.random.key_impl": "f_random_read",
    "jax.tree.map": "f_tree_map", "jax.tree.leaves": "f_tree_leaves",
    "jax.tree.reduce": "f_tree_reduce", "jax.tree.flatten": "f_tree_flatten",
    "jax.tree_util.tree_map": "f_tree_map", "jax.tree.map_with_path": "f_tree_map",
    "jax.tree_util.tree_map_with_path": "f_tree_map", "jax.tree_util.tree_leaves": "f_tree_leaves",
    "jax.ensure_compile_time_eval": "f_context", "jax.disable_jit": "f_disable_jit",
    "jax.config.update": "f_config_update", "contextlib.ExitStack": "f_exit_stack",
    "contextlib.AsyncExitStack": "f_exit_stack",
    "pytest.raises": "f_context", "contextlib.suppress": "f_context", "pytest.warns": "f_context",
    "pytest.deprecated_call": "f_context", "warnings.catch_warnings": "f_context",
    "jax.sharding.PartitionSpec": "f_partition_spec", "jax.P": "f_partition_spec",
    "contextlib.nullcontext": "f_nullcontext", "jax.devices": "f_devices", "jax.local_devices": "f_devices",
    "jax.new_ref": "f_new_ref", "jax.ref.new_ref": "f_new_ref",
    "jax.tree_util.register_pytree_node_class": "f_register_class",
    "jax.tree_util.register_pytree_node": "f_register_class",
    "jax.tree_util.register_pytree_with_keys": "f_register_class",
    "jax.tree_util.register_pytree_with_keys_class": "f_register_class",
    "jax.tree_util.register_dataclass": "f_register_class",
    "jax.tree_util.register_static": "f_register_class",
    "autoray.infer_backend": "f_infer_backend",
    "jax.device_get": "f_device_get", "jax.core.is_concrete": "f_is_concrete",
    "functools.partial": "f_partial", "jax.tree_util.Partial": "f_partial",
    "functools.partialmethod": "f_partialmethod", "functools.wraps": "f_wraps",
    "functools.update_wrapper": "f_update_wrapper",
    "functools.reduce": "f_reduce", "functools.cached_property": "f_cached_property",
    "functools.lru_cache": "f_cache", "functools.cache": "f_cache",
    "dataclasses.dataclass": "f_dataclass", "flax.struct.dataclass": "f_dataclass",
    "chex.dataclass": "f_dataclass", "jax_dataclasses.pytree_dataclass": "f_dataclass",
    "attrs.define": "f_dataclass", "attr.s": "f_dataclass", "attrs.frozen": "f_dataclass",
    "attr.dataclass": "f_dataclass", "attr.define": "f_dataclass", "attr.frozen": "f_dataclass",
    "dataclasses.field": "f_field", "flax.struct.field": "f_field", "equinox.field": "f_field",
    "equinox.static_field": "f_field",
    "attrs.field": "f_field", "attr.ib": "f_field", "dataclasses.replace": "f_replace",
    "itertools.count": "f_count", "itertools.cycle": "f_count",
    "collections.defaultdict": "f_defaultdict", "collections.Counter": "f_defaultdict",
    "collections.deque": "f_deque", "collections.namedtuple": "f_namedtuple",
    "collections.OrderedDict": "f_ordered", "builtins.$identity": "f_identity",
    "optax.apply_updates": "f_apply_updates", "optax.EmptyState": "f_leafless",
    "optax.MaskedNode": "f_leafless", "flax.nnx.split": "f_nnx_split", "flax.nnx.graphdef": "f_graphdef",
    "haiku.transform": "f_haiku_transform", "haiku.transform_with_state": "f_haiku_transform",
    "haiku.without_apply_rng": "f_haiku_without_key", "haiku.next_rng_key": "f_haiku_key",
    "haiku.next_rng_keys": "f_haiku_keys", "haiku.get_parameter": "f_haiku_parameter",
    "haiku.get_state": "f_haiku_state", "flax.nnx.Rngs": "f_rngs",
    "flax.linen.scan": "f_linen_scan", "flax.linen.compact": "f_identity", "flax.linen.nowrap": "f_identity",
    "typing.cast": "f_typing_cast", "copy.copy": "f_copy", "copy.deepcopy": "f_copy",
    "packaging.version.Version": "f_version", "packaging.version.parse": "f_version",
    "pkg_resources.parse_version": "f_version", "distutils.version.LooseVersion": "f_version",
    "jax.clear_caches": "f_clear_caches", "argparse.Namespace": "f_opaque",
    "types.SimpleNamespace": "f_namespace",
    "typing.final": "f_identity", "typing.override": "f_identity", "typing.no_type_check": "f_identity",
    "abc.abstractmethod": "f_identity", "typing.overload": "f_identity",
    "jax.named_scope": "f_opaque", "jaxtyping.jaxtyped": "f_decorator",
    "jax.default_matmul_precision": "f_opaque", "contextlib.contextmanager": "f_manager",
    "operator.index": "f_operator_index", "random.Random": "f_generator",
    "logging.getLogger": "f_logger", "pathlib.Path": "f_path", "builtins.open": "f_stream",
    "io.StringIO": "f_stream", "io.BytesIO": "f_stream",
}  # fmt: skip


def _folded(value: Value, type_: str) -> Value | None:
    """What a sum over lanes makes of a number or a NumPy array; None for what is traced or not known."""
    if isinstance(value, NumPyArray):
        return NumPyArray()
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Static(type_ or type(value.value).__name__)
    if isinstance(value, Static) and value.type in ("int", "float"):
        return Static(type_ or value.type)
    return None


# what a project that is jax itself defines, and the tables know better
_PUBLISHED = [
    name
    for name in (*FUNCTIONS, *WRAPPERS, *SPECIAL, *RUNNERS, *ARRAY_CLASSES, "jax.core.Tracer")
    if name.startswith("jax.")
]


def _of_no_array(result: str, name: str, operands: list[Value]) -> Value:
    """What a function gives that makes no array of JAX, as the table says."""
    last = name.rpartition(".")[2]
    if result == "static" and last in _STATIC:
        return _STATIC[last]
    if result == "function":
        return Product("array-function", name.startswith("jax.nn.initializers"))
    if result == "host":
        return NumPyArray() if not any(level_of(each) for each in operands) else UNKNOWN
    return _OF_NO_ARRAY[result]
