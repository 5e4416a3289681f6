# %% attribute of jax: the oldest name for mapping a pytree is gone
import jax
import jax.numpy as jnp

weights = {"dense": jnp.ones((3, 2)), "bias": jnp.zeros(2)}
halved = jax.tree_map(lambda leaf: leaf * 0.5, weights)  #! JAX901


# %% inside a helper: the line raises when the helper is called
import jax
import jax.numpy as jnp


def apply_updates(params, grads, rate):
    return jax.tree_multimap(lambda p, g: p - rate * g, params, grads)  #! JAX901


apply_updates([jnp.ones(2)], [jnp.ones(2)], 0.1)


# %% import from, renamed: the import raises, its uses are not reported again
from jax.tree_util import tree_multimap as tm  #! JAX901


def average(left, right):
    return tm(lambda a, b: 0.5 * (a + b), left, right)


average([1.0], [2.0])


# %% one name of several in a parenthesised import
from jax.tree_util import (
    tree_leaves,
    tree_multimap,  #! JAX901
    tree_structure,
)

print(tree_leaves({"a": 1}), tree_structure({"a": 1}))
print(tree_multimap(lambda a, b: a + b, [1], [2]))


# %% alias of a submodule
import jax.tree_util as jtu

print(jtu.tree_map(lambda leaf: leaf + 1, [1, 2]))
print(jtu.tree_multimap(lambda a, b: a + b, [1], [2]))  #! JAX901


# %% the module under an alias of an alias
import jax

tree_functions = jax.tree_util
print(tree_functions.tree_multimap(lambda a, b: a + b, [1], [2]))  #! JAX901


# %% jax itself under another name
import jax as jx

print(jx.tree_leaves({"a": 1.0}))  #! JAX901


# %% jax.config as a module: `from jax.config import config` was the way until 0.4.25
from jax.config import config  #! JAX901

config.update("jax_enable_x64", True)


# %% the same, imported as a module
import jax.config  #! JAX901


# %% jax.config as an attribute is right, and so is importing it from jax
import jax
from jax import config

config.update("jax_enable_x64", config.jax_enable_x64)
jax.config.update("jax_debug_nans", jax.config.jax_debug_nans)


# %% an option that JAX no longer has
import jax

jax.config.update("jax_spmd_mode", "allow_all")  #! JAX901


# %% module that is gone: `from package import module`
from jax.experimental import maps  #! JAX901

print(maps.xmap)


# %% module that is gone: a name from it
from jax.experimental.maps import xmap  #! JAX901

print(xmap)


# %% module that is gone: everything from it
from jax.experimental.host_callback import *  #! JAX901


# %% module that is gone: import under an alias
import jax.experimental.host_callback as hcb  #! JAX901

hcb.id_print(1.0)


# %% import inside a function: raises when the function runs
def report(value):
    from jax.experimental.host_callback import id_print  #! JAX901

    return id_print(value)


report(1.0)


# %% attribute of a module that is gone
import jax

print(jax.util.safe_zip([1], [2]))  #! JAX901


# %% NumPy names that jnp had
import jax.numpy as jnp

rate = jnp.array([0.1, 0.2, 0.4])
print(jnp.product(rate))  #! JAX901


# %% trapezoidal rule under its old name, through jax.numpy written out
import jax

time = jax.numpy.linspace(0.0, 1.0, 16)
energy = jax.numpy.trapz(time**2, time)  #! JAX901


# %% `from jax import numpy`
from jax import numpy as np

print(np.in1d(np.arange(3), np.array([1])))  #! JAX901


# %% rounding
import jax.numpy as jnp


class Quantizer:
    def __init__(self, step):
        self.step = step

    def __call__(self, x):
        return jnp.fix(x / self.step) * self.step  #! JAX901


Quantizer(0.25)(jnp.linspace(0.0, 1.0, 5))


# %% a function that is passed on, not called
import jax

