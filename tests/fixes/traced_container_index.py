# %% a list of numbers
import jax

SCALES = [1.0, 2.0]


@jax.jit
def scaled(x, level):
    return x * SCALES[level]


assert scaled(3.0, 1) == 6.0

# %% ->
import jax
import jax.numpy as jnp

SCALES = [1.0, 2.0]


@jax.jit
def scaled(x, level):
    return x * jnp.asarray(SCALES)[level]


assert scaled(3.0, 1) == 6.0

# %% a tuple of numbers at the carry of a scan, counted from the end
import jax.numpy as jnp
from jax import lax

RATES = (0.5, 0.25, 0.125)


def train(w, xs):
    def step(carry, x):
        w, epoch = carry
        w = w - RATES[-1 - epoch] * x
        return (w, epoch + 1), w

    return lax.scan(step, (w, 0), xs)


assert train(jnp.float32(1.0), jnp.ones(3))[0][0] == 0.125

# %% ->
import jax.numpy as jnp
from jax import lax

RATES = (0.5, 0.25, 0.125)


def train(w, xs):
    def step(carry, x):
        w, epoch = carry
        w = w - jnp.asarray(RATES)[-1 - epoch] * x
        return (w, epoch + 1), w

    return lax.scan(step, (w, 0), xs)


assert train(jnp.float32(1.0), jnp.ones(3))[0][0] == 0.125

# %% a display of numbers
import jax

weigh = jax.jit(lambda i, x: x + [1, 2, 4][i])

assert weigh(2, 1) == 5

# %% ->
import jax
import jax.numpy as jnp

weigh = jax.jit(lambda i, x: x + jnp.asarray([1, 2, 4])[i])

assert weigh(2, 1) == 5

# %% scalars, and a list that is written in place
import jax
import jax.numpy as jnp


@jax.jit
def pick(a, b, i):
    return [a, b, a + b][i]


assert pick(1.0, 2.0, 2) == 3.0

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def pick(a, b, i):
    return jnp.stack([a, b, a + b])[i]


assert pick(1.0, 2.0, 2) == 3.0

# %% arrays of one shape
import jax
import jax.numpy as jnp


@jax.jit
def pick(x, i):
    rows = [x, 2 * x, jnp.sin(x)]
    return rows[i] + 1


assert pick(jnp.ones(3), 1).tolist() == [3.0, 3.0, 3.0]

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def pick(x, i):
    rows = [x, 2 * x, jnp.sin(x)]
    return jnp.stack(rows)[i] + 1


assert pick(jnp.ones(3), 1).tolist() == [3.0, 3.0, 3.0]

# %% functions of jax.numpy, lambdas and a function
import jax
import jax.numpy as jnp


def twice(v):
    return 2 * v


LAYERS = [jnp.sin, lambda v: -v, twice]


@jax.jit
def layer(i, x):
    return LAYERS[i](x) + [lambda a, b: a, lambda c, d: c - 0 * d][i - 1](x, 1.0)


assert layer(1, 2.0) == 0.0

# %% ->
import jax
import jax.numpy as jnp


def twice(v):
    return 2 * v


LAYERS = [jnp.sin, lambda v: -v, twice]


@jax.jit
def layer(i, x):
    return jax.lax.switch(i, LAYERS, x) + jax.lax.switch(i - 1, [lambda a, b: a, lambda c, d: c - 0 * d], x, 1.0)


assert layer(1, 2.0) == 0.0

# %% numbers that have to be known while tracing
import jax
import jax.numpy as jnp

SIZES = [3, 4]


@jax.jit
def blank(i):
    return jnp.zeros(SIZES[i])


blank(1)

# %% arrays whose shapes are not known to be one
import jax
import jax.numpy as jnp


@jax.jit
def pick(x, y, i):
    return [x, y][i] + [x, x[:2]][i] + [x, 0.0][i]


pick(jnp.ones(3), jnp.ones(3), 0)

# %% a list of arrays that comes from elsewhere
import jax
import jax.numpy as jnp


@jax.jit
def pick(weights, i):
    return weights[i] + 1


pick([jnp.ones(2), jnp.ones(2)], 0)

# %% numbers of several sorts, strings, and what is no sequence
import jax

MIXED = [1, 2.0]
NAMES = ["a", "b"]
COST = {0: 1.0, 1: 2.0}


@jax.jit
def pick(i, x):
    return x + MIXED[i] + COST[i] + len(NAMES[i])


pick(0, 1.0)

# %% integers that an array would not hold
import jax

MASKS = [1, 2**40]


@jax.jit
def pick(i, x):
    return x + MASKS[i]


pick(0, 1.0)

# %% a boolean index would be a mask
import jax


@jax.jit
def pick(x):
    return [1.0, 2.0][x > 0]


pick(0.5)

# %% functions that give results of other shapes or dtypes, or that are not known
import jax
import jax.numpy as jnp


def norms(v, w=1.0):
    return v


@jax.jit
def pick(i, x, n):
    first = [jnp.sum, jnp.sin][i](x)
    second = [jnp.sin, jnp.abs][i](n)
    third = [norms, jnp.sin][i](x)
    fourth = [jnp.sum, jnp.mean][i](x, axis=0)
    return first, second, third, fourth


pick(0, jnp.ones(2), 3)

# %% a list that is changed after it was written
import jax
import jax.numpy as jnp

LAYERS = [jnp.sin, jnp.cos]
LAYERS.append(jnp.sum)


@jax.jit
def pick(i, x):
    return LAYERS[i](x)


pick(0, jnp.ones(2))

# %% an item of the list is changed
import jax
import jax.numpy as jnp


@jax.jit
def pick(i, x):
    layers = [jnp.sin, jnp.cos]
    layers[0] = jnp.sum
    return layers[i](x)


pick(0, jnp.ones(2))

# %% comments stay where they are
import jax

pick = jax.jit(lambda i, x: x + [
    1.0,  # first
    2.0,
][i])
pick(0, 1.0)
