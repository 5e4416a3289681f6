# %% attribute: a function that only warns
import jax.numpy as jnp
from jax import scipy

z = jnp.linspace(0.1, 0.9, 4)
values, derivatives = scipy.special.lpmn(2, 2, z)  #! JAX902


# %% import from a module
from jax.scipy.special import lpmn_values  #! JAX902

print(lpmn_values.__name__)


# %% import under another name: the import is reported, not its uses
import jax.numpy as jnp
from jax.experimental.pjit import pjit as compile_sharded  #! JAX902

double = compile_sharded(lambda x: x * 2.0)
print(double(jnp.ones(3)))


# %% through an alias of the module
import jax.numpy as jnp
from jax.experimental import pjit as sharded

step = sharded.pjit(jnp.tanh)  #! JAX902
print(step(jnp.ones(3)))


# %% as a decorator
from functools import partial

import jax.numpy as jnp
from jax.experimental import pjit


@partial(pjit.pjit, donate_argnums=())  #! JAX902
def step(x):
    return x + 1.0


step(jnp.ones(3))


# %% shard_map where it used to be
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.shard_map import shard_map  #! JAX902
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("batch",))
total = shard_map(lambda x: x + 1.0, mesh=mesh, in_specs=P("batch"), out_specs=P("batch"))
print(total(jnp.ones(4)))


# %% shard_map where it is
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("batch",))
total = jax.shard_map(lambda x: x + 1.0, mesh=mesh, in_specs=P("batch"), out_specs=P("batch"))
print(total(jnp.ones(4)))


# %% internals of the partitioner, in a function
import jax.interpreters.pxla


def handler():
    return jax.interpreters.pxla.global_avals_to_results_handler  #! JAX902


handler()


# %% since 0.11: a kernel over a mesh, a move inside Pallas, a communication primitive
import jax
from jax.experimental import pallas as pl

print(pl.core_map)  #! JAX902
print(pl.reciprocal)  #! JAX902
print(jax.lax.psend)  #! JAX902


# %% since 0.11: where these are now
from jax.experimental import pallas as pl
from jax.experimental.pallas import tpu as pltpu

print(pl.kernel, pltpu.reciprocal)


# %% since 0.11.1: gone from 0.8.2 on, and there again
from jax.interpreters import ad, batching, partial_eval

print(ad.backward_pass, batching.batch_subtrace, partial_eval.close_jaxpr)


# %% internals of jax.core where they moved to
import jax.extend

print(jax.extend.core.gensym())


# %% in an annotation that Python evaluates
from jax.interpreters import pxla


def flops_of(computation) -> pxla.MeshComputation:  #! JAX902
    return computation


flops_of(None)


# %% in isinstance, with a tuple
import jax
from jax.interpreters import pxla

lowered = jax.jit(lambda x: x * 2.0).lower(1.0)
print(isinstance(lowered, (pxla.MeshComputation, jax.stages.Compiled)))  #! JAX902


# %% in a handler: looked up when something raises
import jax
from jax.interpreters import pxla


def checked(jaxpr):
    try:
        return jaxpr.nothing
    except (getattr(pxla.MeshComputation, "Failed", KeyError), AttributeError):  #! JAX902
        return None


checked(jax.make_jaxpr(lambda x: x)(1.0))


# %% two on one line
from jax.interpreters import pxla

KINDS = pxla.MeshComputation, pxla.global_avals_to_results_handler  #! JAX902 JAX902


# %% since 0.11: a module whose successor is another package
import jax.experimental.pallas.ops.gpu.softmax  #! JAX902


# %% internals of the partitioner
from jax.interpreters import pxla

print(pxla.thread_resources.env)  #! JAX902


# %% keyword: device of jit
import jax
import jax.numpy as jnp

predict = jax.jit(jnp.tanh, device=jax.devices()[0])  #! JAX902
print(predict(jnp.ones(2)))


# %% keyword: backend of jit, through functools.partial
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, backend="cpu")  #! JAX902
def preprocess(batch):
    return (batch - jnp.mean(batch)) / jnp.std(batch)


preprocess(jnp.arange(4.0))


# %% keyword: backend of jit, as a decorator factory
import jax
import jax.numpy as jnp