sizes = list(map(jax.tree_leaves, [[1], [2, 3]]))  #! JAX901


# %% stored in a table
import jax.numpy as jnp

REDUCTIONS = {
    "sum": jnp.sum,
    "prod": jnp.product,  #! JAX901
    "max": jnp.max,
}


# %% default argument
import jax


def count(tree, flatten=jax.tree_leaves):  #! JAX901
    return len(flatten(tree))


# %% norun an annotation that Python evaluates: the runner of this file postpones annotations
import jax.numpy as jnp


def scale(x: jnp.DeviceArray, factor: float):  #! JAX901
    return x * factor


# %% base class
import jax


class Checked(jax.core.Primitive):  #! JAX901
    pass


# %% isinstance
import jax


def is_literal(atom):
    return isinstance(atom, jax.core.Literal)  #! JAX901


jaxpr = jax.make_jaxpr(lambda x: x + 1.0)(2.0)
print([is_literal(atom) for atom in jaxpr.eqns[0].invars])


# %% exception class in a handler: looked up only when something raises
import jax


def compile_or_none(fn, x):
    try:
        return jax.jit(fn).lower(x).compile()
    except jax.lib.xla_extension.XlaRuntimeError:  #! JAX901
        return None


compile_or_none(lambda x: x.nothing, 1.0)


# %% decorator
import jax
import jax.numpy as jnp


@jax.mask(in_shapes=["n"], out_shape="")  #! JAX901
def masked_sum(x):
    return jnp.sum(x)


# %% under jit: raises while tracing
import jax
import jax.numpy as jnp


@jax.jit
def normalise(tree):
    total = sum(jnp.sum(leaf) for leaf in jax.tree_leaves(tree))  #! JAX901
    return jax.tree.map(lambda leaf: leaf / total, tree)


normalise({"a": jnp.ones(3)})


# %% inside a scanned body
import jax
import jax.numpy as jnp


def body(carry, x):
    carry = jax.tree_map(lambda leaf: leaf + x, carry)  #! JAX901
    return carry, None


jax.lax.scan(body, (jnp.zeros(2), jnp.ones(2)), jnp.arange(3.0))


# %% inside a comprehension
import jax

shapes = [jax.tree_structure(tree) for tree in ({"a": 1}, {"b": 2})]  #! JAX901


# %% inside a lambda
import jax

to_list = lambda tree: jax.tree_leaves(tree)  #! JAX901
to_list((1, 2))


# %% walrus
import jax

if (leaves := jax.tree_leaves([1, 2])) and len(leaves) > 1:  #! JAX901
    print(leaves)


# %% keyword: the limits of clip
import jax.numpy as jnp


def bounded(x, low, high):
    return jnp.clip(x, a_min=low, a_max=high)  #! JAX901 JAX901


bounded(jnp.arange(4.0), 1.0, 2.0)


# %% clip with limits by position, and by their new names
import jax.numpy as jnp

print(jnp.clip(jnp.arange(4.0), 1.0, 2.0), jnp.clip(jnp.arange(4.0), min=1.0), jnp.arange(4.0).clip(max=2.0))


# %% keyword: newshape
import jax.numpy as jnp

print(jnp.reshape(jnp.arange(6.0), newshape=(2, 3)))  #! JAX901


# %% keyword: interpolation
import jax.numpy as jnp


def median(x):
    return jnp.quantile(x, 0.5, interpolation="midpoint")  #! JAX901


median(jnp.arange(4.0))


# %% keyword: kind of sorting, with a function imported by name
import jax.numpy as jnp
from jax.numpy import argsort, sort

print(sort(jnp.array([3.0, 1.0, 2.0]), stable=True))
print(argsort(jnp.array([3.0, 1.0, 2.0]), kind="stable"))  #! JAX901


# %% keyword: where by name
import jax.numpy as jnp

x = jnp.linspace(-1.0, 1.0, 5)
print(jnp.where(condition=x > 0, x=x, y=0.0))  #! JAX901 JAX901 JAX901


