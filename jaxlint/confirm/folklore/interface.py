"""Names: what JAX has, no longer has, or has by now."""

from __future__ import annotations

from jaxlint.claim import Claim
from jaxlint.confirm.folklore.entry import Case, Folklore

_HASHED = """
import jax
import jax.numpy as jnp

x = jnp.ones(2)


@jax.jit
def keyed(x):
    return {x: 1}[x]
"""

_PARTIAL_VALUE = """
import jax
from jax.interpreters import partial_eval

internal, public = hasattr(partial_eval, "PartialVal"), hasattr(jax, "PartialVal")
"""

_LOOKUP = """
import jax
import jax.numpy as jnp

table, places = jnp.arange(1000.0), jnp.arange(100)


@jax.jit
def by_index(places):
    return table[places]


@jax.jit
def by_product(places):
    return jax.nn.one_hot(places, 1000) @ table


def operations(f):
    cost = f.lower(places).compile().cost_analysis()
    cost = cost[0] if isinstance(cost, list) else cost
    return cost.get("flops", 0.0)


agree = bool((by_index(places) == by_product(places)).all())
few, many = operations(by_index), operations(by_product)
"""

_INTERPOLATED = """
import jax.numpy as jnp
import numpy as np

points, xs, ys = np.linspace(0, 10, 7), np.array([0.0, 3.0, 10.0]), np.array([1.0, 5.0, -2.0])
ours, theirs = jnp.interp(points, xs, ys), np.interp(points, xs, ys)
agree = bool(np.allclose(ours, theirs, atol=1e-5))
"""

_GRID = """
import jax.numpy as jnp
from jax.scipy.interpolate import RegularGridInterpolator

grid = RegularGridInterpolator((jnp.arange(3.0), jnp.arange(3.0)), jnp.arange(9.0).reshape(3, 3))
between = float(grid(jnp.array([[0.5, 0.5]]))[0])
"""

_FOREIGN = """
import jax
import jax.numpy as jnp
import numpy as np

with jax.default_device(jax.devices("cpu")[0]):
    matrix = jnp.array([[4.0, 2.0], [2.0, 3.0]])
    root = jnp.linalg.cholesky(matrix)
    call = jax.ffi.ffi_call(
        "lapack_spotrf_ffi",
        (jax.ShapeDtypeStruct((2, 2), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32)),
        input_output_aliases={0: 0},
    )
    foreign, status = jax.jit(lambda m: call(m, uplo=np.uint8(ord("L"))))(matrix)
    agree = bool(jnp.allclose(jnp.triu(foreign), root.T)) and int(status) == 0
registers = hasattr(jax.ffi, "register_ffi_target")
"""

_SPARSE = """
import jax.numpy as jnp
from jax.experimental import sparse

dense = jnp.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0]])
kept = sparse.BCOO.fromdense(dense)
agree = (kept @ jnp.ones(3)).tolist() == (dense @ jnp.ones(3)).tolist()
"""

_SPATIAL = """
import importlib

import jax.numpy as jnp


def exists(module, name):
    try:
        return hasattr(importlib.import_module(module), name)
    except ImportError:
        return False


tree = exists("jax.scipy.spatial", "KDTree")
rotation = exists("jax.scipy.spatial.transform", "Rotation")
"""

_DEVICE_ARRAY = """
import jax
import jax.numpy as jnp

named = hasattr(jnp, "DeviceArray")
is_array = isinstance(jnp.ones(2), jax.Array)
"""

_CAPITAL = """
from importlib.util import find_spec

found = find_spec("Jax") is not None and find_spec("Jax.numpy") is not None
"""

ENTRIES = (
    Folklore(
        25,
        "arrays-have-no-hash",
        "Hashing a JAX array is a problem.",
        "notes 000 and 001, links",
        "true",
        "Arrays have no hash, and tracers have none either.",
        (
            Case(Claim("raises", error="builtins.TypeError", text="unhashable", calls=("hash(x)",)), _HASHED),
            Case(
                Claim("raises", error="builtins.TypeError", text="unhashable", calls=("keyed(x)",)),
                _HASHED,
                when="inside jit",
            ),
        ),
    ),
    Folklore(
        26,
        "partial-val-is-internal",
        "PartialVal is a hidden part of JAX's inside.",
        "notes 000 and 001, links",
        "true",
        "It is there, and not among what JAX offers.",
        (Case(Claim("same", calls=("(internal, public)", "(True, False)")), _PARTIAL_VALUE),),
    ),
    Folklore(
        33,
        "fast-lookup-tables",
        "Tables can be looked up fast in JAX.",
        "notes 000 and 001, links",
        "true",
        "Indexing gives what a product with one-hot rows gives, at less than a hundredth of the operations.",
        (
            Case(Claim("differs", calls=("few", "many")), _LOOKUP),
            Case(Claim("same", calls=("(agree, 100 * few < many)", "(True, True)")), _LOOKUP),
        ),
    ),
    Folklore(
        34,
        "no-interp",
        "`np.interp` is missing in JAX, so that one has to write it, and one in n dimensions.",
        "notes 000 and 001, links",
        "false",
        "`jnp.interp` gives NumPy's values, and `jax.scipy.interpolate` interpolates on grids.",
        (
            Case(Claim("same", calls=("agree", "False")), _INTERPOLATED, holds=False),
            Case(Claim("same", calls=("between == 2.0", "False")), _GRID, when="n dimensions", holds=False),
        ),
    ),
    Folklore(
        37,
        "custom-operations",
        "JAX can be extended with operations of one's own in C++ or CUDA.",
        "notes 000 and 001, links",
        "true",
        "A function of LAPACK called through `jax.ffi` under jit gives what the library's own operation "
        "gives, and there is a way to register others.",
        (
            Case(Claim("same", calls=("agree", "True"), since="0.5.0"), _FOREIGN),
            Case(Claim("same", calls=("registers", "True"), since="0.5.0"), _FOREIGN),
        ),
    ),
    Folklore(
        38,
        "experimental-sparse",
        "There is experimental support for sparse matrices.",
        "notes 000 and 001, links",
        "true",
        "A product with a sparse matrix equals that with the dense one, and only what is not zero is kept.",
        (
            Case(Claim("same", calls=("agree", "True")), _SPARSE),
            Case(Claim("same", calls=("int(kept.nse)", "3")), _SPARSE),
        ),
    ),
    Folklore(
        39,
        "no-scipy-spatial",
        "`scipy.spatial` is not there in JAX, nor a KDTree.",
        "notes 000 and 001, links",
        "depends",
        "There is no KDTree. Rotations are there.",
        (
            Case(Claim("same", calls=("tree", "False")), _SPATIAL, when="KDTree"),
            Case(Claim("same", calls=("rotation", "False")), _SPATIAL, when="Rotation", holds=False),
        ),
    ),
    Folklore(
        40,
        "arrays-are-device-arrays",
        "The type of an array is DeviceArray.",
        "notes 000 and 003",
        "false",
        "The name was removed; an array is a `jax.Array`.",
        (Case(Claim("same", calls=("named", "True")), _DEVICE_ARRAY, holds=False),),
        rule="JAX901",
    ),
    Folklore(
        83,
        "import-jax-with-a-capital",
        "`import Jax as jnp` gives the module with the arrays.",
        "note 004, mutable states",
        "false",
        "There is no such module; it is jax.numpy.",
        (Case(Claim("same", calls=("found", "True")), _CAPITAL, holds=False),),
    ),
)
