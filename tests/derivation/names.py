"""The public names of JAX that the functions table covers, and which of them are one object.

In: the installed JAX. Out: canonical dotted names with their objects, and every other
public name mapped to its canonical one.
"""

from __future__ import annotations

import importlib
import inspect
import types
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

# Earlier modules give the canonical name of an object that several modules export.
MODULES = (
    "jax",
    "jax.numpy",
    "jax.numpy.linalg",
    "jax.numpy.fft",
    "jax.lax",
    "jax.lax.linalg",
    "jax.nn",
    "jax.nn.initializers",
    "jax.random",
    "jax.tree",
    "jax.tree_util",
    "jax.flatten_util",
    "jax.debug",
    "jax.dtypes",
    "jax.image",
    "jax.ops",
    "jax.scipy.special",
    "jax.scipy.linalg",
    "jax.scipy.signal",
    "jax.scipy.ndimage",
    "jax.scipy.fft",
    "jax.scipy.cluster.vq",
    "jax.scipy.integrate",
    "jax.scipy.interpolate",
    "jax.scipy.optimize",
    "jax.scipy.sparse.linalg",
    "jax.scipy.stats",
    *(
        f"jax.scipy.stats.{name}"
        for name in (
            "bernoulli beta betabinom binom cauchy chi2 dirichlet expon gamma gennorm geom gumbel_l gumbel_r laplace "
            "logistic multinomial multivariate_normal nbinom norm pareto poisson t truncnorm uniform vonmises wrapcauchy"
        ).split()
    ),
    "jax.experimental",
    "jax.experimental.sparse",
    "jax.experimental.checkify",
    "jax.ad_checkpoint",
    "jax.custom_derivatives",
    "jax.custom_batching",
    "jax.experimental.ode",
    "jax.experimental.pjit",
    "jax.experimental.shard_map",
    "jax.sharding",
    "jax.dlpack",
    "jax.ref",
    "jax.errors",
    "jax.extend.core",
    "jax.extend.random",
    "jax.core",
    "jax.stages",
    "jax.typing",
    "jax.api_util",
)
# Their objects take part in aliases, but the functions table has no rows for them.
ONLY_ALIASES = frozenset(
    (
        "jax.ad_checkpoint",
        "jax.custom_batching",
        "jax.custom_derivatives",
        "jax.sharding",
        "jax.core",
        "jax.extend.core",
        "jax.errors",
        "jax.stages",
        "jax.typing",
        "jax.api_util",
        "jax.experimental.pjit",
        "jax.experimental.shard_map",
    )
)
# Modules without __all__ whose imports from elsewhere would look public.
OWN_NAMES_ONLY = frozenset(("jax.experimental.ode",))
# Rows for these belong to the table of transforms, or they are contexts, classes and set-up.
NO_ROW = frozenset(
    f"jax.{name}"
    for name in (
        "Array Device NamedSharding P Ref Shard allow_f16_reductions array_garbage_collection_guard auto_pcast "
        "check_tracer_leaks checking_leaks checkpoint custom_gradient custom_jvp custom_vjp debug_infs debug_key_reuse "
        "debug_nans default_device default_matmul_precision default_prng_impl disable_jit enable_checks "
        "enable_custom_prng enable_x64 ensure_compile_time_eval explain_cache_misses fwd_and_bwd grad hessian jacfwd "
        "jacrev jax2tf_associative_scan_reductions jit jvp legacy_prng_key linear_transpose linearize log_compiles "
        "make_jaxpr make_user_context named_scope no_execution no_tracing numpy_dtype_promotion numpy_rank_promotion "
        "pmap remove_size_one_mesh_axis_from_type set_mesh shard_map smap softmax_custom_jvp thread_guard "
        "threefry_partitionable transfer_guard transfer_guard_device_to_device transfer_guard_device_to_host "
        "transfer_guard_host_to_device value_and_grad vjp vmap closure_convert eval_shape"
    ).split()
)
# Equal in meaning by their documentation, though not the same object.
DOCUMENTED = {
    "jax.jacobian": "jax.jacrev",
    "jax.remat": "jax.checkpoint",
    "jax.experimental.pjit.pjit": "jax.jit",
    "jax.experimental.shard_map.shard_map": "jax.shard_map",
}
# Gone from this JAX, of the same meaning as the name its changelog gives in their place.
FORMER = {
    "jax.ad_checkpoint.checkpoint": "jax.checkpoint",
    "jax.ad_checkpoint.remat": "jax.checkpoint",
    "jax.experimental.enable_x64": "jax.enable_x64",
    "jax.experimental.maps.Mesh": "jax.sharding.Mesh",
    "jax.experimental.PartitionSpec": "jax.P",
    "jax.experimental.pjit.PartitionSpec": "jax.P",
    "jax.experimental.pjit.NamedSharding": "jax.NamedSharding",
    "jax.experimental.pjit.with_sharding_constraint": "jax.lax.with_sharding_constraint",
    "jax.interpreters.pxla.Mesh": "jax.sharding.Mesh",
    "jax.interpreters.pxla.PartitionSpec": "jax.P",
    "jax.interpreters.pxla.device_put": "jax.device_put",
    "jax.interpreters.xla.DeviceArray": "jax.Array",
    "jax.lax.zeros_like_array": "jax.numpy.zeros_like",
    "jax.core.get_aval": "jax.typeof",
    "jax.linear_util.wrap_init": "jax.extend.linear_util.wrap_init",
    "jax.nn.normalize": "jax.nn.standardize",
    "jax.numpy.DeviceArray": "jax.Array",
    "jax.numpy.row_stack": "jax.numpy.vstack",
    "jax.numpy.in1d": "jax.numpy.isin",
    "jax.numpy.product": "jax.numpy.prod",
    "jax.numpy.cumproduct": "jax.numpy.cumprod",
    "jax.numpy.alltrue": "jax.numpy.all",
    "jax.numpy.sometrue": "jax.numpy.any",
    "jax.numpy.round_": "jax.numpy.round",
    "jax.numpy.trapz": "jax.scipy.integrate.trapezoid",
    "jax.abstract_arrays.ShapedArray": "jax.core.ShapedArray",
    "jax.random.KeyArray": "jax.Array",
    "jax.random.PRNGKeyArray": "jax.Array",
    "jax.scipy.linalg.tril": "jax.numpy.tril",
    "jax.scipy.linalg.triu": "jax.numpy.triu",
    "jax.tree_all": "jax.tree.all",
    "jax.tree_flatten": "jax.tree.flatten",
    "jax.tree_leaves": "jax.tree.leaves",
    "jax.tree_map": "jax.tree.map",
    "jax.tree_multimap": "jax.tree.map",
    "jax.tree_reduce": "jax.tree.reduce",
    "jax.tree_structure": "jax.tree.structure",
    "jax.tree_transpose": "jax.tree.transpose",
    "jax.tree_unflatten": "jax.tree.unflatten",
    "jax.tree_util.tree_multimap": "jax.tree.map",
    "jax.tree_util.build_tree": "jax.tree.unflatten",
    "jax.treedef_is_leaf": "jax.tree_util.treedef_is_leaf",
    "jax.xla.Device": "jax.Device",
}