# %% raises-elsewhere keyword through functools.partial: raises when the partial is called
from functools import partial

import jax.numpy as jnp

positive = partial(jnp.clip, a_min=0.0)  #! JAX901
print(positive(jnp.arange(-2.0, 2.0)))


# %% keyword of a function that is the project's own
import jax.numpy as jnp


def clip(x, a_min=None, a_max=None):
    return jnp.clip(x, a_min, a_max)


print(clip(jnp.arange(4.0), a_min=1.0))


# %% keyword of NumPy's own clip
import numpy as np

print(np.clip(np.arange(4.0), a_min=1.0, a_max=2.0), np.quantile(np.arange(4.0), 0.5, method="midpoint"))


# %% softmax's initial
import jax
import jax.numpy as jnp


def attention(scores):
    return jax.nn.softmax(scores, axis=-1, initial=-jnp.inf)  #! JAX901


attention(jnp.ones((2, 3)))


# %% method of an array: its device buffer
import jax.numpy as jnp

positions = jnp.zeros((4, 3))
print(positions.device_buffer)  #! JAX901


# %% method of an array: device() became a property
import jax.numpy as jnp

positions = jnp.zeros((4, 3))
print(positions.device, positions.devices())
print(positions.device())  #! JAX901


# %% method of an array made by a transformed function
import jax
import jax.numpy as jnp

halves = jax.jit(lambda x: x * 2.0)(jnp.arange(4.0)).split(2)  #! JAX901


# %% attributes of the same name on other objects
class Camera:
    device_buffer = b""

    def device(self):
        return "front"

    def split(self, sep):
        return [self, sep]


camera = Camera()
print(camera.device_buffer, camera.device(), camera.split(","), "a,b".split(","))


# %% unknown receiver: an argument may be anything
def describe(x):
    return x.device_buffer, x.layout, x.to_py()


class Recorded:
    device_buffer = layout = None

    def to_py(self):
        return []


describe(Recorded())


# %% method of a compiled function
import jax
import jax.numpy as jnp

compiled = jax.jit(jnp.sin).lower(jnp.ones(3)).compile()
print(compiled.input_layouts)  #! JAX901


# %% guarded by hasattr
import jax

if hasattr(jax, "tree_map"):
    mapped = jax.tree_map(lambda leaf: leaf + 1, [1, 2])
else:
    mapped = jax.tree.map(lambda leaf: leaf + 1, [1, 2])
print(mapped)


# %% guarded by hasattr of what came instead
import jax


def tree_leaves(tree):
    if hasattr(jax, "tree") and hasattr(jax.tree, "leaves"):
        return jax.tree.leaves(tree)
    return jax.tree_leaves(tree)


tree_leaves([1, 2])


# %% guarded by `not hasattr`
import jax.numpy as jnp

if not hasattr(jnp, "trapezoid"):
    trapezoid = jnp.trapz
else:
    trapezoid = jnp.trapezoid
print(trapezoid(jnp.arange(3.0)))


# %% guarded conditional expression
import jax

tree_map = jax.tree.map if hasattr(jax, "tree") else jax.tree_map
print(tree_map(lambda leaf: -leaf, [1]))


# %% guarded by `and`
import jax.numpy as jnp

multiply = (hasattr(jnp, "product") and jnp.product) or jnp.prod
print(multiply(jnp.arange(1.0, 4.0)))


# %% guarded by the version as a tuple
import jax

if jax.__version_info__ >= (0, 4, 25):
    flatten = jax.tree.flatten
else:
    flatten = jax.tree_flatten
print(flatten({"a": 1}))


# %% guarded by the version, early return
import jax


def tree_structure(tree):
    if jax.__version_info__ >= (0, 4, 25):
        return jax.tree.structure(tree)
    return jax.tree_structure(tree)


tree_structure({"a": 1})


