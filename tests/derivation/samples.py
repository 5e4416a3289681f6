"""Working arguments for library functions.

In: a function's name and parameters. Out: candidate sets of arguments, the likeliest first:
those written here by hand, or values chosen by the names of the parameters and combined with
one array for all the rest. Whether a candidate works is found by running it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.experimental import sparse
from jax.sharding import SingleDeviceSharding

VECTOR = np.array([0.25, 0.5, 0.75], np.float32)
MATRIX = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]], np.float32)
INTEGERS = np.array([2, 0, 1], np.int32)
BOOLEANS = np.array([True, False, True])
COMPLEX = np.array([1 + 1j, 0.5, 0.25], np.complex64)
SCALAR = np.float32(0.5)
CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
IMAGE = np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
HEADS = np.ones((1, 4, 2, 2), np.float32)
KERNEL = np.ones((1, 1, 2, 2), np.float32)
TREE = {"a": VECTOR, "b": MATRIX}
KEY = jax.random.key(0)

FILLERS: tuple[Any, ...] = (
    VECTOR,
    MATRIX,
    INTEGERS,
    SCALAR,
    BOOLEANS,
    COMPLEX,
    [VECTOR, VECTOR],
    CUBE,
    KEY,
    3,
)

# Arguments that a parameter of this name is given, wherever it is.
BY_NAME: dict[str, Any] = {
    "N": 3,
    "M": 3,
    "a_shape": (3,),
    "allow_negative_indices": True,
    "arrays": [VECTOR, VECTOR],
    "aweights": None,
    "axes": (0,),
    "axis": 0,
    "axis1": 0,
    "axis2": 1,
    "axis_name": "i",
    "axisa": 0,
    "axisb": 0,
    "axisc": 0,
    "bias": False,
    "bool": True,
    "choices": [VECTOR, VECTOR],
    "cols": 3,
    "copy": True,
    "ddof": 0,
    "deg": 1,
    "dimension": 0,
    "dimensions": (0,),
    "dtype": np.float32,
    "endpoint": True,
    "exponent_bits": 5,
    "fun": jnp.sin,
    "func": jnp.sin,
    "hermitian": False,
    "in_axis": -2,
    "index_dtype": np.int32,
    "indices_or_sections": 1,
    "is_stable": True,
    "k": 1,
    "keepdims": True,
    "key": KEY,
    "length": 4,
    "mantissa_bits": 5,
    "n": 2,
    "ndim": 2,
    "new_dtype": np.int32,
    "new_sizes": (3, 1),
    "norm": None,
    "num": 4,
    "num_segments": 3,
    "offset": 0,
    "operands": [VECTOR, VECTOR],
    "ord": 2,
    "out_axis": -1,
    "rank": 2,
    "repeats": 2,
    "s": None,
    "segment_ids": INTEGERS,
    "shape": (3,),
    "size": 3,
    "sizes": (2,),
    "tree": TREE,
    "total_repeat_length": 6,
    "tup": [VECTOR, VECTOR],
    "type_": "linear",
    "weights": None,
    "where": None,
}

# Values for optional parameters whose default is None.
OPTIONAL: dict[str, Any] = {
    "accuracy": None,
    "batch_size": 1,
    "decimals": 1,
    "fill_value": 0,
    "inner": 1,
    "initial": 0.0,
    "lower": True,
    "minlength": 3,
    "mode": "clip",
    "ndmin": 1,
    "order": "C",
    "period": 1.0,
    "precision": "highest",
    "preferred_element_type": np.float32,
    "stop": 3,
    "step": 1,
    "max": 1.0,
    "min": 0.0,
}

# Further values of parameters whose meaning differs from function to function.
ALTERNATIVES: dict[str, tuple[Any, ...]] = {
    "axes": ((0, 1), ((0,), (0,)), 1),
    "device": (jax.devices()[0],),
    "mode": ("valid", "low", "constant", "reduced", "r", "right"),
    "axis": (-1, 1),
    "dims": ((3, 3),),
    "dtype": (np.int32, np.uint32, np.complex64),
}
# A second call, for a dtype that depends on more than the arrays of the first.
VARIANTS: dict[str, dict[str, Any]] = {
    "jax.numpy.arange": {"start": 0.5},
}

# Functions whose result is made by a function among their arguments.
BY_ARGUMENT = frozenset(
    f"jax.{name}"
    for name in (
        "lax.associative_scan lax.cond lax.custom_linear_solve lax.custom_root lax.fori_loop lax.map "
        "lax.platform_dependent lax.scan lax.switch lax.while_loop tree.reduce tree.reduce_associative "
        "pure_callback experimental.io_callback"
    ).split()
)
# Functions that fetch to the host what is not traced.
FETCHING = frozenset(("jax.device_get", "jax.experimental.multihost_utils.process_allgather"))
# Other ways to call a function, in which arrays are where texts are in the first one.
FORMS: dict[str, tuple[dict[str, Any], ...]] = {
    "jax.numpy.einsum": ({"subscripts": VECTOR, "operands": ([0], VECTOR, [0])},),
    "jax.numpy.einsum_path": ({"subscripts": VECTOR, "operands": ([0], VECTOR, [0])},),
}
# Functions that are another function where they are given this argument alone.
UNARY = {"jax.numpy.where": "condition"}
# What functions give back, under the name of its class.
RETURNED = {"jax.nn.initializers.Initializer": jax.nn.initializers.normal()}
# Functions that make keys of the old style, which are integer arrays to JAX.
LEGACY_KEYS = frozenset(("jax.random.PRNGKey",))

GATHER = lax.GatherDimensionNumbers((), (0,), (0,))
SCATTER = lax.ScatterDimensionNumbers((), (0,), (0,))
ROWS = np.array([[0], [2]], np.int32)
TWO = np.ones(2, np.float32)
DENSE: Any = jnp.asarray(MATRIX)
SPARSE, COMPRESSED, COORDINATES, ROWWISE = (
    kind.fromdense(DENSE) for kind in (sparse.BCOO, sparse.BCSR, sparse.COO, sparse.CSR)
)


def same(*arguments: Any) -> Any:
    """The first argument: a body, branch, solver or callback that changes nothing."""
    return arguments[0]


STRUCTURE = jax.tree.structure(TREE)
PLANE: dict[str, Any] = {"lhs": IMAGE, "rhs": KERNEL, "window_strides": (1, 1), "padding": "VALID"}
SHAPES: dict[str, Any] = {
    "lhs_shape": (1, 1, 4, 4),
    "rhs_shape": (1, 1, 2, 2),
    "window_strides": (1, 1),
    "padding": "VALID",
    "dimension_numbers": ("NCHW", "OIHW", "NCHW"),
}
SCATTERED: dict[str, Any] = {
    "operand": VECTOR,
    "scatter_indices": ROWS,
    "updates": TWO,
    "dimension_numbers": SCATTER,
}
UPDATED = {"operand": VECTOR, "update": TWO}
FACTORS: dict[str, Any] = {"dl": VECTOR, "d": VECTOR + 3, "du": VECTOR, "b": MATRIX}
TOKEN = lax.create_token()  # type: ignore[no-untyped-call]
LAYOUT = SingleDeviceSharding(jax.devices()[0])
PRODUCT = (((1,), (0,)), ((), ()))

# Arguments of one function, in addition to the above; the whole call where it needs more.
BY_FUNCTION: dict[str, dict[str, Any]] = {
    "jax.block_until_ready": {"x": TREE},
    "jax.copy_to_host_async": {"x": TREE},
    "jax.custom_gradient": {"fun": jnp.sin},
    "jax.debug.callback": {"callback": print, "args": ()},
    "jax.debug.log": {"fmt": "x {}", "args": (VECTOR,)},
    "jax.debug.print": {"fmt": "x {}", "args": (VECTOR,)},
    "jax.debug.visualize_sharding": {"shape": (3,), "sharding": LAYOUT},
    "jax.device_get": {"x": VECTOR},
    "jax.device_put": {"x": TREE},
    "jax.ds": {"start": 0, "size": 2},
    "jax.dtypes.canonicalize_dtype": {"dtype": np.float64},
    "jax.dtypes.result_type": {"args": (VECTOR, INTEGERS)},
    "jax.experimental.checkify.check": {"pred": True, "msg": "no", "fmt_args": ()},
    "jax.experimental.checkify.debug_check": {"pred": True, "msg": "no", "fmt_args": ()},
    "jax.experimental.io_callback": {"callback": same, "result_shape_dtypes": VECTOR, "args": (VECTOR,)},
    "jax.experimental.multihost_utils.sync_global_devices": {"name": "start"},
    "jax.experimental.ode.odeint": {"func": lambda y, t: y, "y0": VECTOR, "t": VECTOR, "args": ()},
    "jax.experimental.sparse.BCOO": {"args": (TWO, np.array([[0], [2]])), "shape": (3,)},
    "jax.experimental.sparse.BCSR": {
        "args": (TWO, np.array([0, 1]), np.array([0, 1, 2])),
        "shape": (2, 2),
    },
    "jax.experimental.sparse.bcoo_broadcast_in_dim": {
        "mat": SPARSE,
        "shape": (2, 3, 3),
        "broadcast_dimensions": (1, 2),
    },
    "jax.experimental.sparse.bcoo_concatenate": {"operands": [SPARSE, SPARSE], "dimension": 0},
    "jax.experimental.sparse.bcoo_dot_general": {"lhs": SPARSE, "rhs": MATRIX, "dimension_numbers": PRODUCT},
    "jax.experimental.sparse.bcoo_dynamic_slice": {
        "mat": SPARSE,
        "start_indices": (0, 0),
        "slice_sizes": (2, 2),
    },
    "jax.experimental.sparse.bcoo_extract": {"sparr": SPARSE, "arr": MATRIX},
    "jax.experimental.sparse.bcoo_fromdense": {"mat": MATRIX},
    "jax.experimental.sparse.bcoo_multiply_dense": {"sp_mat": SPARSE, "v": MATRIX},
    "jax.experimental.sparse.bcoo_multiply_sparse": {"lhs": SPARSE, "rhs": SPARSE},
    "jax.experimental.sparse.bcoo_reduce_sum": {"mat": SPARSE, "axes": (0,)},
    "jax.experimental.sparse.bcoo_reshape": {"mat": SPARSE, "new_sizes": (9,)},
    "jax.experimental.sparse.bcoo_rev": {"operand": SPARSE, "dimensions": (0,)},
    "jax.experimental.sparse.bcoo_slice": {"mat": SPARSE, "start_indices": (0, 0), "limit_indices": (2, 2)},
    "jax.experimental.sparse.bcoo_sort_indices": {"mat": SPARSE},
    "jax.experimental.sparse.bcoo_squeeze": {
        "arr": sparse.BCOO.fromdense(DENSE[:1]),
        "dimensions": (0,),
    },
    "jax.experimental.sparse.bcoo_sum_duplicates": {"mat": SPARSE, "nse": 9},
    "jax.experimental.sparse.bcoo_todense": {"mat": SPARSE},
    "jax.experimental.sparse.bcoo_transpose": {"mat": SPARSE, "permutation": (1, 0)},
    "jax.experimental.sparse.bcoo_update_layout": {"mat": SPARSE, "n_batch": 0},
    "jax.experimental.sparse.bcsr_dot_general": {
        "lhs": COMPRESSED,
        "rhs": MATRIX,
        "dimension_numbers": PRODUCT,
    },
    "jax.experimental.sparse.bcsr_fromdense": {"mat": MATRIX},
    "jax.experimental.sparse.bcsr_sum_duplicates": {"mat": COMPRESSED, "nse": 9},
    "jax.experimental.sparse.bcsr_todense": {"mat": COMPRESSED},
    "jax.experimental.sparse.coo_matmat": {"mat": COORDINATES, "B": MATRIX},
    "jax.experimental.sparse.coo_matvec": {"mat": COORDINATES, "v": VECTOR},
    "jax.experimental.sparse.coo_todense": {"mat": COORDINATES},
    "jax.experimental.sparse.csr_matmat": {"mat": ROWWISE, "B": MATRIX},
    "jax.experimental.sparse.csr_matvec": {"mat": ROWWISE, "v": VECTOR},
    "jax.experimental.sparse.csr_todense": {"mat": ROWWISE},
    "jax.image.resize": {"image": MATRIX, "shape": (6, 6), "method": "linear"},
    "jax.image.scale_and_translate": {
        "image": MATRIX,
        "shape": (6, 6),
        "spatial_dims": (0, 1),
        "scale": TWO,
        "translation": TWO,
        "method": "linear",
    },
    "jax.lax.after_all": {"operands": (TOKEN,)},
    "jax.lax.all_gather": {"x": VECTOR},
    "jax.lax.all_to_all": {"x": VECTOR[:2], "split_axis": 0, "concat_axis": 0},
    "jax.lax.associative_scan": {"fn": jnp.add, "elems": VECTOR},
    "jax.lax.broadcast_in_dim": {"operand": VECTOR, "shape": (2, 3), "broadcast_dimensions": (1,)},
    "jax.lax.collapse": {"operand": MATRIX, "start_dimension": 0, "stop_dimension": 2},
    "jax.lax.composite": {"decomposition": jnp.sin, "name": "my.sin"},
    "jax.lax.cond": {"pred": True, "true_fun": jnp.sin, "false_fun": jnp.cos, "operands": (VECTOR,)},
    "jax.lax.conv": PLANE,
    "jax.lax.conv_dimension_numbers": SHAPES,
    "jax.lax.conv_general_dilated": PLANE,
    "jax.lax.conv_general_dilated_local": {
        **PLANE,
        "filter_shape": (2, 2),
        "rhs": np.ones((1, 4, 3, 3), np.float32),
    },
    "jax.lax.conv_general_dilated_patches": {**PLANE, "filter_shape": (2, 2)},
    "jax.lax.conv_general_permutations": SHAPES,
    "jax.lax.conv_general_shape_tuple": SHAPES,
    "jax.lax.conv_shape_tuple": {**SHAPES, "strides": (1, 1), "pads": ((0, 0), (0, 0))},
    "jax.lax.conv_transpose": {
        "lhs": IMAGE,
        "rhs": KERNEL,
        "strides": (1, 1),
        "padding": "VALID",
        "dimension_numbers": ("NCHW", "OIHW", "NCHW"),
    },
    "jax.lax.conv_transpose_shape_tuple": SHAPES,
    "jax.lax.conv_with_general_padding": {**PLANE, "lhs_dilation": (1, 1), "rhs_dilation": (1, 1)},
    "jax.lax.custom_linear_solve": {"matvec": same, "b": VECTOR, "solve": lambda f, b: b, "symmetric": True},
    "jax.lax.custom_root": {
        "f": same,
        "initial_guess": SCALAR,
        "solve": lambda f, x: x,
        "tangent_solve": lambda g, y: y / g(1.0),
    },
    "jax.lax.dot_general": {"lhs": MATRIX, "rhs": MATRIX, "dimension_numbers": PRODUCT},
    "jax.lax.dynamic_index_in_dim": {"operand": VECTOR, "index": 0},
    "jax.lax.dynamic_slice": {"operand": VECTOR, "start_indices": (0,), "slice_sizes": (2,)},
    "jax.lax.dynamic_slice_in_dim": {"operand": VECTOR, "start_index": 0, "slice_size": 2},
    "jax.lax.dynamic_update_index_in_dim": {"operand": VECTOR, "update": SCALAR, "index": 0},
    "jax.lax.dynamic_update_slice": {**UPDATED, "start_indices": (0,)},
    "jax.lax.dynamic_update_slice_in_dim": {**UPDATED, "start_index": 0},
    "jax.lax.fft": {"x": COMPLEX, "fft_type": lax.FftType.FFT, "fft_lengths": (3,)},
    "jax.lax.fori_loop": {"lower": 0, "upper": 3, "body_fun": lambda i, x: x, "init_val": VECTOR},
    "jax.lax.gather": {
        "operand": VECTOR,
        "start_indices": ROWS,
        "dimension_numbers": GATHER,
        "slice_sizes": (1,),
    },
    "jax.lax.index_in_dim": {"operand": VECTOR, "index": 0},
    "jax.lax.index_take": {"src": VECTOR, "idxs": (INTEGERS,)},
    "jax.lax.map": {"f": jnp.sin, "xs": VECTOR},
    "jax.lax.optimization_barrier": {"operand": TREE},
    "jax.lax.pad": {"operand": VECTOR, "padding_value": np.float32(0), "padding_config": ((1, 1, 0),)},
    "jax.lax.padtype_to_pads": {
        "in_shape": (4,),
        "window_shape": (2,),
        "window_strides": (1,),
        "padding": "SAME",
    },
    "jax.lax.platform_dependent": {"args": (VECTOR,), "default": jnp.sin},
    "jax.lax.pmax": {"x": TREE},
    "jax.lax.pmean": {"x": TREE},
    "jax.lax.pmin": {"x": TREE},
    "jax.lax.ppermute": {"x": VECTOR, "perm": [(0, 1), (1, 0)]},
    "jax.lax.pshuffle": {"x": VECTOR, "perm": [1, 0]},
    "jax.lax.psum": {"x": TREE},
    "jax.lax.psum_scatter": {"x": VECTOR[:2]},
    "jax.lax.pswapaxes": {"x": VECTOR[:2], "axis": 0},
    "jax.lax.ragged_dot": {"lhs": MATRIX, "rhs": CUBE[:, :3, :], "group_sizes": np.array([1, 2], np.int32)},
    "jax.lax.reduce": {
        "operands": VECTOR,
        "init_values": np.float32(0),
        "computation": lax.add,
        "dimensions": (0,),
    },
    "jax.lax.reduce_window": {
        "operand": VECTOR,
        "init_value": 0.0,
        "computation": lax.add,
        "window_dimensions": (2,),
    },
    "jax.lax.reduce_window_shape_tuple": {
        "operand_shape": (4,),
        "window_dimensions": (2,),
        "window_strides": (1,),
        "padding": ((0, 0),),
    },
    "jax.lax.rng_bit_generator": {"key": np.ones(4, np.uint32)},
    "jax.lax.scan": {"f": lambda carry, x: (carry, x), "init": SCALAR, "xs": VECTOR},
    "jax.lax.scatter": SCATTERED,
    "jax.lax.scatter_add": SCATTERED,
    "jax.lax.scatter_apply": {
        "operand": VECTOR,
        "scatter_indices": ROWS,
        "func": jnp.sin,
        "dimension_numbers": SCATTER,
        "update_shape": (2,),
    },
    "jax.lax.scatter_max": SCATTERED,
    "jax.lax.scatter_min": SCATTERED,
    "jax.lax.scatter_mul": SCATTERED,
    "jax.lax.scatter_sub": SCATTERED,
    "jax.lax.select_n": {"which": BOOLEANS, "cases": (VECTOR, VECTOR)},
    "jax.lax.slice": {"operand": VECTOR, "start_indices": (0,), "limit_indices": (2,)},
    "jax.lax.slice_in_dim": {"operand": VECTOR, "start_index": 0, "limit_index": 2},
    "jax.lax.sort": {"operand": VECTOR},
    "jax.lax.split": {"operand": VECTOR, "sizes": (1, 2)},
    "jax.lax.squeeze": {"array": VECTOR[:1], "dimensions": (0,)},
    "jax.lax.stop_gradient": {"x": TREE},
    "jax.lax.switch": {"index": 0, "branches": [jnp.sin, jnp.cos], "operands": (VECTOR,)},
    "jax.lax.tile": {"operand": VECTOR, "reps": (2,)},
    "jax.lax.transpose": {"operand": MATRIX, "permutation": (1, 0)},
    "jax.lax.while_loop": {"cond_fun": lambda x: x[0] < 0, "body_fun": jnp.sin, "init_val": VECTOR},
    "jax.lax.with_sharding_constraint": {"x": TREE, "shardings": LAYOUT},
    "jax.lax.linalg.cholesky_update": {"r_matrix": MATRIX, "w_vector": VECTOR},
    "jax.lax.linalg.householder_product": {"a": MATRIX, "taus": VECTOR},
    "jax.lax.linalg.lu_pivots_to_permutation": {"pivots": INTEGERS, "permutation_size": 4},
    "jax.lax.linalg.ormqr": {"a": MATRIX, "taus": VECTOR, "c": MATRIX},
    "jax.lax.linalg.tridiagonal_solve": FACTORS,
    "jax.make_array_from_callback": {
        "shape": (3,),
        "sharding": LAYOUT,
        "data_callback": lambda index: VECTOR[index],
    },
    "jax.make_array_from_process_local_data": {"sharding": LAYOUT, "local_data": VECTOR},
    "jax.make_array_from_single_device_arrays": {
        "shape": (3,),
        "sharding": LAYOUT,
        "arrays": [jnp.asarray(VECTOR)],
    },
    # Its first parameter has another name since JAX 0.11.1.
    "jax.make_mesh": {next(iter(inspect.signature(jax.make_mesh).parameters)): (1,), "axis_names": ("x",)},
    "jax.nn.dot_product_attention": {"query": HEADS, "key": HEADS, "value": HEADS},
    "jax.nn.initializers.variance_scaling": {"scale": 1.0, "mode": "fan_in", "distribution": "normal"},
    "jax.nn.one_hot": {"x": INTEGERS, "num_classes": 3},
    "jax.nn.standardize": {"x": VECTOR},
    "jax.numpy.arange": {"start": 3},
    "jax.numpy.apply_along_axis": {"func1d": jnp.sum, "axis": 0, "arr": MATRIX, "args": ()},
    "jax.numpy.apply_over_axes": {"func": jnp.sum, "a": MATRIX, "axes": (0,)},
    "jax.numpy.argpartition": {"a": VECTOR, "kth": 1},
    "jax.numpy.array_split": {"ary": VECTOR, "indices_or_sections": 2},
    "jax.numpy.choose": {"a": INTEGERS, "choices": [VECTOR, VECTOR, VECTOR]},
    "jax.numpy.clip": {"arr": VECTOR, "min": VECTOR, "max": VECTOR},
    "jax.numpy.compress": {"condition": BOOLEANS, "a": VECTOR},
    "jax.numpy.einsum": {"subscripts": "i,i->i", "operands": (VECTOR, VECTOR)},
    "jax.numpy.einsum_path": {"subscripts": "i,i->i", "operands": (VECTOR, VECTOR)},
    "jax.numpy.extract": {"condition": BOOLEANS, "arr": VECTOR},
    "jax.numpy.fill_diagonal": {"a": MATRIX, "val": 0.5, "inplace": False},
    "jax.numpy.fromfunction": {"function": jnp.add, "shape": (2, 3)},
    "jax.numpy.fromstring": {"string": "1 2", "sep": " "},
    "jax.numpy.full_like": {"a": VECTOR, "fill_value": 0.5},
    "jax.numpy.geomspace": {"start": 1.0, "stop": 8.0},
    "jax.numpy.isin": {"element": INTEGERS, "test_elements": INTEGERS},
    "jax.numpy.linspace": {"start": 0.0, "stop": 1.0},
    "jax.numpy.logspace": {"start": 0.0, "stop": 1.0},
    "jax.numpy.mask_indices": {"n": 3, "mask_func": jnp.triu},
    "jax.numpy.meshgrid": {"xi": (VECTOR, VECTOR)},
    "jax.numpy.moveaxis": {"a": MATRIX, "source": 0, "destination": 1},
    "jax.numpy.nan_to_num": {"x": VECTOR},
    "jax.numpy.partition": {"a": VECTOR, "kth": 1},
    "jax.numpy.percentile": {"a": VECTOR, "q": SCALAR},
    "jax.numpy.piecewise": {
        "x": VECTOR,
        "condlist": [BOOLEANS, BOOLEANS],
        "funclist": [jnp.sin, jnp.cos],
        "args": (),
    },
    "jax.numpy.place": {"arr": VECTOR, "mask": BOOLEANS, "vals": TWO, "inplace": False},
    "jax.numpy.put": {"a": VECTOR, "ind": INTEGERS, "v": VECTOR, "inplace": False},
    "jax.numpy.put_along_axis": {
        "arr": VECTOR,
        "indices": INTEGERS,
        "values": VECTOR,
        "axis": 0,
        "inplace": False,
    },
    "jax.numpy.quantile": {"a": VECTOR, "q": SCALAR},
    "jax.numpy.ravel_multi_index": {"multi_index": (INTEGERS, INTEGERS), "dims": (3, 3)},
    "jax.numpy.repeat": {"a": VECTOR, "repeats": INTEGERS},
    "jax.numpy.reshape": {"a": VECTOR, "shape": (3, 1)},
    "jax.numpy.roll": {"a": VECTOR, "shift": 1},
    "jax.numpy.rollaxis": {"a": MATRIX, "axis": 1},
    "jax.numpy.rot90": {"m": MATRIX},
    "jax.numpy.searchsorted": {"a": VECTOR, "v": VECTOR},
    "jax.numpy.select": {"condlist": [BOOLEANS, BOOLEANS], "choicelist": [VECTOR, VECTOR]},
    "jax.numpy.split": {"ary": VECTOR, "indices_or_sections": 3},
    "jax.numpy.take": {"a": VECTOR, "indices": INTEGERS},
    "jax.numpy.take_along_axis": {"arr": VECTOR, "indices": INTEGERS},
    "jax.numpy.tensordot": {"a": MATRIX, "b": MATRIX},
    "jax.numpy.tile": {"A": VECTOR, "reps": (2,)},
    "jax.numpy.unpackbits": {"a": np.ones(2, np.uint8)},
    "jax.numpy.unravel_index": {"indices": INTEGERS, "shape": (2, 2)},
    "jax.numpy.where": {"condition": BOOLEANS, "x": VECTOR, "y": VECTOR},
    "jax.lax.broadcasted_iota": {"dtype": np.int32, "shape": (3,), "dimension": 0},
    "jax.random.multinomial": {"n": 3, "p": VECTOR},
    "jax.lax.select": {"pred": BOOLEANS, "on_true": VECTOR, "on_false": VECTOR},
    "jax.lax.broadcast_shapes": {"shapes": ((2, 3), (3,))},
    "jax.numpy.broadcast_shapes": {"shapes": ((2, 3), (3,))},
    "jax.numpy.indices": {"dimensions": (2, 3)},
    "jax.numpy.roots": {"p": VECTOR},
    "jax.numpy.delete": {"arr": VECTOR, "obj": INTEGERS},
    "jax.numpy.insert": {"arr": VECTOR, "obj": 1, "values": VECTOR},
    "jax.numpy.resize": {"a": VECTOR, "new_shape": (2, 3)},
    "jax.numpy.pad": {"array": VECTOR, "pad_width": 1},
    "jax.numpy.result_type": {"args": (VECTOR, INTEGERS)},
    "jax.numpy.gradient": {"f": VECTOR, "varargs": ()},
    "jax.numpy.array": {"object": VECTOR, "args": ()},
    "jax.numpy.fft.fftfreq": {"n": 4},
    "jax.numpy.fft.rfftfreq": {"n": 4},
    "jax.numpy.linalg.matrix_power": {"a": MATRIX, "n": 2},
    "jax.numpy.linalg.multi_dot": {"arrays": [MATRIX, MATRIX]},
    "jax.ops.segment_sum": {"data": VECTOR, "segment_ids": INTEGERS},
    "jax.pure_callback": {"callback": same, "result_shape_dtypes": VECTOR, "args": (VECTOR,)},
    "jax.random.bits": {"shape": (3,)},
    "jax.random.choice": {"a": VECTOR},
    "jax.random.clone": {"key": KEY},
    "jax.random.fold_in": {"data": 1},
    "jax.random.key": {"seed": 1},
    "jax.random.multivariate_normal": {"mean": VECTOR, "cov": MATRIX},
    "jax.random.permutation": {"x": VECTOR},
    "jax.random.PRNGKey": {"seed": 1},
    "jax.random.randint": {"minval": 0, "maxval": 9},
    "jax.random.split": {"num": 2},
    "jax.random.wrap_key_data": {"key_bits_array": np.ones(2, np.uint32)},
    "jax.ref.addupdate": {"idx": 0, "x": 1.0},
    "jax.reshard": {"xs": TREE, "out_shardings": LAYOUT},
    "jax.scipy.cluster.vq.vq": {"obs": MATRIX, "code_book": MATRIX},
    "jax.scipy.linalg.cho_solve": {"c_and_lower": (MATRIX, True), "b": VECTOR},
    "jax.scipy.linalg.eigh_tridiagonal": {"d": VECTOR, "e": TWO, "eigvals_only": True},
    "jax.scipy.linalg.leslie": {"f": VECTOR, "s": TWO},
    "jax.scipy.linalg.lu_solve": {"lu_and_piv": (MATRIX, INTEGERS), "b": VECTOR},
    "jax.scipy.ndimage.map_coordinates": {"input": MATRIX, "coordinates": [VECTOR, VECTOR], "order": 1},
    "jax.scipy.optimize.minimize": {
        "fun": lambda x: (x**2).sum(),
        "x0": VECTOR,
        "args": (),
        "method": "BFGS",
    },
    "jax.scipy.sparse.linalg.bicgstab": {"A": MATRIX, "b": VECTOR},
    "jax.scipy.sparse.linalg.cg": {"A": MATRIX, "b": VECTOR},
    "jax.scipy.sparse.linalg.gmres": {"A": MATRIX, "b": VECTOR},
    "jax.scipy.special.sph_harm_y": {
        "n": INTEGERS,
        "m": INTEGERS,
        "theta": VECTOR,
        "phi": VECTOR,
        "n_max": 2,
    },
    "jax.scipy.special.zeta": {"x": VECTOR + 1, "q": VECTOR},
    "jax.tree.all": {"tree": {"a": True, "b": False}},
    "jax.tree.broadcast": {"prefix_tree": VECTOR, "full_tree": TREE},
    "jax.tree.map": {"f": same, "tree": TREE, "rest": ()},
    "jax.tree.map_with_path": {"f": lambda path, x: x, "tree": TREE, "rest": ()},
    "jax.tree.reduce": {"function": lambda a, b: a, "tree": TREE},
    "jax.tree.reduce_associative": {"operation": jnp.add, "tree": [VECTOR, VECTOR]},
    "jax.tree.static": {"val": "name"},
    "jax.tree.transpose": {
        "outer_treedef": STRUCTURE,
        "inner_treedef": STRUCTURE,
        "pytree_to_transpose": {"a": TREE, "b": TREE},
    },
    "jax.tree.unflatten": {"treedef": STRUCTURE, "leaves": [VECTOR, MATRIX]},
    "jax.tree_util.treedef_children": {"treedef": STRUCTURE},
    "jax.tree_util.treedef_is_leaf": {"treedef": STRUCTURE},
    "jax.tree_util.treedef_tuple": {"treedefs": [STRUCTURE, STRUCTURE]},
    "jax.extend.random.threefry_2x32": {
        "keypair": np.ones(2, np.uint32),
        "count": np.ones(2, np.uint32),
    },
}


def candidates(name: str, parameters: Mapping[str, inspect.Parameter]) -> Iterator[dict[str, Any]]:
    """Sets of arguments for the required parameters of a function."""
    own = BY_FUNCTION.get(name, {})
    required = [
        each
        for each, parameter in parameters.items()
        if parameter.default is inspect.Parameter.empty
        and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    for filler in FILLERS:
        arguments = {}
        for each in required:
            if each in own:
                continue
            starred = parameters[each].kind is inspect.Parameter.VAR_POSITIONAL
            arguments[each] = (filler, filler) if starred else BY_NAME.get(each, filler)
        yield {each: value for each, value in {**arguments, **own}.items() if each in parameters}
        if all(each in own for each in required):
            return