def has_row(name: str) -> bool:
    """Whether the functions table has a row for this public name."""
    return name not in NO_ROW and name.rpartition(".")[0] not in ONLY_ALIASES


def public_objects() -> dict[str, Any]:
    """Every public callable of the covered modules by dotted name, in order of preference."""
    found: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for path in MODULES:
            module = importlib.import_module(path)
            names = sorted({*vars(module), *getattr(module, "_deprecations", ())})
            for name in names:
                value = getattr(module, name, None)
                if name.startswith("_") or not callable(value) or isinstance(value, types.ModuleType):
                    continue
                if path in OWN_NAMES_ONLY and getattr(value, "__module__", None) != path:
                    continue
                found[f"{path}.{name}"] = value
    return found


def canonical_names(objects: dict[str, Any]) -> dict[str, str]:
    """Each public name whose object has a better name, with that better name."""
    first: dict[int, str] = {}
    aliases = dict(DOCUMENTED)
    for name, value in objects.items():
        module, _, word = name.rpartition(".")
        known = first.setdefault(id(value), name)
        if known.rpartition(".")[0] == module and word == getattr(value, "__name__", None):
            first[id(value)] = name
    for name, value in objects.items():
        if name not in aliases and first[id(value)] != name:
            aliases[name] = first[id(value)]
    for name, value in objects.items():
        twin = documented_twin(value)
        twin = aliases.get(twin, twin)
        if twin != name and name not in aliases and twin in objects and same_parameters(value, objects[twin]):
            aliases[name] = twin
    for name in aliases:
        while aliases[name] in aliases:
            aliases[name] = aliases[aliases[name]]
    return aliases


def documented_twin(value: Any) -> str:
    """The name in a docstring that begins with "Alias of :func:`name`", or the empty string."""
    text = inspect.getdoc(value) if not isinstance(value, type) else None
    head, _, rest = (text or "").partition("Alias of :func:`")
    return "" if head or not rest else rest.partition("`")[0]


def same_parameters(one: Any, other: Any) -> bool:
    def shape(value: Any) -> list[tuple[str, Any]]:
        return [(name, each.kind) for name, each in parameters_of(value).items()]

    return shape(one) == shape(other)


def parameters_of(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
    """The public parameters in order; a universal function has its two (or one) operands."""
    if type(function).__name__ == "ufunc" and type(function).__module__.startswith("jax"):
        operands = ("x",) if function.nin == 1 else tuple(f"x{each + 1}" for each in range(function.nin))  # type: ignore[attr-defined]
        return operation_parameters(operands, ("out", "where"))
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return {}
    return {name: each for name, each in signature.parameters.items() if not name.startswith("_")}


def operation_parameters(operands: Sequence[str], options: Sequence[str]) -> dict[str, inspect.Parameter]:
    """Operands by position alone and options, None by default, by keyword alone."""
    by_position, by_keyword = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY
    found = {each: inspect.Parameter(each, by_position) for each in operands}
    return found | {each: inspect.Parameter(each, by_keyword, default=None) for each in options}


def spelled(parameters: Mapping[str, inspect.Parameter]) -> tuple[str, ...]:
    """Positional names, '*' or '*name', keyword-only names, '**name'."""
    words: list[str] = []
    starred = False
    for name, parameter in parameters.items():
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            words.append(f"*{name}")
            starred = True
        elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
            words.append(f"**{name}")
        else:
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not starred:
                words.append("*")
                starred = True
            words.append(name)
    return tuple(words)