# %% guarded by a constant made from the version
import jax

OLD = jax.__version_info__ < (0, 6, 0)


def unflatten(treedef, leaves):
    if OLD:
        return jax.tree_unflatten(treedef, leaves)
    return jax.tree.unflatten(treedef, leaves)


unflatten(jax.tree.structure([1, 2]), [3, 4])


# %% guarded by the version as text, through packaging
import jax
from packaging.version import Version

if Version(jax.__version__) < Version("0.6.0"):
    transpose = jax.tree_transpose
else:
    transpose = jax.tree.transpose
print(transpose)


# %% guarded by a parsed version
import jax

major, minor, *_ = (int(part) for part in jax.__version__.split(".")[:3])
if (major, minor) < (0, 6):
    leaves = jax.tree_leaves([1, 2])
else:
    leaves = jax.tree.leaves([1, 2])
print(leaves)


# %% guarded import by version
import jax

if jax.__version_info__ < (0, 4, 31):
    from jax.experimental.maps import xmap
else:
    xmap = None
print(xmap)


# %% guarded by hasattr, three generations in a chain
import jax

if hasattr(jax, "new_ref") and hasattr(jax, "Ref"):
    from jax import Ref
elif hasattr(jax, "array_ref") and hasattr(jax, "ArrayRef"):
    from jax import ArrayRef as Ref
else:
    from jax.experimental import MutableArray as Ref
print(Ref)


# %% guarded by hasattr, each step asked for within one expression
import jax


def is_sharded(x):
    return hasattr(jax, "pxla") and hasattr(jax.pxla, "ShardedDeviceArray") and isinstance(x, jax.pxla.ShardedDeviceArray)


is_sharded(1.0)


# %% guarded by a method that values of newer versions have
import jax


def tangent_type(x):
    if hasattr(jax, "typeof"):
        aval = jax.typeof(x)
    else:
        aval = jax.core.get_aval(x)
    if hasattr(aval, "to_tangent_aval"):
        aval = aval.to_tangent_aval()
    else:
        aval = jax.core.raise_to_shaped(aval)
    return aval


tangent_type(1.0)


# %% guarded by version ranges
import jax


def trace_level():
    if jax.__version_info__ <= (0, 4, 33):
        return jax.core.cur_sublevel()
    elif jax.__version_info__ < (0, 10, 0):
        return jax.core.get_opaque_trace_state(convention="levels")
    else:
        return None


trace_level()


# %% a condition that says nothing about JAX is no guard
import jax

verbose = True
if verbose:
    print(jax.tree_leaves([1, 2]))  #! JAX901


# %% try around an import
try:
    from jax.tree_util import tree_multimap
except ImportError:
    from jax.tree_util import tree_map as tree_multimap

print(tree_multimap(lambda a, b: a + b, [1], [2]))


# %% try around an import, the old name as the fallback
try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

print(shard_map)


# %% try around an import of a module
try:
    import jax.experimental.host_callback as hcb
except ModuleNotFoundError:
    hcb = None

print(hcb)


# %% try around an attribute
import jax

try:
    tree_map = jax.tree_map
except AttributeError:
    tree_map = jax.tree.map

print(tree_map(lambda leaf: leaf + 1, [1]))


# %% try around an attribute, with everything caught
import jax.numpy as jnp

try:
    total = jnp.product(jnp.arange(1.0, 4.0))
except Exception:
    total = jnp.prod(jnp.arange(1.0, 4.0))
print(total)


# %% try around a keyword
import jax.numpy as jnp


def clip(x, low, high):
    try:
        return jnp.clip(x, min=low, max=high)
    except TypeError:
        return jnp.clip(x, a_min=low, a_max=high)


clip(jnp.arange(4.0), 1.0, 2.0)


# %% a try that catches something else
import jax

try:
    print(jax.tree_leaves([1, 2]))  #! JAX901
except ValueError:
    print("not this")


# %% suppress
import contextlib