@jax.jit(backend="cpu")  #! JAX902
def preprocess(batch):
    return batch - jnp.mean(batch)


preprocess(jnp.arange(4.0))


# %% keyword: backend of other functions is right
import jax
import jax.numpy as jnp

print(jax.devices(backend="cpu"), jax.local_devices(backend="cpu"), jax.default_backend())
print(jax.device_put(jnp.ones(2), device=jax.devices()[0]))


# %% keyword: the process of local_devices
import jax

print(jax.local_devices(host_id=0))  #! JAX902
print(jax.local_devices(process_index=0))


# %% keyword: how to compute eigenvalues
import jax
import jax.numpy as jnp

w, left, right = jax.lax.linalg.eig(jnp.eye(2), use_magma=False)  #! JAX902


# %% guarded by hasattr
import jax

if hasattr(jax.core, "no_effects"):
    NO_EFFECTS = jax.core.no_effects
else:
    import jax.extend

    NO_EFFECTS = jax.extend.core.no_effects
print(NO_EFFECTS)


# %% guarded by the version
import jax
import jax.numpy as jnp

if jax.__version_info__ >= (0, 4, 6):
    compiled = jax.jit(jnp.sin)
else:
    from jax.experimental.pjit import pjit

    compiled = pjit(jnp.sin)
print(compiled(1.0))


# %% guarded by the version, the old way first
import jax

if jax.__version_info__ < (0, 6, 1):
    from jax.experimental.shard_map import shard_map
else:
    from jax import shard_map
print(shard_map)


# %% try around an import: the old place is the fallback
try:
    from jax import shard_map
except ImportError:
    from jax.experimental.shard_map import shard_map

print(shard_map)


# %% try around an attribute: the old name is the fallback
import jax

try:
    import jax.extend

    gensym = jax.extend.core.gensym
except (ImportError, AttributeError):
    gensym = jax.core.gensym
print(gensym())


# %% getattr with a default
import jax

print(getattr(jax.core, "no_effects", frozenset()))


# %% under TYPE_CHECKING nothing is imported
from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jax.core import Effects


def pure(effects: Effects) -> bool:
    return not effects


pure(set())


# %% a test that expects the warning
import jax
import jax.numpy as jnp
import pytest


def test_backend_is_deprecated():
    with pytest.warns(DeprecationWarning):
        jax.jit(jnp.sin, backend="cpu")


test_backend_is_deprecated()


# %% the warning is silenced on purpose
import warnings

import jax.numpy as jnp

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from jax.experimental.pjit import pjit

print(pjit(jnp.sin)(1.0))


# %% a function of the project's own called pjit
import functools

import jax
import jax.numpy as jnp


def pjit(fun, in_axis_resources=None, out_axis_resources=None):
    return jax.jit(functools.wraps(fun)(lambda *args: fun(*args)))


print(pjit(jnp.sin, in_axis_resources=None)(1.0))


# %% a method of the project's own called jit
import jax.numpy as jnp


class Compiler:
    def jit(self, fun, backend="cpu", device=None):
        return fun


print(Compiler().jit(jnp.sin, backend="gpu")(1.0))


# %% names that are old, and not deprecated
import jax

print(jax.host_count(), jax.random.PRNGKey, jax.pmap, jax.tree_util.tree_leaves([1]), jax.experimental.io_callback)


# %% a keyword that is None is as good as not given
import jax
import jax.numpy as jnp


def compiled(fun, device=None):
    return jax.jit(fun, device=device, backend=None)


compiled(jnp.sin)(1.0)


# %% postponed annotations are not evaluated
from __future__ import annotations

import jax


def effects_of(jaxpr) -> jax.core.Effects:
    return jaxpr.effects


effects_of(jax.make_jaxpr(lambda x: x + 1.0)(1.0))


# %% the annotation of a field
import dataclasses

from jax.interpreters import pxla


@dataclasses.dataclass
class Traced:
    jaxpr: object
    computation: pxla.MeshComputation  #! JAX902


Traced(None, None)


# %% a try that catches everything else
from jax.interpreters import pxla

try:
    KIND = pxla.MeshComputation  #! JAX902
except KeyError:
    KIND = None
