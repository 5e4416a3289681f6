"""What calls of JAX, NumPy, the standard library and a few frameworks give back.

The facts are the tables in `jaxlint/tables`, made by running the libraries; this reads them and
tells the rules of every such call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection

from jaxlint.analysis.core import Core
from jaxlint.analysis.draws.one_value import is_one_value
from jaxlint.analysis.events import Call as CallEvent
from jaxlint.analysis.feature_guards import ASKED_NAMES, OWN_VERSION, FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.calling.calls import Calls
from jaxlint.calling.construction import Construction
from jaxlint.calling.control_primitives import ALIASES as TRANSFORM_ALIASES
from jaxlint.calling.fixtures import Fixtures
from jaxlint.calling.transforms import Transforms
from jaxlint.domain.join import SHAPE, MutableContainer, Tuple, VariableRef, level_of, options_of
from jaxlint.domain.literals import (
    DTYPES,
    ndim_of,
    where_dtype,
)
from jaxlint.domain.objects import Class, Function, Key
from jaxlint.domain.questions import from_shape
from jaxlint.domain.tokens import VARIABLES
from jaxlint.domain.transforms import WRAPPERS
from jaxlint.domain.values import (
    ANY,
    BATCHED,
    DIFFERENTIATED,
    DTYPE,
    INT,
    LIMITS,
    NONE,
    STAGED,
    UNKNOWN,
    Array,
    Const,
    Counter,
    External,
    FeatureProbe,
    ModuleName,
    NumPyArray,
    Product,
    Static,
    TracerPytree,
    Unknown,
    Value,
)
from jaxlint.library.array_results import ArrayResults, counted_by, folded
from jaxlint.library.builtin import BUILTINS, Builtins
from jaxlint.library.dispatching import Dispatching
from jaxlint.library.framework_layers import (
    ARRAYS,
    CELLS,
    LAYERS,
    PARAMETERS,
    QUIET,
    SCHEDULES,
)
from jaxlint.library.framework_modules import FrameworkModules
from jaxlint.library.gradient_transformations import GradientTransformations, functions_in
from jaxlint.library.iteration import Iterators
from jaxlint.library.library_call import Call
from jaxlint.library.library_classes import class_of, records_with
from jaxlint.library.object_methods import ObjectMethods
from jaxlint.library.pytrees import Pytrees
from jaxlint.tables.jax_functions import ALIASES, FORMER, FUNCTIONS
from jaxlint.tables.jax_random import INITIALIZERS
from jaxlint.tables.layers import GIVEN
from jaxlint.tables.numpy_memory import WRITES

CONSTANTS: dict[str, Value] = {
    "jax.numpy.pi": Const(3.141592653589793), "numpy.pi": Const(3.141592653589793),
    "math.pi": Const(3.141592653589793), "jax.numpy.e": Const(2.718281828459045),
    "numpy.e": Const(2.718281828459045), "math.e": Const(2.718281828459045),
    "jax.numpy.inf": Const(float("inf")), "numpy.inf": Const(float("inf")),
    "math.inf": Const(float("inf")), "jax.numpy.nan": Const(float("nan")),
    "numpy.nan": Const(float("nan")), "math.nan": Const(float("nan")),
    "jax.numpy.newaxis": NONE, "numpy.newaxis": NONE,
}  # fmt: skip
# collectives over a mapped axis: their result is the same for all of its lanes
_ACROSS_LANES = frozenset(f"jax.lax.{name}" for name in ("psum", "pmean", "pmax", "pmin", "all_gather"))
# collectives of which an array gives an array, and a pytree a pytree: those of what is first
_COLLECTIVE = frozenset(
    name for name, row in FUNCTIONS.items() if row[0] == "array" and "axis_name" in row[2][1:]
)
# those that give a number for a number: how many lanes there are is known while tracing
_FOLDED = {"jax.lax.psum": "", "jax.lax.pmean": "float"}
_SHAPE_ONLY = frozenset(f"jax.numpy.{name}_like" for name in ("zeros", "ones", "full", "empty"))
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
_VIEWS = frozenset(("jax.numpy.asarray", "jax.numpy.reshape", "jax.numpy.ravel", "jax.numpy.astype"))


# what functions give that make no array of JAX, by the word of the table, and some by their names
_OF_NO_ARRAY = {"static": ANY, "dtype": DTYPE, "none": NONE, "function": UNKNOWN, "host": UNKNOWN}
_STATIC = {
    **dict.fromkeys(("dtype", "result_type", "promote_types"), DTYPE),
    **dict.fromkeys(("ndim", "size"), INT),
    "shape": SHAPE,
    **dict.fromkeys(("finfo", "iinfo"), LIMITS),
}
_COLLECTING = frozenset(("jax.numpy.array", "jax.numpy.asarray", "jax.numpy.stack"))


class Library:
    """Calls of what the project does not define."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        consumption: KeyConsumption,
        construction: Construction,
        fixtures: Fixtures,
        calls: Calls,
        transforms: Transforms,
        builtins: Builtins,
        iterators: Iterators,
        modules: FrameworkModules,
        arrays: ArrayResults,
        pytrees: Pytrees,
        dispatching: Dispatching,
        gradients: GradientTransformations,
        methods: ObjectMethods,
        model_of: Callable[[str], Callable[[Call], Value] | None],
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.consumption = consumption
        self.construction = construction
        self.fixtures = fixtures
        self.calls = calls
        self.transforms = transforms
        self.builtins = builtins
        self.iterators = iterators
        self.modules = modules
        self.arrays = arrays
        self.pytrees = pytrees
        self.dispatching = dispatching
        self.gradients = gradients
        self.methods = methods
        self._known: dict[str, Value] = {}
        self.model_of = model_of  # of functions that the tables do not tell all of

    # ---- names

    def external(self, name: str) -> Value:
        if name == "jax.config.jax_disable_jit":
            return self._jit_is_off()
        found = self._known.get(name)
        if found is None:
            found = self._external("jax.jit" if name in self.core.taught.jit_wrappers else name)
            self._known[name] = found
        return found

    def _jit_is_off(self) -> Value:
        """What the option is where this is read: nothing is staged while it is on."""
        context = self.flow.context
        return Const(context.unjitted) if context.unjitted or context.staged else Static("bool")

    @staticmethod
    def _external(name: str) -> Value:
        if name.startswith("typing_extensions."):
            name = name.replace("_extensions", "", 1)
        canonical = TRANSFORM_ALIASES.get(name) or ALIASES.get(name) or FORMER.get(name) or name
        if name == _OBJECT_OF_CONFIG or name.startswith(f"{_OBJECT_OF_CONFIG}."):
            canonical = name.replace(_OBJECT_OF_CONFIG, "jax.config", 1)
        if name.startswith(_MOVED):
            canonical = canonical.replace("experimental", "example_libraries", 1)
        if name.startswith(_INITIALIZERS):
            own = f"jax.nn.initializers.{name.rpartition('.')[2]}"
            canonical = own if own in FUNCTIONS else name
        constant = CONSTANTS.get(canonical)
        if constant is not None:
            return constant
        owner, _, last = canonical.rpartition(".")
        if last == "__name__" and ("." not in owner or owner == "jax.numpy"):
            return Const(owner)  # a module's
        cls = class_of(canonical)
        if cls is not None:
            return cls
        how = ASKED_NAMES.get(name) or ASKED_NAMES.get(name.rpartition(".")[2])
        return FeatureProbe("any", how, own=name in OWN_VERSION) if how else External(canonical, name)

    def record_with(self, names: Collection[str], by_position: Collection[str] = ()) -> Class | None:
        """The class of a library's records with all of these attributes, by a method which only it has.
        `by_position`: those that are called with positional arguments, which no such method takes."""
        having = records_with(names, by_position)
        found = self.external(having) if having else None
        return found if isinstance(found, Class) else None

    def builtin(self, name: str) -> Value:
        for star in self.flow.module.stars:
            if isinstance(star, External) and f"{star.name}.{name}" in FUNCTIONS:
                return self.external(f"{star.name}.{name}")
        if name in BUILTINS:
            return self.external(f"builtins.{name}")
        if name == "Ellipsis":
            return Const(...)
        return ModuleName(self.flow.module.path) if name == "__name__" else UNKNOWN

    # ---- dispatch

    def call_external(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        level = STAGED if self.flow.context.staged and self.arrays.compared(name, args, keywords) else 0
        for value in (*args, *keywords.values()):
            level |= level_of(value)
        if name in WRITES:
            self.methods.note_written(name, None, args, keywords, nid, exact)
        always, traced = self.core.call_hooks.of(name)
        if (always or (level and traced)) and not self.core.silent and name not in _IDENTIFIERS:
            self.core.emit_call(CallEvent(nid, self.flow.frame, name, args, keywords, None, level, exact))
        if name in WRAPPERS:
            return self.transforms.wrap(name, args, keywords, nid, exact)
        self.builtins.expressions.hashing.hash_arguments(name, args, nid)
        root = name.partition(".")[0]
        model = self.model_of(name)
        if model is not None:
            result = model(Call(name, args, keywords, nid, exact))
        elif root == "jax":
            result = self.of_jax(name, args, keywords, nid)
        elif root in ("numpy", "scipy"):
            if name.startswith("scipy.optimize."):
                self.calls.solve(name, args, keywords, nid)
            result = self.arrays.of_numpy(name, args, keywords, level)
        elif root == "math":
            result = _math(name, args)
        elif root == "builtins":
            result = self.builtins.call_builtin(name[9:], args, keywords, nid, exact)
        else:
            result = self._other(name, args, keywords, nid, exact)
        if root != "jax" and isinstance(result, (Unknown, Static)):
            result = self._asked(name, args, result)
        if root == "jax" and self.flow.context.staged and level_of(result) and not name.startswith(_TREE):
            self.flow.frame.operations += 1
        if type(result) is Product and result.kind in _MADE and not result.given:
            result = result.made_by(name, args, keywords)
        self.flow.last_called = (name, None)
        return result

    def _asked(self, name: str, args: list[Value], result: Value) -> Value:
        """What a call gives back that asks a library, or is handed an answer."""
        if name in _VERSION_OF:
            return FeatureProbe("any", _VERSION_OF[name])
        if name in _CONTENTS_OF and args and all(isinstance(each, External) for each in options_of(args[0])):
            return FeatureProbe("any", "name")
        return result if isinstance(result, FeatureProbe) else self.guards.answer(args, result)

    # ---- jax

    def of_jax(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        row = FUNCTIONS.get(name)
        if row is None:
            return self._unlisted(name, args, keywords, nid)
        last = name.rpartition(".")[2]
        result, dtype_rule, params, _, _, key = row
        if name.startswith("jax.random.") and key:
            value = keywords.get(key, args[0] if args else None)
            if not is_one_value(last, params, args, keywords):
                self.consumption.sample(value, nid, last, key)
        operands = [*args, *keywords.values()]
        if result in _OF_NO_ARRAY:
            return _of_no_array(result, name, operands)
        if last in _ONE_OR_MORE and len(args) == 1:
            result = "?" if isinstance(args[0], Product) else "array"
        level = self.core.arrays_level(operands)
        if name in _SHAPE_ONLY:
            level = self.core.arrays_level(operands[1:])
        elif name in _FLAT:
            level &= ~DIFFERENTIATED
        if name in _COLLECTING and args and (keys := self._keys_in(args[0])) is not None:
            return keys
        if name in _FOLDED and args:
            across = folded(args[0], _FOLDED[name])
            if across is not None:
                return across
        if name in _ACROSS_LANES:
            level &= ~BATCHED
        dtype = self.arrays.dtype(dtype_rule, name, params, args, keywords)
        if name in _VIEWS and args and dtype in ("?", getattr(args[0], "dtype", "?")):
            if isinstance(args[0], Array) or type(args[0]) is Unknown:  # it may be one that is not traced
                level = level_of(args[0])
        ndim = self.arrays.ndim(last, args, keywords)
        if name in _COLLECTIVE and args and not isinstance(args[0], (Array, NumPyArray)):
            return TracerPytree(level)
        if result == "array" or (result == "tuple:*" and last == "where" and len(args) + len(keywords) > 1):
            if dtype == "k":
                return Key(self.core.fresh(), level)
            shape = self.flow.context.staged and from_shape(operands)
            if name == "jax.numpy.arange" and (count := counted_by(args, keywords)) is not None:
                return Counter(level, count, dtype, ndim, shape)
            return Array(level, dtype if last != "where" else where_dtype(args), ndim, shape)
        if result == "tree":
            return self.pytrees.tree_of(name, args[0] if args else None, level)
        return self.arrays.of_arrays(name, result, Array(level, dtype), nid)

    def _keys_in(self, value: Value) -> Key | None:
        """The array that is made of keys, or of several of them; None where they are something else."""
        if isinstance(value, Key):
            return value
        items = value.items if isinstance(value, (Tuple, MutableContainer)) else None
        if not items or not all(isinstance(each, Key) and not each.many for each in items):
            return None
        return Key(self.core.fresh(), self.core.arrays_level(items), many=True, count=len(items))

    def _unlisted(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """What a function gives that the table lacks: one that is gone, a dtype's name, or an unknown one."""
        last = name.rpartition(".")[2]
        if name in _REMOVED_SAMPLERS and (args or "key" in keywords):
            self.consumption.consume(keywords.get("key", args[0] if args else None), nid, last)
            return self.core.made([*args, *keywords.values()])
        if last in DTYPES and args:
            shape = self.flow.context.staged and from_shape(args)
            return Array(self.core.arrays_level(args), DTYPES[last], ndim_of(args[0]), shape)
        self.calls.escape(args, keywords)
        return UNKNOWN

    # ---- the standard library

    def _other(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        if name in ARRAYS:
            return self.core.made([*args, *keywords.values()])
        if name in LAYERS or name in CELLS:
            self.modules.initialise(name, keywords.get("key"), nid)
            activations = [value for each, value in keywords.items() if each.endswith("activation")]
            word, place = GIVEN.get(name, ("", len(args)))
            given = keywords.get(word, args[place] if place < len(args) else Array())
            return Product("layer", name, *functions_in(activations), *[ANY] * (not isinstance(given, Array)))
        if name in SCHEDULES:
            return Product("schedule")
        if name in VARIABLES:
            # a key in it is replaced by whoever draws from it, under transforms too
            held = args[0] if args and not isinstance(args[0], Key) else UNKNOWN
            return VariableRef(held, name in PARAMETERS, self.flow.context.depth)
        if name.startswith("optax."):
            is_loss = "loss" in name or "entropy" in name
            return self.core.made(args) if is_loss else self.gradients.make(name, args, keywords, exact)
        if name in self.core.taught.key_sinks:
            for value in (*args, *keywords.values()):
                if isinstance(value, Key):
                    self.consumption.consume(value, nid, name.rpartition(".")[2])
        elif name.partition(".")[0] not in _STANDARD:
            self.consumption.handed(args, keywords, nid)
        self.calls.escape(args, keywords)
        return Unknown(made=name) if self.core.world.asks_for(name.rpartition(".")[2]) else UNKNOWN

    def read_number(self, identifier: Value) -> None:
        if isinstance(identifier, Product) and identifier.kind == "identifier":
            name, nid, path = identifier.parts
            if path == self.flow.module.path and not self.core.silent:
                self.core.emit_call(CallEvent(nid, self.flow.frame, name, [], {}))

    # ---- methods of library objects

    def of_object(
        self, name: str, owner: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """What a method of an object of a library gives: a model of that name says it."""
        model = self.model_of(name)
        if model is not None:
            return model(Call(name, [owner, *args], keywords, nid, exact))
        self.consumption.handed(args, keywords, nid)
        self.calls.escape(args, keywords)
        return UNKNOWN

    def call_product(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        kind = func.kind
        if kind == "method":
            return self.methods.call_method(func.parts[0], func.parts[1], args, keywords, nid, exact)
        if kind == "getter":
            return self.iterators.got(func, args[0], nid) if len(args) == 1 else UNKNOWN
        if kind in ("staticmethod", "classmethod", "fixture"):
            return self.calls.call(func.parts[0], args, keywords, nid, exact)
        if kind == "cases" and args:
            return args[0]  # the test, which stays what it is
        if kind == "fixture-maker" and args:
            return self.fixtures.make(func, args[0])
        if kind == "property-part":
            made, part = func.parts
            if part == "setter" and args and isinstance(args[0], Function):
                return Product("property", *made.parts[:2], args[0])
            return made  # type: ignore[no-any-return]
        if kind == "array-function":
            if func.parts[0] and args:
                self.consumption.sample(args[0], nid, "the initializer", "key")
            return self.core.made(args)
        if kind == "replacing":
            is_change = self.construction.changes(keywords, nid)
            self.flow.last_called = ("$replace" if is_change else "", func.parts[0])
            return self.construction.replaced(func.parts[0], keywords, nid) if exact and not args else UNKNOWN
        if kind == "unravel" and len(args) == 1:
            leaf = self.core.made(args)
            return self.pytrees.unflatten(func.parts[0], [leaf] * func.parts[0].count(), nid)
        if kind in ("object", "distribution", "handler"):
            return self.of_object(f"{func.parts[0]}.__call__", func, args, keywords, nid, exact)
        if kind in ("dispatcher", "registering"):
            return self.dispatching.call_product(func, args, keywords, nid, exact)
        return self._call_of_framework(func, args, keywords, nid, exact)

    def _call_unknown(self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        """Calls what a transform has made of a function of which nothing is known."""
        transform, unknown = func.parts
        self.calls.touch(unknown, args, keywords, nid)
        self.consumption.handed_to(getattr(unknown, "token", None), args, keywords, nid)
        self.calls.escape(args, keywords)
        result = TracerPytree(self.core.arrays_level([*args, *keywords.values()]))
        return Tuple((result, result)) if transform == "value_and_grad" else result

    def _call_of_framework(
        self, func: Product, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        """Calls what a framework has made."""
        kind = func.kind
        if kind == "transformed-unknown":
            return self._call_unknown(func, args, keywords, nid)
        if kind == "haiku-method":
            return self.modules.haiku_method(func, args, keywords, nid, exact)
        if kind == "linen-method":
            return self.modules.linen_method(func, args, keywords, nid, exact)
        if kind == "schedule":
            return self.gradients.scheduled(func, args, keywords, nid)
        if kind == "layer":
            model = self.model_of(f"{func.parts[0]}.__call__")
            if model is not None:
                return model(Call(func.parts[0], [func, *args], keywords, nid, exact))
            if func.parts[0].startswith("equinox.") and func.parts[0] not in CELLS:
                if len(args) > 1 or keywords.keys() - QUIET:
                    return UNKNOWN
            return self.modules.layer_results(func, [*args, *keywords.values()], nid)
        if kind in ("rngs", "rngs-part"):
            return self.modules.streams_call(func, args, nid)
        self.calls.escape(args, keywords)
        return UNKNOWN


_OBJECT_OF_CONFIG = "jax.config.config"  # in a module of this name, until JAX 0.4.25
# objects that calls make, of which two are equal that are made with other numbers
_MADE = frozenset(("optax", "schedule", "object", "distribution", "haiku", "handler"))
_MOVED = ("jax.experimental.stax", "jax.experimental.optimizers")
_INITIALIZERS = ("flax.linen.initializers.", "flax.nnx.initializers.")  # those of JAX, and two more
_STANDARD = frozenset(sys.stdlib_module_names)
_REMOVED_SAMPLERS = frozenset(("jax.random.shuffle",))


def _math(name: str, args: list[Value]) -> Value:
    last = name[5:]
    if last in ("floor", "ceil", "trunc", "gcd", "lcm", "factorial", "comb", "perm", "isqrt"):
        return INT
    if last.startswith("is"):
        return Static("bool")
    if last == "prod":
        return INT
    return Static("float")


# names that say which version of a library there is, or what there is of it
_VERSION_OF = {
    "importlib.metadata.version": "version", "importlib_metadata.version": "version",
    "pkg_resources.get_distribution": "version", "importlib.util.find_spec": "name",
}  # fmt: skip
_CONTENTS_OF = frozenset(("builtins.dir", "builtins.vars", "inspect.signature", "inspect.getfullargspec"))
_TREE = ("jax.tree.", "jax.tree_util.tree_")
_IDENTIFIERS = tuple(f"uuid.uuid{version}" for version in (1, 4, 6, 7, 8))


def _of_no_array(result: str, name: str, operands: list[Value]) -> Value:
    """What a function gives that makes no array of JAX, as the table says."""
    last = name.rpartition(".")[2]
    if result == "static" and last in _STATIC:
        return _STATIC[last]
    if result == "function":
        return Product("array-function", INITIALIZERS.get(name, False))
    if result == "host":
        return NumPyArray() if not any(level_of(each) for each in operands) else UNKNOWN
    return _OF_NO_ARRAY[result]