with contextlib.suppress(ImportError):
    from jax.experimental import maps

    print(maps)


# %% a test that expects the error
import jax
import pytest


def test_tree_map_is_gone():
    with pytest.raises(AttributeError):
        jax.tree_map


test_tree_map_is_gone()


# %% getattr with a default
import jax

tree_map = getattr(jax, "tree_map", None) or jax.tree_util.tree_map
print(tree_map(lambda leaf: leaf + 1, [1]))


# %% asked for by name
import importlib.util

import jax.numpy as jnp

print("product" in dir(jnp), hasattr(jnp, "trapz"), importlib.util.find_spec("jax.experimental.maps"))


# %% under TYPE_CHECKING nothing is imported
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax.core import ClosedJaxpr, Jaxpr


def equations(jaxpr: Jaxpr | ClosedJaxpr) -> int:
    return len(jaxpr.eqns)


# %% text is not code
import jax

HELP = "replace jax.tree_map by jax.tree.map"
SOURCE = """
from jax.experimental import maps
jax.tree_multimap(f, a, b)
"""
# jax.tree_map was the name once
print(HELP, len(SOURCE), compile("jax.tree_map", "<text>", "eval"))


# %% a function of the project's own with an old name
import jax


def tree_map(f, tree):
    return jax.tree.map(f, tree)


class Tree:
    def tree_map(self, f):
        return tree_map(f, self)


print(tree_map(lambda leaf: leaf + 1, [1]))


# %% a namespace of the project's own called jnp
class jnp:
    @staticmethod
    def product(values):
        result = 1
        for value in values:
            result *= value
        return result


print(jnp.product([1, 2, 3]))


# %% a parameter called jax
import types


def leaves(jax, tree):
    return jax.tree_leaves(tree)


leaves(types.SimpleNamespace(tree_leaves=list), (1, 2))


# %% a local variable called jax
import types

import jax


def leaves(tree):
    jax = types.SimpleNamespace(tree_leaves=list)
    return jax.tree_leaves(tree)


print(leaves((1, 2)), jax.tree.leaves((1, 2)))


# %% the name is bound again before it is used
import jax.numpy as jnp
import numpy as np

values = jnp.arange(1.0, 4.0)
jnp = np
print(jnp.trapezoid(jnp.asarray(values)), jnp.fix(1.5))


# %% NumPy under the name jnp
import numpy as jnp

print(jnp.fix(jnp.array([1.5, -1.5])), jnp.clip(jnp.arange(3), a_min=1, a_max=2))


# %% star import next to a function of the project's own
from jax.tree_util import *


def tree_multimap(f, *trees):
    return tree_map(f, *trees)


print(tree_multimap(lambda a, b: a + b, [1], [2]))


# %% a shim puts the old name back: it is there from then on
import jax

if not hasattr(jax, "tree_transpose"):
    jax.tree_transpose = jax.tree.transpose
print(jax.tree_transpose)
del jax.tree_transpose


# %% names that only look old
import jax
import jax.numpy as jnp

x = jnp.arange(4.0)
print(jax.tree_util.tree_map(jnp.sin, [x]), jnp.prod(x), jnp.trapezoid(x), jnp.trunc(x), jax.make_jaxpr(jnp.sin)(x))
print(jax.core.Tracer, jax.core.ShapedArray, jax.errors.TracerArrayConversionError, jax.host_id(), jax.tree_util.Partial)


# %% attributes that JAX has again under an old name
import jax

print(jax.ad, jax.memory)


# %% a version that is too old is refused: what follows runs with every newer one
import jax

if jax.__version_info__ < (0, 4, 25):
    raise ImportError("this needs a newer JAX")
print(jax.tree_leaves([1, 2]))  #! JAX901


# %% what is not there is refused: the name that follows is there
import jax

if not hasattr(jax, "tree_leaves"):
    leaves = [1, 2]
