# %% one variable, which takes the dtype of the first iteration
import jax


@jax.jit
def power(x, n):
    result = 1
    for _ in range(n):
        result *= x  # once more
    return result


assert power(2.5, 2) == 6.25

# %% ->
import jax


@jax.jit
def power(x, n):
    result = 1

    def body(_, result):
        result *= x  # once more
        return result

    result = jax.lax.fori_loop(0, n, body, result)
    return result


assert power(2.5, 2) == 6.25

# %% a counter, two bounds, several variables and one that only an iteration has
import jax
import jax.numpy as jnp


@jax.jit
def series(x, n):
    total = jnp.zeros_like(x)
    term = jnp.ones_like(x)
    # terms of the exponential
    for k in range(1, n):
        # the next one
        total = total + term
        scaled = x / k
        term = term * scaled
        # the end
    return total


assert series(jnp.zeros(2), 4).tolist() == [1.0, 1.0]

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def series(x, n):
    total = jnp.zeros_like(x)
    term = jnp.ones_like(x)
    # terms of the exponential

    def body(k, carry):
        total, term = carry
        # the next one
        total = total + term
        scaled = x / k
        term = term * scaled
        return total, term

    total, term = jax.lax.fori_loop(1, n, body, (total, term))
        # the end
    return total


assert series(jnp.zeros(2), 4).tolist() == [1.0, 1.0]

# %% inside an `if`, the first of its block, and a file that ends there
import jax
import jax.numpy as jnp


def tail(x, n, long):
    if long:
        for body in range(n):
            x = jnp.sin(x) + body
        return x
    return x


assert jax.jit(tail, static_argnums=2)(0.0, 1, True) == 0.0

# %% ->
import jax
import jax.numpy as jnp


def tail(x, n, long):
    if long:
        def body_2(body, x):
            x = jnp.sin(x) + body
            return x

        x = jax.lax.fori_loop(0, n, body_2, x)
        return x
    return x


assert jax.jit(tail, static_argnums=2)(0.0, 1, True) == 0.0

# %% a number of an object, and an array that is indexed
import jax
import jax.numpy as jnp


class Line:
    def __init__(self, scale):
        self.scale = scale

    def total(self, xs, n):
        total = 0.0
        for i in range(n):
            total += self.scale * xs[i]
        return total


line = Line(2.0)
assert jax.jit(lambda xs, n: line.total(xs, n))(jnp.ones(3), 2) == 4.0

# %% ->
import jax
import jax.numpy as jnp


class Line:
    def __init__(self, scale):
        self.scale = scale

    def total(self, xs, n):
        total = 0.0

        def body(i, total):
            total += self.scale * xs[i]
            return total

        total = jax.lax.fori_loop(0, n, body, total)
        return total


line = Line(2.0)
assert jax.jit(lambda xs, n: line.total(xs, n))(jnp.ones(3), 2) == 4.0

# %% a shape that grows in the first iteration
import jax
import jax.numpy as jnp


@jax.jit
def total(xs, n):
    result = 0.0
    for _ in range(n):
        result = result + xs
    return result


total(jnp.ones(3), 2)

# %% another array may have another shape or dtype
import jax
import jax.numpy as jnp


@jax.jit
def move(x, v, n):
    for _ in range(n):
        x = x + v
    return x


move(jnp.ones(3), jnp.ones(3), 2)

# %% an integer that becomes a float
import jax
import jax.numpy as jnp


@jax.jit
def halve(x, n):
    for _ in range(n):
        x = x / 2
    return x


halve(jnp.int32(8), 2)

# %% a dtype that takes two turns to settle
import jax


@jax.jit
def sums(x, n):
    a = 0
    b = 0
    for _ in range(n):
        a = a + b
        b = b + x
    return a


sums(1.5, 3)

# %% a bound that is a float, a step, and bounds that may have two dtypes
import jax
import jax.numpy as jnp


@jax.jit
def loops(x, n, m, y):
    for _ in range(y):
        x = x + 1
    for _ in range(0, n, 2):
        x = x + 1
    for _ in range(n, m):
        x = x + 1
    return x


loops(1.0, 4, 5, 1.5)

# %% the counter, or a variable of an iteration, is read behind the loop
import jax


@jax.jit
def last(x, n):
    for i in range(n):
        x = x + 1
    for _ in range(n):
        y = x + 1
        x = y
    return x + i + y


last(1.0, 4)

# %% the next iteration of a loop around reads a variable of an iteration
import jax


@jax.jit
def last(x, n):
    for body in range(2):
        if body:
            x = x + y
        for _ in range(n):
            y = 2 * x
            x = y - 1
    return x


last(1.0, 4)

# %% a variable that is not there for certain
import jax


@jax.jit
def late(x, n, flag=False):
    if flag is None:
        y = x
    for _ in range(n):
        y = 2 * x
    return x if flag is False else y


late(1.0, 2)

# %% a body that does more than compute
import jax
import jax.numpy as jnp


def halved(x):
    print(x)
    return x / 2


@jax.jit
def loops(x, n, xs):
    for _ in range(n):
        x = halved(x)
    for _ in range(n):
        x = x + 1
        if x.ndim:
            break
    for _ in range(n):
        xs = xs.at[0].set(1.0)
    for _ in range(n):
        x, y = x + 1, x
    for _ in range(n):
        x = x + 1
    else:
        x = x - 1
    for _ in range(n):
        xs = [xs, xs][0]
    return x


loops(1.0, 2, jnp.ones(2))

# %% a number that Python has to know behind the loop
import jax
import jax.numpy as jnp


@jax.jit
def blank(n):
    size = 1
    for _ in range(n):
        size = 2 * size
    return jnp.zeros(size)


blank(2)

# %% what a nested function reads
import jax


@jax.jit
def late(x, n):
    def now():
        return x

    for _ in range(n):
        x = 2 * x
    return now()


late(1.0, 2)

# %% a loop that is differentiated has to have a length
import jax


def power(x, n):
    result = 1.0
    for _ in range(n):
        result = result * x
    return result


jax.jit(jax.grad(power))(2.0, 3)

# %% an array of NumPy, which no tracer can index
import jax
import numpy as np

TABLE = np.arange(4.0)


@jax.jit
def total(x, n):
    for i in range(n):
        x = x + TABLE[i]
    return x


total(1.0, 2)

# %% a variable of an iteration that is read before it is set
import jax


@jax.jit
def late(x, n, flag=False):
    if flag is not None:
        y = 1.0
    for _ in range(n):
        x = x + y
        y = 2.0 * x
    return x


late(1.0, 2)

# %% a mean of integers is a float of the default width
import jax
import jax.numpy as jnp


@jax.jit
def drift(x, counts, n):
    for _ in range(n):
        x = x + jnp.mean(counts)
    return x


drift(jnp.bfloat16(1.0), jnp.arange(3), 2)

# %% a container that is added to itself
import jax


@jax.jit
def double(x, n):
    for _ in range(n):
        x = x + x
    return x


def of_tree(x):
    return double(x, 3)

# %% a comment in the header, and a body on its line
import jax


@jax.jit
def loops(x, n):
    for _ in range(
        n  # turns
    ):
        x = x + 1
    for _ in range(n): x = x + 1
    return x


loops(1.0, 2)
