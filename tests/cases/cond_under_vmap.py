# %% predicate of the mapped argument: both branches run for every lane
import jax
import jax.numpy as jnp
from jax import lax


def slow(x):
    return lax.fori_loop(0, 50, lambda i, v: jnp.sin(v), x)


def choose(x):
    return lax.cond(x > 0, slow, lambda v: v, x)  #! JAX602


jax.vmap(choose)(jnp.arange(-2.0, 2.0))

# %% under jit as well: jit(vmap(f)) selects just the same
import jax
import jax.numpy as jnp


def reflect(x, v):
    return jax.lax.cond(x < 0.0, lambda: (-x, -v), lambda: (x, v))  #! JAX602


step = jax.jit(jax.vmap(reflect))
step(jnp.array([-1.0, 2.0]), jnp.ones(2))

# %% decorated: the map is a decorator with axes, the predicate hangs on the mapped one
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.vmap, in_axes=(0, None))
def accept(proposal, threshold):
    better = proposal < threshold
    return jax.lax.cond(better, jnp.exp, jnp.negative, proposal)  #! JAX602


accept(jnp.arange(3.0), 1.5)

# %% through a helper: the predicate's value came in as an argument
import jax
import jax.numpy as jnp


def limiter(slope):
    return jax.lax.cond(slope > 1.0, lambda s: s / (1.0 + s), lambda s: s, slope)  #! JAX602


def flux(left, right):
    return 0.5 * (left + right) * limiter(right - left)


jax.vmap(flux)(jnp.zeros(4), jnp.arange(4.0))

# %% switch with a mapped index: all branches are computed
import jax
import jax.numpy as jnp

ACTIVATIONS = (jnp.tanh, jnp.sin, jnp.exp)


def activate(kind, x):
    return jax.lax.switch(kind, ACTIVATIONS, x)  #! JAX602


jax.vmap(activate)(jnp.array([0, 2, 1]), jnp.ones(3))

# %% while with a mapped condition: every lane goes on until the last is done
import jax
import jax.numpy as jnp


def newton(a):
    def unfinished(x):
        return jnp.abs(x * x - a) > 1e-4

    def improve(x):
        return 0.5 * (x + a / x)

    return jax.lax.while_loop(unfinished, improve, a)  #! JAX602


jax.vmap(newton)(jnp.array([1.0, 2.0, 9.0]))

# %% a lambda in vmap: the mapped function has no name
import jax
import jax.numpy as jnp

xs = jnp.linspace(-1.0, 1.0, 5)
jax.vmap(lambda x: jax.lax.cond(x > 0, jnp.sqrt, jnp.square, x))(xs)  #! JAX502 JAX602

# %% inside a scan inside vmap: the carry is mapped because its start was
import jax
import jax.numpy as jnp


def walk(start):
    def tick(position, _):
        position = jax.lax.cond(position > 3.0, lambda p: p - 3.0, lambda p: p + 1.0, position)  #! JAX602
        return position, position

    return jax.lax.scan(tick, start, None, length=4)


jax.vmap(walk)(jnp.arange(3.0))

# %% a method mapped over particles: self is closed over, the argument is mapped
import jax
import jax.numpy as jnp


class Box:
    def __init__(self, length):
        self.length = length

    def wrap(self, x):
        return jax.lax.cond(x > self.length, lambda v: v - self.length, lambda v: v, x)  #! JAX602

    def wrap_all(self, xs):
        return jax.vmap(self.wrap)(xs)


Box(2.0).wrap_all(jnp.arange(4.0))

# %% vmap of grad: the differentiated function is mapped too
import jax
import jax.numpy as jnp


def huber(r):
    return jax.lax.cond(jnp.abs(r) < 1.0, lambda e: 0.5 * e * e, lambda e: jnp.abs(e) - 0.5, r)  #! JAX602


jax.vmap(jax.grad(huber))(jnp.array([0.5, 3.0]))

# %% reduced over the lane's own axes: any() of a mapped row is still mapped
import jax
import jax.numpy as jnp


def rescue(row):
    bad = jnp.any(jnp.isnan(row))
    return jax.lax.cond(bad, jnp.zeros_like, lambda r: r * 2.0, row)  #! JAX602


jax.vmap(rescue)(jnp.ones((3, 4)))

# %% unbatched predicate: in_axes=None keeps a conditional a conditional
import jax
import jax.numpy as jnp


def layer(training, x):
    return jax.lax.cond(training, lambda v: v * 0.5, lambda v: v, x)


jax.vmap(layer, in_axes=(None, 0))(jnp.asarray(True), jnp.ones(4))

# %% closed over: the predicate comes from outside the mapped function
import jax
import jax.numpy as jnp


@jax.jit
def run(xs, temperature):
    hot = temperature > 1.0

    def one(x):
        return jax.lax.cond(hot, jnp.exp, jnp.sin, x)

    return jax.vmap(one)(xs)


run(jnp.arange(3.0), 2.0)

# %% where: a select that says it is one
import jax
import jax.numpy as jnp


def leaky(x):
    return jnp.where(x > 0, x, 0.01 * x)


jax.vmap(leaky)(jnp.arange(-2.0, 2.0))

# %% not under vmap: cond in plain jit runs one branch
import jax
import jax.numpy as jnp


@jax.jit
def clip_gradient(g):
    norm = jnp.sqrt(jnp.sum(g * g))
    return jax.lax.cond(norm > 1.0, lambda v: v / norm, lambda v: v, g)