else:
    assert hasattr(jax, "tree_leaves")
    leaves = jax.tree_leaves([1, 2])
print(leaves)


# %% a flag that a try sets
try:
    from jax.tree import leaves

    HAS_TREE = True
except ImportError:
    HAS_TREE = False

import jax

print(leaves([1, 2]) if HAS_TREE else jax.tree_leaves([1, 2]))


# %% a flag that is set before the try
import jax

OLD = True
try:
    jax.tree.leaves
except AttributeError:
    pass
else:
    OLD = False


def count(tree):
    if not OLD:
        return len(jax.tree.leaves(tree))
    return len(jax.tree_leaves(tree))


count([1, 2])


# %% a module or nothing
import jax

try:
    import jax.tree as tree
except ImportError:
    tree = None

if tree is None:
    print(jax.tree_leaves([1, 2]))
else:
    print(tree.leaves([1, 2]))


# %% the new name is tried first, and the function is left with it
import jax


def leaves_of(tree):
    try:
        from jax.tree import leaves

        return leaves(tree)
    except ImportError:
        pass
    return jax.tree_leaves(tree)


leaves_of([1, 2])


# %% a helper that is called only where the version asks for it
import jax


def _old_leaves(tree):
    return jax.tree_leaves(tree)


def leaves(tree):
    if jax.__version_info__ >= (0, 4, 25):
        return jax.tree.leaves(tree)
    return _old_leaves(tree)


leaves([1, 2])


# %% a helper that is also called without asking
import jax


def old_leaves(tree):
    return jax.tree_leaves(tree)  #! JAX901


def leaves(tree):
    if jax.__version_info__ < (0, 4, 25):
        return old_leaves(tree)
    return jax.tree.leaves(tree)


print(leaves([1, 2]), old_leaves([1, 2]))


# %% functions and classes that are made where the version asks for them
import jax

if hasattr(jax, "tree"):

    def leaves(tree):
        return jax.tree.leaves(tree)

    class Structure:
        def of(self, tree):
            return jax.tree.structure(tree)

else:

    def leaves(tree):
        return jax.tree_leaves(tree)

    class Structure:
        def of(self, tree):
            return jax.tree_structure(tree)


print(leaves([1, 2]), Structure().of([1]))


# %% the version through a helper of the project's own
import jax


def version_of(module):
    return tuple(int(part) for part in module.__version__.split(".")[:2])


if version_of(jax) < (0, 4):
    print(jax.tree_leaves([1, 2]))


# %% the version from the metadata of the package
import importlib.metadata

import jax
from packaging import version

JAX = version.parse(importlib.metadata.version("jax"))
IS_OLD = JAX < version.parse("0.4.25")
leaves = jax.tree_leaves if IS_OLD else jax.tree.leaves
print(leaves([1, 2]))


# %% asked for in the module's contents
import jax
import jax.numpy as jnp

if "trapz" in dir(jnp):
    print(jnp.trapz(jnp.arange(3.0)))
if "tree_leaves" in jax.__dict__:
    print(jax.tree_leaves([1]))


# %% asked for in a signature
import inspect

import jax.numpy as jnp

if "a_min" in inspect.signature(jnp.clip).parameters:
    print(jnp.clip(jnp.arange(3.0), a_min=1.0))
else:
    print(jnp.clip(jnp.arange(3.0), min=1.0))


# %% whether an argument is an array says nothing about JAX
import jax
import jax.numpy as jnp


def size(x):
    if hasattr(x, "shape"):
        return sum(leaf.size for leaf in jax.tree_leaves(x))  #! JAX901
    return 1


size(jnp.ones(3))


# %% asked for by name without a default
import jax

print(getattr(jax, "tree_leaves")([1, 2]))  #! JAX901


# %% a name that may be of JAX or of another library
import jax
import numpy as np


def backend_of(use_jax):
    xp = jax.numpy if use_jax else np
    return xp.fix(np.array([0.5]))


backend_of(False)


