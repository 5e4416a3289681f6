

# %% a traced value
import jax


@jax.jit
def step(x):
    jax.debug.print(f"x = {x}")  #! JAX210
    return x + 1


step(1.0)

# %% a computed one, among others
import jax
import jax.numpy as jnp


@jax.jit
def step(x, name="loss"):
    jax.debug.print(f"step: {x.shape} {jnp.mean(x)} {x[0]}", ordered=True)  #! JAX210
    return x + 1


step(jnp.ones(3))

# %% under another name, with another quote
from jax import debug
from jax import jit
from jax.debug import print as show


@jit
def step(x):
    show(f'''x = {x}''')  #! JAX210
    debug.print(rf"\d {x}")  #! JAX210
    return x + 1


step(1.0)

# %% a helper that traced code calls
import jax


def report(x):
    jax.debug.print(f"x = {x}")  #! JAX210


@jax.jit
def step(x):
    report(x)
    return x + 1


step(1.0)
report(1.0)

# %% through a variable, and in texts that are made otherwise
import jax


def show(text):
    jax.debug.print(text)  #! JAX210


@jax.jit
def halved(x, y):
    said = f"half of {x}"
    jax.debug.print(said)  #! JAX210
    jax.debug.print("x = " + str(x))  #! JAX210
    jax.debug.print("x = {}".format(x))  #! JAX210
    jax.debug.print("x = %s" % x)  #! JAX210
    texts = [f"x = {x}", f"y = {y}"]
    jax.debug.print(", ".join(texts))  #! JAX210
    show(f"y = {y}")
    return x / 2 + y


print(halved(4.0, 1.0))

# %% a template in a variable, and texts of shapes
from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames="name")
def summed(x, name):
    template = name + ": {}"
    jax.debug.print(template, x)
    sizes = f"{x.shape} of {x.dtype}"
    jax.debug.print(sizes)
    jax.debug.print("{} values: {{}}".format(name), x)
    return x.sum()


print(summed(jnp.ones(2), "input"))

# %% in pieces
import jax


@jax.jit
def step(x):
    jax.debug.print("the value " f"of x is {x}")  #! JAX210
    return x + 1


step(1.0)

# %% a batched value
import jax
import jax.numpy as jnp


def step(x):
    jax.debug.print(f"x = {x}")  #! JAX210
    return x + 1


jax.vmap(step)(jnp.ones(3))

# %% in a container
import jax


@jax.jit
def step(x):
    jax.debug.print(f"{[x, 1]}")  #! JAX210
    return x + 1


step(1.0)

# %% the body of a scan
import jax
import jax.numpy as jnp


def body(carry, x):
    jax.debug.print(f"carry = {carry}")  #! JAX210
    return carry + x, carry


jax.lax.scan(body, 0.0, jnp.ones(3))

# %% a placeholder that is filled when it runs
import jax


@jax.jit
def step(x):
    jax.debug.print("x = {x}, {}", x + 1, x=x)
    return x + 1


step(1.0)

# %% what is static is known while tracing
import jax
import jax.numpy as jnp


@jax.jit
def step(x, name="loss"):
    jax.debug.print(f"{name} of shape {x.shape}, {x.dtype}: {{x}}", x=x)
    jax.debug.print(f"no values")
    return x + 1


step(jnp.ones(3))

# %% outside of traces the value is there
import jax
import jax.numpy as jnp


def report(x):
    jax.debug.print(f"x = {x}")


report(jnp.ones(3))

# %% a static argument
import jax
from functools import partial


@partial(jax.jit, static_argnums=1)
def step(x, n):
    jax.debug.print(f"n = {n}: {{}}", x)
    return x + n


step(1.0, 2)

# %% a value of which nothing is known
import jax


def report(x):
    jax.debug.print(f"x = {x}")

# %% a print of Python is another matter
import jax


class debug:
    @staticmethod
    def print(text):
        pass


@jax.jit
def step(x):
    debug.print(f"x = {x}")
    return x + 1


step(1.0)
