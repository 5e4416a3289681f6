# %% a conditional expression
import jax
import jax.numpy as jnp


@jax.jit
def leak(x, slope):
    return (x if x > 0 else slope * x) + 1


assert leak(2.0, 0.1) == 3.0 and abs(leak(-2.0, 0.1) - 0.8) < 1e-6

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def leak(x, slope):
    return jnp.where(x > 0, x, slope * x) + 1


assert leak(2.0, 0.1) == 3.0 and abs(leak(-2.0, 0.1) - 0.8) < 1e-6

# %% jax.numpy is not imported yet
import jax

absolute = jax.jit(lambda x: -x if x < 0 else x)

assert absolute(-2.0) == 2.0 == absolute(2.0)

# %% ->
import jax
import jax.numpy as jnp

absolute = jax.jit(lambda x: jnp.where(x < 0, -x, x))

assert absolute(-2.0) == 2.0 == absolute(2.0)

# %% one variable on both sides, which are an array and a number
import jax
from jax import numpy as np


@jax.jit
def gate(x):
    if np.sum(x) > 1.0:
        y = 2 * x
    else:
        y = 0.0
    return y


assert gate(np.ones(2)).tolist() == [2.0, 2.0] and gate(np.zeros(2)).tolist() == [0.0, 0.0]

# %% ->
import jax
from jax import numpy as np


@jax.jit
def gate(x):
    y = np.where(np.sum(x) > 1.0, 2 * x, 0.0)
    return y


assert gate(np.ones(2)).tolist() == [2.0, 2.0] and gate(np.zeros(2)).tolist() == [0.0, 0.0]

# %% two results, one behind the branch; the branch is one line
import jax
import jax.numpy as jnp


@jax.jit
def clip(x, limit):
    norm = jnp.linalg.norm(x)
    if norm > limit: return jnp.tanh(x)
    return x  # as it is


assert clip(jnp.ones(2), 9.0).tolist() == [1.0, 1.0]

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def clip(x, limit):
    norm = jnp.linalg.norm(x)
    return jnp.where(norm > limit, jnp.tanh(x), x)  # as it is


assert clip(jnp.ones(2), 9.0).tolist() == [1.0, 1.0]

# %% two results, with else
import jax
import jax.numpy as jnp


@jax.jit
def bump(x):
    if x.mean() > 0:
        return jnp.sin(x)
    else:
        return jnp.cos(x)


assert bump(jnp.zeros(2)).tolist() == [1.0, 1.0]

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def bump(x):
    return jnp.where(x.mean() > 0, jnp.sin(x), jnp.cos(x))


assert bump(jnp.zeros(2)).tolist() == [1.0, 1.0]

# %% a variable that is there already is changed
import jax
import jax.numpy as jnp
from jax import lax


def advance(carry, t):
    y, h = carry
    error = jnp.abs(h * y)
    if error > 1e-3:
        h = h * 0.5
    if error > 10.0:
        y -= h + t
    return (y, h), y


(_, h), _ = lax.scan(advance, (jnp.float32(1.0), jnp.float32(0.1)), jnp.ones(3))
assert abs(h - 0.0125) < 1e-6

# %% ->
import jax
import jax.numpy as jnp
from jax import lax


def advance(carry, t):
    y, h = carry
    error = jnp.abs(h * y)
    h = jnp.where(error > 1e-3, h * 0.5, h)
    y = jnp.where(error > 10.0, y - (h + t), y)
    return (y, h), y


(_, h), _ = lax.scan(advance, (jnp.float32(1.0), jnp.float32(0.1)), jnp.ones(3))
assert abs(h - 0.0125) < 1e-6

# %% rows of an array, at indices that are there
import jax
import jax.numpy as jnp


@jax.jit
def row(x, flag):
    return x[0] if flag else 2 * x[1]


assert row(jnp.ones((2, 3)), False).tolist() == [2.0, 2.0, 2.0]

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def row(x, flag):
    return jnp.where(flag, x[0], 2 * x[1])


assert row(jnp.ones((2, 3)), False).tolist() == [2.0, 2.0, 2.0]

# %% calls with the same argument: only one of them is computed
import jax
import jax.numpy as jnp


def halved(v):
    return jnp.sqrt(v) / v


doubled = lambda v: 2 * v


@jax.jit
def step(x, flag):
    return halved(x) if flag else doubled(x)


assert step(4.0, True) == 0.5 and step(4.0, False) == 8.0