# %% a keyword that is refused: any value but the default
import jax.numpy as jnp

print(jnp.sort(jnp.array([2.0, 1.0]), kind="stable"))  #! JAX901


# %% a keyword that is refused: NotImplementedError
import jax
import jax.numpy as jnp

print(jax.checkpoint(jnp.sin, concrete=True)(1.0))  #! JAX901


# %% a wrapper hands on the default of a keyword that is refused
import jax.numpy as jnp


def ordered(values, axis=-1, kind=None):
    return jnp.sort(values, axis=axis, kind=kind)


print(ordered(jnp.array([2.0, 1.0])), jnp.argsort(jnp.array([2.0, 1.0]), kind=None))


# %% an option that is asked for first
import jax

if "jax_pmap_shmap_merge" in jax.config.values:
    jax.config.update("jax_pmap_shmap_merge", False)


def uses_old_pmap():
    if "jax_pmap_shmap_merge" in jax.config.values:
        return not jax.config.jax_pmap_shmap_merge
    return "jax_pmap_shmap_merge" not in jax.config.values or jax.config.jax_pmap_shmap_merge


print(uses_old_pmap())


# %% an option that is not asked for
import jax

if "jax_enable_x64" in jax.config.values:
    print(jax.config.jax_enable_x64)
jax.config.update("jax_pmap_shmap_merge", False)  #! JAX901


# %% a test of the version the wrong way round: what is gone is asked of the versions that lack it
import jax
from packaging.version import Version

NEW = Version(jax.__version__) >= Version("0.6.0")


def double(tree):
    if jax.__version_info__ < (0, 6, 0):
        return jax.tree.map(lambda x: 2 * x, tree)
    else:
        return jax.tree_map(lambda x: 2 * x, tree)  #! JAX901


def halve(tree):
    if NEW:
        return jax.tree_map(lambda x: x / 2, tree)  #! JAX901
    return jax.tree.map(lambda x: x / 2, tree)


def negate(tree):
    if not jax.__version__ >= "0.6.0":
        return jax.tree.map(lambda x: -x, tree)
    else:
        return jax.tree_map(lambda x: -x, tree)  #! JAX901


double({"w": 1.0})


# %% a test of the version the right way round, or one that says too little
import sys

import jax
from packaging import version


def double(tree):
    if version.parse(jax.__version__) < version.parse("0.6"):
        return jax.tree_map(lambda x: 2 * x, tree)
    return jax.tree.map(lambda x: 2 * x, tree)


def halve(tree):
    if jax.__version_info__[:2] >= (0, 6):
        return jax.tree.map(lambda x: x / 2, tree)
    else:
        return jax.tree_map(lambda x: x / 2, tree)


def negate(tree):
    if jax.__version_info__ >= (0, 4, 25) and sys.version_info < (3, 9):
        return jax.tree_map(lambda x: -x, tree)
    if jax.__version_info__ >= (0, 6):
        if hasattr(jax, "tree_map"):
            return jax.tree_map(lambda x: -x, tree)
        try:
            return jax.tree_map(lambda x: -x, tree)
        except AttributeError:
            return jax.tree.map(lambda x: -x, tree)
    return tree


def too_new(tree):
    if jax.__version_info__ >= (0, 6):
        raise ImportError("for older versions of JAX")
    return jax.tree_map(lambda x: x, tree)


tree = {"w": 1.0}
double(tree), halve(tree), negate(tree)


# %% a version that a function of the project's own finds out, whatever it is asked for
import importlib

import jax


def numbers(text):
    for i, char in enumerate(text):
        if char not in "0123456789.":
            text = text[:i]
            break
    return tuple(int(each) for each in text.split("."))


def version_of(module):
    if isinstance(module, str):
        module = importlib.import_module(module)
    return numbers(module.__version__)


def count_of(text):
    return numbers(text)


