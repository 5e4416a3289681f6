# %% one variable
import jax


@jax.jit
def halve(x):
    while x > 1.0:
        x = x / 2.0
    return x


assert halve(9.0) == 0.5625

# %% ->
import jax


@jax.jit
def halve(x):
    def condition(x):
        return x > 1.0

    def body(x):
        x = x / 2.0
        return x

    x = jax.lax.while_loop(condition, body, x)
    return x


assert halve(9.0) == 0.5625

# %% several variables, one of an iteration, names that are taken
import jax
import jax.numpy as jnp

body = carry = condition = None


@jax.jit
def settle(x):
    error = 1.0
    count = 0
    while error > 1e-3:  # settled
        new = 0.5 * x
        # how far it went
        error = jnp.max(jnp.abs(new - x))
        x = new
        count += 1
    return x, count


assert settle(jnp.ones(2))[1] == 10

# %% ->
import jax
import jax.numpy as jnp

body = carry = condition = None


@jax.jit
def settle(x):
    error = 1.0
    count = 0

    def condition_2(carry_2):
        error, x, count = carry_2
        return error > 1e-3

    def body_2(carry_2):  # settled
        error, x, count = carry_2
        new = 0.5 * x
        # how far it went
        error = jnp.max(jnp.abs(new - x))
        x = new
        count += 1
        return error, x, count

    error, x, count = jax.lax.while_loop(condition_2, body_2, (error, x, count))
    return x, count


assert settle(jnp.ones(2))[1] == 10

# %% under a scan, with an array from outside
import jax.numpy as jnp
from jax import lax


def integrate(y, ts):
    def body(y, t):
        h = 0.5 * t
        while (jnp.abs(h) * t > 0.05):
            h /= 2
        return y + h, y

    return lax.scan(body, y, ts)


assert integrate(jnp.float32(0.0), jnp.ones(2))[0] == 0.0625

# %% ->
import jax.numpy as jnp
from jax import lax


def integrate(y, ts):
    def body(y, t):
        h = 0.5 * t

        def condition(h):
            return (jnp.abs(h) * t > 0.05)

        def body_2(h):
            h /= 2
            return h

        h = lax.while_loop(condition, body_2, h)
        return y + h, y

    return lax.scan(body, y, ts)


assert integrate(jnp.float32(0.0), jnp.ones(2))[0] == 0.0625

# %% a number is no truth for JAX
import jax


@jax.jit
def power(n, x):
    while n:
        x = 2 * x
        n -= 1
    return x


power(5, 2.0)

# %% two truths, and a walrus
import jax


@jax.jit
def search(x, y):
    while x > 1.0 and y > 1.0:
        x = x / 2
    while (z := x) > 1.0:
        x = z / 2
    return x


search(9.0, 2.0)

# %% an array of one element has a truth for Python
import jax
import jax.numpy as jnp


@jax.jit
def halve(x):
    while x > 1.0:
        x = x / 2.0
    return x


halve(jnp.ones(1))

# %% a test that the body does not change
import jax


@jax.jit
def forever(x, y):
    while y > 1.0:
        x = x / 2
    return x


forever(0.5, 0.5)

# %% else, and a break
import jax


@jax.jit
def halve(x):
    while x > 1.0:
        x = x / 2
    else:
        x = -x
    while x > 1.0:
        x = x / 2
        break
    return x


halve(9.0)

# %% differentiated in reverse
import jax


def halve(x):
    while x > 1.0:
        x = x / 2
    return x


jax.jit(jax.grad(halve))(9.0)

# %% the test reads what is not carried for certain
import jax


@jax.jit
def late(x, flag=False):
    if flag is not None:
        y = 2 * x
    while x + y > 1.0:
        x = x / 2.0
        y = x / 2.0
    return x


late(4.0)
