"""One place for what differs between versions of JAX."""

import functools
import inspect

import jax

NEW_TREE = jax.__version_info__ >= (0, 4, 25)

try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

try:
    from jax.experimental.maps import xmap
except ImportError:
    xmap = None

if NEW_TREE:
    tree_map = jax.tree.map
    tree_leaves = jax.tree.leaves
else:
    tree_map = jax.tree_map
    tree_leaves = jax.tree_leaves

if hasattr(jax, "enable_x64"):
    enable_x64 = jax.enable_x64
else:
    from jax.experimental import enable_x64

PRECISE = getattr(jax.numpy, "trapezoid", None) or jax.numpy.trapz


def is_primitive(x):
    try:
        from jax.extend.core import Primitive
    except ImportError:
        from jax.core import Primitive
    return isinstance(x, Primitive)


@functools.cache
def checks_keyword():
    """The keyword of shard_map that turns its checks off: it was renamed."""
    names = inspect.signature(shard_map).parameters
    return "check_vma" if "check_vma" in names else "check_rep"