def half(tree):
    if version_of("jax") >= (0, 6):
        return jax.tree.map(lambda x: x / 2, tree)
    return jax.tree_map(lambda x: x / 2, tree)


def double(tree):
    if version_of(jax) < (0, 6):
        return jax.tree_map(lambda x: x * 2, tree)
    return jax.tree.map(lambda x: x * 2, tree)


def negate(tree, many):
    if count_of(many) >= (0, 6):
        return jax.tree_map(lambda x: -x, tree)  #! JAX901
    return tree


half({"w": 1.0}), double({"w": 1.0}), negate({"w": 1.0}, "0.7")


# %% keyword of the callback: `pure_callback` hands `vectorized` on to the function, which takes it
import jax
import numpy as np


def host(x, vectorized=True):
    return np.sin(x) if vectorized else x


print(jax.pure_callback(host, jax.ShapeDtypeStruct((), "float32"), 1.0, vectorized=True))


# %% any keyword of the callback: a lambda, a partial, a method and an object take it too
import functools

import jax
import numpy as np


class Host:
    def sine(self, x, *, vectorized):
        return np.sin(x)

    def __call__(self, x, vectorized=False):
        return np.sin(x)


shape = jax.ShapeDtypeStruct((), "float32")
print(jax.pure_callback(lambda x, **options: np.sin(x), shape, 1.0, vectorized=True))
print(jax.pure_callback(functools.partial(Host().sine), shape, 1.0, vectorized=True))
print(jax.pure_callback(Host().sine, shape, 1.0, vectorized=True))
print(jax.pure_callback(Host(), shape, 1.0, vectorized=True))


# %% norun keyword that nobody takes: JAX hands it on to a function without it
import jax
import numpy as np


def host(x):
    return np.sin(x)


print(jax.pure_callback(host, jax.ShapeDtypeStruct((), "float32"), 1.0, vectorized=True))  #! JAX901


# %% since 0.11: internals of jax.core that were deprecated in 0.10
import jax

print(jax.core.gensym())  #! JAX901


# %% since 0.11: the same in an annotation that Python evaluates
import jax


def effects_of(jaxpr) -> jax.core.Effects:  #! JAX901
    return jaxpr.effects


# %% since 0.11: the same from an import
from jax.core import DropVar  #! JAX901

print(DropVar)


# %% since 0.11: what jax.core moved to jax.extend.core, and was taken from there
from jax.extend import core

print(core.call_impl)  #! JAX901


# %% since 0.11: a module that does nothing any more
import jax.cloud_tpu_init  #! JAX901


# %% since 0.11: the first parameter of make_mesh has another name
import jax

mesh = jax.make_mesh(axis_shapes=(1,), axis_names=("x",))  #! JAX901


# %% the same by position
import jax

mesh = jax.make_mesh((1,), ("x",))


# %% since 0.11.1: a module whose functions went
from jax.experimental.shard_alike import shard_alike  #! JAX901


# %% since 0.11.1: an option
import jax

jax.config.update("jax_memory_fitting_effort", 0.5)  #! JAX901


# %% since 0.11: what a project of its own calls by such a name
import jax


class core:
    @staticmethod
    def gensym():
        return iter("abc")


print(core.gensym(), jax.__version__)


# %% a method of arrays that is asked for first
import jax.numpy as jnp


def on_host(x):
    if hasattr(x, "to_py"):
        return x.to_py()
    return x


x = jnp.ones(2)
print(on_host(x), x.to_py() if hasattr(x, "to_py") else x)


# %% norun: a handler of another error
try:
    import jax

    jax.tree_map(abs, 1)  #! JAX901
    from jax.core import Jaxpr

    jax.tree_leaves(1)
except ImportError:
    jax = None

try:
    import jax

    jax.tree_map(abs, 1)
except (ImportError, AttributeError):
    jax = None

try:
    from jax import tree_map
except ImportError:
    tree_map = None

try:
    import jax

    jax.tree_map(abs, 1)
except Exception:
    jax = None
