"""What calls of JAX, NumPy, the standard library and a few frameworks give back.

The facts are the tables in `jaxlint/tables`, made by running the libraries; this reads them and
tells the rules of every such call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from jaxlint.analysis.core import Core, named
from jaxlint.analysis.events import Call as CallEvent
from jaxlint.analysis.feature_guards import ASKED_NAMES, OWN_VERSION, FeatureGuards
from jaxlint.analysis.flow_state import FlowState
from jaxlint.analysis.key_consumption import KeyConsumption
from jaxlint.analysis.trace_cache import EVERY
from jaxlint.analysis.trace_staleness import TraceStaleness
from jaxlint.calling.calls import Calls
from jaxlint.calling.construction import Construction
from jaxlint.calling.control_primitives import ALIASES as TRANSFORM_ALIASES
from jaxlint.calling.control_primitives import RUNNERS, Call
from jaxlint.calling.transforms import WRAPPERS, Transforms
from jaxlint.domain.literals import (
    DTYPES,
    ndim_of,
    where_dtype,
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
    Class,
    Const,
    External,
    FeatureProbe,
    Function,
    Key,
    NumPyArray,
    Partial,
    Product,
    Static,
    Tuple,
    Unknown,
    Value,
    VariableRef,
    from_shape,
    level_of,
    options_of,
)
from jaxlint.evaluation.expressions import Expressions
from jaxlint.evaluation.keys import Keys
from jaxlint.library.array_results import ArrayResults
from jaxlint.library.builtin import ARRAY_CLASSES, BUILTINS, Builtins
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
from jaxlint.library.framework_modules import FrameworkModules
from jaxlint.library.iteration import HANDLERS, Iterators
from jaxlint.library.object_methods import ObjectMethods
from jaxlint.library.pytrees import Pytrees
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
# collectives over a mapped axis: their result is the same for all of its lanes
_ACROSS_LANES = frozenset(f"jax.lax.{name}" for name in ("psum", "pmean", "pmax", "pmin", "all_gather"))
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
}


class Library:
    """Calls of what the project does not define."""

    def __init__(
        self,
        flow: FlowState,
        core: Core,
        guards: FeatureGuards,
        staleness: TraceStaleness,
        consumption: KeyConsumption,
        expressions: Expressions,
        keys: Keys,
        construction: Construction,
        calls: Calls,
        transforms: Transforms,
        builtins: Builtins,
        iterators: Iterators,
        modules: FrameworkModules,
        arrays: ArrayResults,
        pytrees: Pytrees,
        methods: ObjectMethods,
    ) -> None:
        self.flow = flow
        self.core = core
        self.guards = guards
        self.staleness = staleness
        self.consumption = consumption
        self.expressions = expressions
        self.keys = keys
        self.construction = construction
        self.calls = calls
        self.transforms = transforms
        self.builtins = builtins
        self.iterators = iterators
        self.modules = modules
        self.arrays = arrays
        self.pytrees = pytrees
        self.methods = methods
        self._known: dict[str, Value] = {}
        self._special: dict[str, Callable[[Call], Value]] = {}

    def register(self, *parts: object) -> None:
        """The methods named `f_NAME` and `c_NAME` are what the functions in the tables do."""
        methods: dict[str, Callable[[Call], Value]] = {
            prefix + name: method
            for prefix in ("f_", "c_")
            for name, method in named(*parts, prefix=prefix).items()
        }
        rows = {**SPECIAL, **RUNNERS, **HANDLERS}
        self._special |= {name: methods[method] for name, method in rows.items()}

    # ---- names

    def external(self, name: str) -> Value:
        found = self._known.get(name)
        if found is None:
            found = self._external("jax.jit" if name in self.core.taught.jit_wrappers else name)
            self._known[name] = found
        return found

    @staticmethod
    def _external(name: str) -> Value:
        if name.startswith("typing_extensions."):
            name = name.replace("_extensions", "", 1)
        canonical = TRANSFORM_ALIASES.get(name) or ALIASES.get(name) or FORMER.get(name) or name
        constant = CONSTANTS.get(canonical)
        if constant is not None:
            return constant
        how = ASKED_NAMES.get(name) or ASKED_NAMES.get(name.rpartition(".")[2])
        return FeatureProbe("any", how, own=name in OWN_VERSION) if how else External(canonical, name)

    def builtin(self, name: str) -> Value:
        for star in self.flow.module.stars:
            if isinstance(star, External) and f"{star.name}.{name}" in FUNCTIONS:
                return self.external(f"{star.name}.{name}")
        if name in BUILTINS:
            return self.external(f"builtins.{name}")
        return UNKNOWN

    # ---- dispatch

    def call_external(
        self, name: str, args: list[Value], keywords: dict[str, Value], nid: int, exact: bool
    ) -> Value:
        level = STAGED if self.flow.context.staged and self.arrays.compared(name, args, keywords) else 0
        for value in args:
            level |= level_of(value)
        for value in keywords.values():
            level |= level_of(value)
        always, traced = self.core.call_hooks.of(name)
        if (always or (level and traced)) and not self.core.silent and name not in _IDENTIFIERS:
            self.core.emit_call(CallEvent(nid, self.flow.frame, name, args, keywords, None, level, exact))
        if name in WRAPPERS:
            return self.transforms.wrap(name, args, keywords, nid, exact)
        root = name.partition(".")[0]
        special = self._special.get(name)
        if special is not None:
            result = special(Call(name, args, keywords, nid, exact))
        elif root == "jax":
            result = self.of_jax(name, args, keywords, nid)
        elif root in ("numpy", "scipy"):
            result = self.arrays.of_numpy(name, args, keywords, level)
        elif root == "math":
            result = _math(name, args)
        elif root == "builtins":
            result = self.builtins.call_builtin(name[9:], args, keywords, nid, exact)
        else:
            result = self._other(name, args, keywords, nid)
        if root != "jax" and isinstance(result, (Unknown, Static)):
            result = self._asked(name, args, result)
        if root == "jax" and self.flow.context.staged and level_of(result) and not name.startswith(_TREE):
            self.flow.frame.operations += 1
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
            self.consumption.consume(value, nid, last)
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
        if name in _FOLDED and args:
            folded = _folded(args[0], _FOLDED[name])
            if folded is not None:
                return folded
        if name in _ACROSS_LANES:
            level &= ~BATCHED
        dtype = self.arrays.dtype(dtype_rule, name, params, args, keywords)
        if name in _VIEWS and args and isinstance(args[0], Array) and dtype in ("?", args[0].dtype):
            level = level_of(args[0])
        ndim = self.arrays.ndim(last, args, keywords)
        if result == "array" or (result == "tuple:*" and last == "where" and len(args) + len(keywords) > 1):
            if dtype == "k":
                return Key(self.core.fresh(), level)
            shape = self.flow.context.staged and from_shape(operands)
            return Array(level, dtype if last != "where" else where_dtype(args), ndim, shape)
        if result == "tree":
            return self.pytrees.tree_of(name, args[0] if args else None, level)
        return self.arrays.of_arrays(name, result, Array(level, dtype), nid)

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

    def f_random_source(self, call: Call) -> Value:
        return self.keys.random_source(call.args, call.nid)

    def f_random_split(self, call: Call) -> Value:
        return self.keys.random_split(call.get(0, "key"), call.get(1, "num"), call.nid)

    def f_random_fold(self, call: Call) -> Value:
        return self.keys.random_fold(call.get(0, "key"), call.get(1, "data"))

    def f_random_clone(self, call: Call) -> Value:
        return Key(self.core.fresh(), self.core.arrays_level(call.args))

    def f_random_read(self, call: Call) -> Value:
        return self.core.made(call.args, "i")

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
        box = self.core.box("list", call.nid, call.name)
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
            names = (
                self.expressions.known_items(meta) if meta is not None and "dataclass" in call.name else None
            )
            for name in names or ():
                if isinstance(name, Const) and isinstance(name.value, str):
                    default = cls.fields.get(name.value, (None, False))[0]
                    cls.fields[name.value] = (default, True)
            if call.name.endswith("register_static"):
                cls.marks.add("static")
            return cls
        return Partial(External(call.name), (), tuple(call.keywords.items())) if cls is None else UNKNOWN

    def f_generator(self, call: Call) -> Value:
        return Product("generator", call.name, self.flow.context.depth, bool(call.args))

    def f_is_concrete(self, call: Call) -> Value:
        """A tracer of a gradient alone has a value."""
        value = call.get(0, "x") or UNKNOWN
        level = level_of(value)
        if not level:
            return Static("bool")
        self.core.see_tracer(value)
        return Const(not level & (STAGED | BATCHED))

    def f_device_get(self, call: Call) -> Value:
        value = call.get(0, "x")
        return NumPyArray() if isinstance(value, Array) and not value.level else UNKNOWN

    # ---- the standard library

    def _other(self, name: str, args: list[Value], keywords: dict[str, Value], nid: int) -> Value:
        if name in ARRAYS:
            return self.core.made([*args, *keywords.values()])
        if name in LAYERS:
            return Product("layer", name)
        if name in SCHEDULES:
            return Product("schedule")
        if name in VARIABLES:
            return VariableRef(args[0] if args else UNKNOWN, name in PARAMETERS)
        if name.startswith("optax."):
            is_loss = "loss" in name or "entropy" in name
            return self.core.made(args) if is_loss else Product("optax", name in STATELESS)
        if name in self.core.taught.key_sinks:
            for value in (*args, *keywords.values()):
                if isinstance(value, Key):
                    self.consumption.consume(value, nid, name.rpartition(".")[2])
        elif name.partition(".")[0] not in _STANDARD:
            self.consumption.handed(args, keywords, nid)
        self.calls.escape(args, keywords)
        return UNKNOWN

    def f_clear_caches(self, call: Call) -> Value:
        self.flow.frame.notes.cleared = True
        self.staleness.note_made(EVERY)
        return NONE

    def f_version(self, call: Call) -> Value:
        """A version is compared like what it is made of."""
        made = call.args[0] if call.args else UNKNOWN
        return made if isinstance(made, (FeatureProbe, Const)) else UNKNOWN

    def f_identifier(self, call: Call) -> Value:
        """Random, but no number: it is one of the program's names until its number is read."""
        return Product("identifier", call.name, call.nid, self.flow.module.path)

    def read_number(self, identifier: Value) -> None:
        if isinstance(identifier, Product) and identifier.kind == "identifier":
            name, nid, path = identifier.parts
            if path == self.flow.module.path and not self.core.silent:
                self.core.emit_call(CallEvent(nid, self.flow.frame, name, [], {}))

    def f_infer_backend(self, call: Call) -> Value:
        """The library that an array is of, by autoray."""
        value = call.get(0, "array")
        return Const("jax") if isinstance(value, (Array, Key)) else Static("str")

    def f_graphdef(self, call: Call) -> Value:
        return GRAPHDEF

    def f_opaque(self, call: Call) -> Value:
        return Product("opaque", call.name)

    def f_namespace(self, call: Call) -> Value:
        return UNKNOWN if call.args else self.construction.namespace(call.keywords, call.nid)

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
            return self.methods.call_method(func.parts[0], func.parts[1], args, keywords, nid, exact)
        if kind == "getter":
            return self.iterators.got(func, args[0], nid) if len(args) == 1 else UNKNOWN
        if kind in ("staticmethod", "classmethod"):
            return self.calls.call(func.parts[0], args, keywords, nid, exact)
        if kind == "property-part":
            made, part = func.parts
            if part == "setter" and args and isinstance(args[0], Function):
                return Product("property", *made.parts[:2], args[0])
            return made  # type: ignore[no-any-return]
        if kind == "array-function":
            if func.parts[0] and args:
                self.consumption.consume(args[0], nid, "the initializer")
            return self.core.made(args)
        if kind == "haiku-method":
            return self.modules.haiku_method(func, args, keywords, nid, exact)
        if kind == "linen-method":
            return self.modules.linen_method(func, args, keywords, nid, exact)
        if kind == "scanned-class":
            made = self.construction.instantiate(func.parts[0], args, keywords, nid, exact)
            return Product("scanned", made, func.parts[1])
        if kind == "scanned" and args and not keywords:
            return self.modules.scan_module(func, args, nid)
        if kind == "schedule":
            return self.core.made(args)
        if kind == "layer":
            if func.parts[0].startswith("equinox.") and (len(args) > 1 or keywords.keys() - QUIET):
                return UNKNOWN
            return self.core.made([*args, *keywords.values()])
        if kind == "rngs":
            return self.modules.new_key()
        if kind == "rngs-part":
            if func.parts[0] in DRAWS:
                return self.core.made(args)
            return UNKNOWN if func.parts[0] in NO_STREAMS else self.modules.new_key()
        self.calls.escape(args, keywords)
        return UNKNOWN


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
PUBLISHED = [
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