clip_gradient(jnp.ones(3))

# %% lax.map: it loops over the rows, each with its own branch
import jax
import jax.numpy as jnp


def choose(x):
    return jax.lax.cond(x > 0, jnp.sqrt, jnp.cos, x)


jax.lax.map(choose, jnp.arange(-2.0, 2.0))

# %% counted loop: the while condition looks at a counter that no lane owns
import jax
import jax.numpy as jnp


def power(x):
    def more(carry):
        return carry[0] < 5

    def square(carry):
        i, v = carry
        return i + 1, v * x

    return jax.lax.while_loop(more, square, (0, x))[1]


jax.vmap(power)(jnp.arange(3.0))

# %% fori_loop with a fixed count: every lane takes as many steps
import jax
import jax.numpy as jnp


def relax(u):
    return jax.lax.fori_loop(0, 10, lambda i, v: 0.5 * (v + jnp.roll(v, 1)), u)


jax.vmap(relax)(jnp.ones((3, 4)))

# %% Python branch on a shape: decided while tracing
import jax
import jax.numpy as jnp


def flatten(x):
    return jax.lax.cond(x.ndim == 2, lambda v: v.sum(), lambda v: v.max(), x)


jax.vmap(flatten)(jnp.ones((2, 3, 3)))

# %% switch on an unmapped index: one branch for the whole batch
import jax
import jax.numpy as jnp


def activate(kind, x):
    return jax.lax.switch(kind, (jnp.tanh, jnp.sin), x)


jax.vmap(activate, in_axes=(None, 0))(1, jnp.ones(3))

# %% partial binds the predicate: what is mapped is only the rest
from functools import partial

import jax
import jax.numpy as jnp


def mix(use_log, x):
    return jax.lax.cond(use_log, jnp.log, jnp.exp, x)


jax.vmap(partial(mix, jnp.asarray(False)))(jnp.ones(3))

# %% reduced over the batch: a mean over the named axis is one number for all lanes
import jax
import jax.numpy as jnp


def normalise(x):
    large = jax.lax.pmean(x, "batch") > 1.0
    return jax.lax.cond(large, lambda v: v / 2.0, lambda v: v, x)


jax.vmap(normalise, axis_name="batch")(jnp.arange(3.0))

# %% outside the mapped function: the branch chooses between two maps
import jax
import jax.numpy as jnp


@jax.jit
def forward(xs, smooth):
    return jax.lax.cond(smooth, jax.vmap(jnp.tanh), jax.vmap(jnp.sign), xs)


forward(jnp.arange(3.0), True)

# %% static choice in Python: a conditional expression on a flag makes no cond
import jax
import jax.numpy as jnp


def build(exact):
    def one(x):
        return jnp.sin(x) if exact else x - x**3 / 6.0

    return jax.jit(jax.vmap(one))


build(True)(jnp.arange(3.0))

# %% loop over the batch in scan: mapped elsewhere, this cond is not
import jax
import jax.numpy as jnp


def update(state, x):
    state = jax.lax.cond(x > state, lambda: x, lambda: state)
    return state, state


def features(x):
    return x * 2.0


jax.lax.scan(update, 0.0, jax.vmap(features)(jnp.arange(4.0)))

# %% random choice without vmap: the key decides, one branch runs
import jax


@jax.jit
def maybe(key, x):
    return jax.lax.cond(jax.random.bernoulli(key), lambda v: -v, lambda v: v, x)


maybe(jax.random.key(0), 1.0)

# %% largest over the batch: a maximum over the named axis is one for all lanes
import jax
import jax.numpy as jnp


def rescale(x):
    peak = jax.lax.pmax(x, "lanes")
    return jax.lax.while_loop(lambda v: v[0] > 1.0, lambda v: (v[0] / 2.0, v[1] / 2.0), (peak, x))[1]


jax.vmap(rescale, axis_name="lanes")(jnp.arange(4.0))

# %% mapped by the body: the carry starts as one number and is each lane's own after a turn
import jax
import jax.numpy as jnp


def settle(rate):
    return jax.lax.while_loop(lambda level: level < 5.0, lambda level: level + rate, 0.0)  #! JAX602


jax.vmap(settle)(jnp.arange(1.0, 4.0))

# %% mapped by the body of a scan: the second step's predicate is each lane's own
import jax
import jax.numpy as jnp


def walk(step):
    def tick(position, _):
        position = jax.lax.cond(position > 2.0, jnp.zeros_like, lambda p: p + 0.0, position)  #! JAX602
        return position + step, position

    return jax.lax.scan(tick, 0.0, None, length=4)


jax.vmap(walk)(jnp.arange(3.0))

# %% shard_map keeps the cond: each device runs one branch
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:1]), ("data",))


def relax(x):
    x = jax.lax.cond(x.sum() > 0, jnp.cos, jnp.sin, x)
    return jax.lax.cond(jax.lax.axis_index("data") == 0, jnp.cos, jnp.sin, x)


jax.shard_map(relax, mesh=mesh, in_specs=P("data"), out_specs=P("data"), check_vma=False)(jnp.ones(3))

# %% the index of a mapped axis is another one for each lane
import jax
import jax.numpy as jnp


def relax(x):
    return jax.lax.cond(jax.lax.axis_index("lanes") == 0, jnp.cos, jnp.sin, x)  #! JAX602


jax.vmap(relax, axis_name="lanes")(jnp.ones(3))
