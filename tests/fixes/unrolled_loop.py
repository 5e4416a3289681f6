# %% a counter and a constant
import jax
import jax.numpy as jnp

DT = 0.125


@jax.jit
def run(x):
    count = 0
    for i in range(16):
        x = x + DT * (2 * i + 1)
        count += 1
    return x * count


assert run(0.0) == 512.0

# %% ->
import jax
import jax.numpy as jnp

DT = 0.125


@jax.jit
def run(x):
    count = 0

    def body(i, carry):
        x, count = carry
        x = x + DT * (2 * i + 1)
        count += 1
        return x, count

    x, count = jax.lax.fori_loop(0, 16, body, (x, count))
    return x * count


assert run(0.0) == 512.0

# %% a count that is an attribute, in a method; jax is not imported by that name
from functools import partial

import jax.numpy as jnp
from jax import jit


class Decay:
    STEPS = 32

    @partial(jit, static_argnums=0)
    def run(self, q):
        for _ in range(self.STEPS):
            q = q * 0.5
        return q


assert Decay().run(4.0) == 2.0**-30

# %% ->
from functools import partial

import jax.numpy as jnp
from jax import jit
import jax


class Decay:
    STEPS = 32

    @partial(jit, static_argnums=0)
    def run(self, q):
        def body(_, q):
            q = q * 0.5
            return q

        q = jax.lax.fori_loop(0, self.STEPS, body, q)
        return q


assert Decay().run(4.0) == 2.0**-30

# %% loops in loops: the inner one
import jax
import jax.numpy as jnp


@jax.jit
def run(x):
    for _ in range(20):
        for _ in range(16):
            x = x + 1
    return x


assert run(0) == 320

# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def run(x):
    for _ in range(20):
        def body(_, x):
            x = x + 1
            return x

        x = jax.lax.fori_loop(0, 16, body, x)
    return x


assert run(0) == 320

# %% differentiated: the length is known
import jax


def power(x):
    result = 1.0
    for _ in range(16):
        result = result * x
    return result


assert jax.jit(jax.grad(power))(1.0) == 16.0

# %% ->
import jax


def power(x):
    result = 1.0

    def body(_, result):
        result = result * x
        return result

    result = jax.lax.fori_loop(0, 16, body, result)
    return result


assert jax.jit(jax.grad(power))(1.0) == 16.0

# %% a comprehension, a step, and a range that is turned round
import jax
import jax.numpy as jnp


@jax.jit
def run(x):
    for k in range(0, 64, 2):
        x = x + jnp.sin(x)
    for k in reversed(range(32)):
        x = x + jnp.sin(x)
    return sum(x**k for k in range(32))


run(1.0)

# %% two arrays, whose shapes and dtypes may be two
import jax
import jax.numpy as jnp


@jax.jit
def leapfrog(q, p):
    for _ in range(100):
        p = p - 0.01 * q
        q = q + 0.01 * p
    return q, p


leapfrog(jnp.ones(2), jnp.ones(2))

# %% integers of Python that outgrow those of JAX
import jax
import jax.numpy as jnp


@jax.jit
def exponential(x):
    total = jnp.zeros_like(x)
    product = 1
    for k in range(1, 20):
        total = total + x / product
        product = product * k
    return total


exponential(jnp.ones(2))


@jax.jit
def halves(x):
    for k in range(40):
        x = x + x / 2**k
    return x


halves(jnp.ones(2))


@jax.jit
def fibonacci(x):
    a = 1
    b = 1
    for _ in range(64):
        c = a + b
        a = b
        b = c
        x = x + x / b
    return x


fibonacci(jnp.ones(2))

# %% a float of Python is a double
import jax
import jax.numpy as jnp


@jax.jit
def decay(x):
    scale = 1.0
    for _ in range(200):
        scale = scale * 0.5
        x = x + jnp.sin(x)
    return x + scale


decay(jnp.ones(2))
