

# %% the product of a shape by jax.numpy, as a shape
import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    return x.reshape(jnp.prod(jnp.array(x.shape))) #! JAX113


flatten(jnp.ones((2, 3)))

# %% method of the array made of the shape
import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    return x.reshape(jnp.array(x.shape).prod()) #! JAX113


flatten(jnp.ones((2, 3)))

# %% half of the length, rounded up by jax.numpy
import jax
import jax.numpy as jnp


@jax.jit
def pad_half(x):
    return jnp.zeros(jnp.ceil(x.shape[0] / 2).astype(int)) #! JAX113


pad_half(jnp.ones(5))

# %% math and NumPy do it on the host
import math

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def layout(x):
    flat = x.reshape(math.prod(x.shape))
    half = jnp.zeros(math.ceil(x.shape[0] / 2)) + jnp.zeros(int(np.ceil(x.shape[0] / 2)))
    rows = flat.reshape(int(np.prod(x.shape[:-1])), -1) + flat.reshape(np.prod(np.array(x.shape)), 1)[:1]
    side = x[: min(x.shape[0], 2)] + x[: np.minimum(x.shape[0], 2)]
    return flat.sum() + half.sum() + rows.sum() + side.sum() + jnp.zeros(max(x.shape)).sum()


layout(jnp.ones((2, 3)))

# %% a shape used as data: legitimate
import jax
import jax.numpy as jnp


@jax.jit
def normalise(points, image):
    size = jnp.array(image.shape)
    scale = jnp.sqrt(image.shape[-1]) + jnp.log(image.size)
    centre = jnp.asarray(image.shape, dtype=jnp.float32) / 2
    total = jnp.prod(jnp.array(image.shape))
    return (points / size - centre) / scale / total + jnp.arange(2) * jnp.maximum(image.ndim, 1)


normalise(jnp.ones((3, 2)), jnp.ones((4, 5)))

# %% outside a staged body the number is concrete
import jax
import jax.numpy as jnp


def flatten(x):
    return x.reshape(jnp.prod(jnp.array(x.shape)))


flatten(jnp.ones((2, 3)))
jax.vmap(flatten)(jnp.ones((4, 2, 3)))
jax.grad(lambda x: flatten(x).sum())(jnp.ones((2, 3)))

# %% under jit(vmap) it is not
import jax
import jax.numpy as jnp


def flatten(x):
    return x.reshape(jnp.prod(jnp.array(x.shape))) #! JAX113


jax.vmap(flatten)(jnp.ones((4, 2, 3)))
jax.jit(jax.vmap(flatten))(jnp.ones((4, 2, 3)))

# %% int does not help: it is the staged constant that cannot be cast
import jax
import jax.numpy as jnp


@jax.jit
def channels(x):
    n = int(jnp.prod(jnp.array(x.shape))) #! JAX113
    return x.reshape(n)


channels(jnp.ones((2, 3)))

# %% the bound of a slice
import jax
import jax.numpy as jnp


@jax.jit
def head(x):
    return x[: jnp.minimum(x.shape[0], 4)] #! JAX113


head(jnp.arange(6.0))

# %% the bound of a Python loop
import jax
import jax.numpy as jnp


@jax.jit
def smooth(x):
    for _ in range(jnp.floor_divide(x.shape[0], 2)): #! JAX113
        x = x * 0.5
    return x


smooth(jnp.ones(4))

# %% how much is missing from a multiple, in one of the pairs that jnp.pad takes
import jax
import jax.numpy as jnp


def missing(size):
    return jnp.mod(-size, 4)


@jax.jit
def filled(x):
    return jnp.pad(x, ((0, missing(x.shape[0])), (0, 0)))  #! JAX113


filled(jnp.ones((3, 2)))

# %% ... by Python's numbers
import jax
import jax.numpy as jnp


def missing(size):
    return -size % 4


@jax.jit
def filled(x):
    return jnp.pad(x, ((0, missing(x.shape[0])), (0, 0)))


filled(jnp.ones((3, 2)))

# %% jnp.shape, jnp.size and jnp.ndim answer with Python numbers
import jax
import jax.numpy as jnp