# %% ->
import jax
import jax.numpy as jnp


def halved(v):
    return jnp.sqrt(v) / v


doubled = lambda v: 2 * v


@jax.jit
def step(x, flag):
    return jax.lax.cond(flag, halved, doubled, x)


assert step(4.0, True) == 0.5 and step(4.0, False) == 8.0

# %% calls of functions of jax.numpy that may not be computed for all values
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def root(x):
    if x > 1.0:
        return jnp.log(x)
    return jnp.sqrt(x)


assert root(0.25) == 0.5

# %% ->
import jax
import jax.numpy as jnp
from jax import lax


@jax.jit
def root(x):
    return lax.cond(x > 1.0, jnp.log, jnp.sqrt, x)


assert root(0.25) == 0.5

# %% a function that gives an integer for an integer, and one that gives a float
import jax
import jax.numpy as jnp


@jax.jit
def root(x):
    if x > 1:
        return jnp.sqrt(x)
    return jnp.abs(x)


root(4)

# %% results of a call that are not known
import jax
import jax.numpy as jnp


def pair(v):
    return v, v


def same(v):
    return v


@jax.jit
def step(x):
    return pair(x) if x > 0 else same(x)


step(1.0)

# %% a division that the test guards
import jax
import jax.numpy as jnp


@jax.jit
def safe(x, n):
    if n == 0:
        return x
    return x / n


safe(1.0, 2.0)

# %% a root that the test guards
import jax
import jax.numpy as jnp


@jax.jit
def safe(x):
    return jnp.sqrt(x) + 1 if x > 0 else 0.0


safe(1.0)

# %% shapes that need not fit
import jax
import jax.numpy as jnp


@jax.jit
def pick(x, y):
    return x if x.sum() > 0 else y


pick(jnp.ones(3), jnp.ones((2, 2)))

# %% sides that are no arrays
import jax
import jax.numpy as jnp


@jax.jit
def name(x):
    first = "big" if x > 0 else "small"
    if x > 0:
        second = None
    else:
        second = x
    if x > 1:
        return (x, x)
    return (x, -x)


name(1.0)

# %% a number that has to be known while tracing
import jax
import jax.numpy as jnp


@jax.jit
def blank(x):
    size = 3 if x > 0 else 4
    return jnp.zeros(size)


blank(1.0)

# %% comments stay where they are
import jax


@jax.jit
def clip(x, limit):
    if x > limit:
        # at the edge
        return limit
    return x


clip(1.0, 2.0)

# %% more than one statement, another target, and elif
import jax


@jax.jit
def several(x):
    y = z = w = x
    if x > 0:
        y = x + 1
        z = x - 1
    if x > 0:
        y = x
    else:
        z = x
    if x > 1:
        w = x
    elif x > 2:
        w = -x
    return y + z + w


several(1.0)

# %% a variable that is not there for certain
import jax


@jax.jit
def late(x, flag=False):
    if flag is None:
        y = x
    if x > 0:
        y = 2 * x
    return x


late(1.0)

# %% a side that may not be there
import jax


@jax.jit
def late(x, flag=False):
    if flag is None:
        y = 2 * x
    return y if x > 0 else x


late(-1.0)

# %% a variable that both ways before have bound, and one that a loop binds
import jax


@jax.jit
def signs(xs, flag=False):
    if flag is None:
        y = 2.0
    else:
        y = 3.0
    total = 0.0
    for x in (xs[0], xs[1]):
        total += y if x > 0 else x
    return total + sum(x if x > 0 else y for x in (xs[0], xs[1]))


assert signs(jax.numpy.array([1.0, -1.0])) == 2.0 + 4.0

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def signs(xs, flag=False):
    if flag is None:
        y = 2.0
    else:
        y = 3.0
    total = 0.0
    for x in (xs[0], xs[1]):
        total += jnp.where(x > 0, y, x)
    return total + sum(jnp.where(x > 0, x, y) for x in (xs[0], xs[1]))


assert signs(jax.numpy.array([1.0, -1.0])) == 2.0 + 4.0

# %% the walrus is read on both sides
import jax


@jax.jit
def step(x):
    return y if (y := x - 1) > 0 else x


step(1.0)

# %% assert, a guard and a condition of a comprehension
import jax


@jax.jit
def check(x, xs):
    assert x > 0
    kept = [y for y in xs if y > 0]
    match x:
        case _ if x > 1:
            return x
    return sum(kept)


check(1.0, [1.0])