@jax.jit
def copies(x):
    n = jnp.size(x)
    rows, columns = jnp.shape(x)
    padded = jnp.zeros((n, rows)) + jnp.zeros(jnp.broadcast_shapes((n, 1), (1, rows)))
    for axis in range(jnp.ndim(x)):
        padded = padded + x.shape[axis]
    return padded[:columns] + jnp.iinfo(jnp.int32).bits


copies(jnp.ones((2, 3)))

# %% ensure_compile_time_eval makes it concrete
import jax
import jax.numpy as jnp


@jax.jit
def flatten(x):
    with jax.ensure_compile_time_eval():
        total = int(jnp.prod(jnp.array(x.shape)))
    return x.reshape(total)


flatten(jnp.ones((2, 3)))

# %% the length of a list of tracers
import jax
import jax.numpy as jnp


@jax.jit
def stack(rows):
    return jnp.zeros((jnp.maximum(len(rows), 2), 1)) #! JAX113


stack([jnp.ones(2)])

# %% in a scan body, called eagerly
import jax.numpy as jnp
from jax import lax


def fold(x, xs):
    def body(carry, x):
        return carry, x.reshape(jnp.array(x.shape).prod()) #! JAX113

    return lax.scan(body, x, xs)


fold(0.0, jnp.ones((2, 2, 2)))

# %% jax.numpy imported as np reads like NumPy and is not
import jax
import jax.numpy as np


@jax.jit
def flatten(x):
    return x.reshape(np.prod(np.array(x.shape))) #! JAX113


flatten(np.ones((2, 3)))

# %% shape arithmetic with tuples and Python, dtype questions by jax.numpy
import jax
import jax.numpy as jnp


@jax.jit
def windows(x):
    rows, *rest = x.shape
    target = (rows // 2, 2, *rest)
    if jnp.issubdtype(jnp.result_type(x), jnp.floating) and jnp.ndim(x) > 1:
        x = x / jnp.finfo(x.dtype).max
    return x.reshape(target) + jnp.zeros(tuple(reversed(x.shape[1:]))).sum() + jnp.ones(sum(x.shape)).sum()


windows(jnp.ones((4, 3)))

# %% one result serves as data, the Python number beside it as the shape
import jax
import jax.numpy as jnp


@jax.jit
def mean_pool(x, mask):
    n = x.shape[0]
    count = jnp.maximum(n, 1)
    weights = jnp.full((n,), 1.0 / count)
    limit = jnp.minimum(jnp.array(mask.shape[0]), mask.sum())
    return jnp.dot(weights, x) / limit + x[jnp.array(x.shape)[0] - 1] + x[jnp.argmax(mask)]


mean_pool(jnp.ones(3), jnp.array([True, False, True]))

# %% an array helper given shapes by eager code, and by a callback
import jax
import jax.numpy as jnp
import numpy as np


def total(shape):
    return int(jnp.prod(jnp.array(shape)))


def host(x):
    return np.float32(np.zeros(int(np.prod(x.shape))).size)


@jax.jit
def count(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x)


buffer = jnp.zeros(total((2, 3)))
count(buffer)

# %% the file calls `math` otherwise
import math as m

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    return jnp.zeros(jnp.prod(jnp.array(x.shape))) * m.pi  #! JAX113


print(f(jnp.ones((2, 3))))

# %% `max` is another function in this file
import jax
import jax.numpy as jnp
from jax.numpy import max


@jax.jit
def f(x):
    return x.reshape((jnp.maximum(x.shape[0], 1), -1)) + max(x)  #! JAX113


print(f(jnp.ones(3)))

# %% one mistake is reported once, where one call computes of shapes and another does not
import jax
import jax.numpy as jnp


def batches(resolution, size):
    return int(jnp.ceil(resolution / size))  #! JAX105


@jax.jit
def of_shape(x):
    return x * batches(x.shape[0], 2)


@jax.jit
def of_value(x, resolution):
    return x * batches(resolution, 2)


for call in (lambda: of_shape(jnp.ones(3)), lambda: of_value(jnp.ones(3), 3.0)):
    try:
        call()
    except TypeError as error:
        print(type(error).__name__)
of_value(jnp.ones(3), 3.0)
