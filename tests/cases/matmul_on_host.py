

# %% two host constants: their product is done by NumPy while tracing
import jax
import jax.numpy as jnp
import numpy as np

BASIS = np.eye(4, dtype=np.float32)
ROTATION = np.ones((4, 4), dtype=np.float32)


@jax.jit
def project(x):
    change = BASIS @ ROTATION  #! JAX506
    return jnp.matmul(change, x)


project(jnp.ones(4))

# %% np.matmul: the function does what the operator does
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def whiten(x):
    n = x.shape[0]
    lower = np.tril(np.ones((n, n), dtype=np.float32))
    covariance = np.matmul(lower, lower.T)  #! JAX506
    return jnp.linalg.solve(covariance, x)


whiten(jnp.ones(3))

# %% np.dot in a scan body: once per trace, not once per step
import jax.numpy as jnp
import numpy as np
from jax import lax

A = np.array([[0.9, 0.1], [0.0, 0.8]], dtype=np.float32)
B = np.array([[1.0, 0.0], [0.5, 1.0]], dtype=np.float32)


def step(state, _):
    transition = np.dot(A, B)  #! JAX506
    return jnp.dot(transition, state), state


lax.scan(step, jnp.ones(2), None, length=5)

# %% helper under jit: the helper is NumPy throughout and is called while tracing
import jax
import jax.numpy as jnp
import numpy as np


def quadrature(order):
    nodes, weights = np.polynomial.legendre.leggauss(order)
    vandermonde = np.vander(nodes, order)
    return vandermonde.T @ weights  #! JAX506


@jax.jit
def integrate(coefficients):
    return jnp.sum(coefficients * quadrature(3))


integrate(jnp.ones(3))

# %% closure of a factory: the arrays are the factory's, the product is the trace's
import jax
import jax.numpy as jnp
import numpy as np


def make_filter(taps):
    circulant = np.stack([np.roll(taps, i) for i in range(taps.size)])
    gain = np.diag(np.linspace(0.0, 1.0, taps.size))

    @jax.jit
    def apply(signal):
        operator = circulant @ gain  #! JAX506
        return jnp.matmul(operator, signal)

    return apply


make_filter(np.array([0.25, 0.5, 0.25]))(jnp.ones(3))

# %% in a lambda: partial(jax.jit) or jit(lambda) make no difference
import jax
import jax.numpy as jnp
import numpy as np

gram = np.ones((3, 2))
f = jax.jit(lambda x: x + (gram @ gram.T).sum())  #! JAX506
f(jnp.ones(3))

# %% while_loop body: a body is traced once however often it runs
import jax
import numpy as np

L = np.eye(2)


def go_on(carry):
    return carry[0] < 3


def halve(carry):
    i, total = carry
    return i + 1, total + np.dot(L, L).sum()  #! JAX506


jax.lax.while_loop(go_on, halve, (0, 0.0))

# %% from np.random and asarray: whatever the source, it is a host array
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
FEATURES = rng.normal(size=(6, 3)).astype(np.float32)
TARGETS = np.asarray([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], dtype=np.float32)


@jax.jit
def ridge_gradient(w):
    xty = FEATURES.T @ TARGETS  #! JAX506
    return 0.1 * w - xty


ridge_gradient(jnp.zeros((3, 1)))

# %% jit of a method with a static self: the arrays are attributes of self
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Kalman:
    def __init__(self):
        self.transition = np.eye(2, dtype=np.float32)
        self.noise = np.eye(2, dtype=np.float32)

    @partial(jax.jit, static_argnums=0)
    def predict(self, covariance):
        drift = self.transition @ self.noise  #! JAX506
        return jnp.add(covariance, drift)


Kalman().predict(jnp.eye(2))

# %% eager host products: NumPy outside any trace is NumPy
import numpy as np

A = np.eye(3)
B = np.ones((3, 3))
C = A @ B
D = np.dot(C, np.matmul(A, B))

# %% hoisted: the product is made once at module level and closed over
import jax
import jax.numpy as jnp
import numpy as np

PROJECTION = np.ones((4, 2), dtype=np.float32) @ np.ones((2, 4), dtype=np.float32)


@jax.jit
def project(x):
    return jnp.matmul(PROJECTION, x)


project(jnp.ones(4))

# %% in the factory: the product is made before anything is traced
import jax
import jax.numpy as jnp
import numpy as np


def make_step(a, b):
    combined = np.matmul(a, b)

    @jax.jit
    def step(x):
        return jnp.dot(combined, x)

    return step


make_step(np.eye(2), np.eye(2))(jnp.ones(2))

# %% one traced operand: jnp.matmul of a host constant and a traced array is on the device
import jax
import jax.numpy as jnp
import numpy as np

W = np.ones((3, 3), dtype=np.float32)


@jax.jit
def layer(x):
    return jnp.tanh(jnp.matmul(W, x))


layer(jnp.ones(3))

# %% NumPy arrays that a constructor sets, of an object that is made in a function that nothing calls
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


class Filter:
    def __init__(self, width):
        self.basis = np.ones((width, 9), np.float32)
        self.mix = np.ones((width, width), dtype=np.float32)

    @partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return x @ (self.mix @ self.basis)  #! JAX506


class Fitted:
    def __init__(self, width):
        self.basis = np.ones((width, 9), np.float32)
        self.mix = np.ones((width, width), dtype=np.float32)

    def fit(self, mix):
        self.mix = jnp.linalg.inv(mix)

    @partial(jax.jit, static_argnums=0)
    def apply(self, x):
        return x @ (self.mix @ self.basis)


def filtered(x):
    return Filter(4)(x)


def fitted(x, mix):
    model = Fitted(4)
    model.fit(mix)
    return model.apply(x)

# %% jnp.matmul of host constants: XLA has it, and may fold it itself
import jax
import jax.numpy as jnp
import numpy as np

LEFT = np.eye(3, dtype=np.float32)
RIGHT = np.ones((3, 3), dtype=np.float32)


@jax.jit
def shift(x):
    return x + jnp.matmul(LEFT, RIGHT) + jnp.dot(LEFT, RIGHT)


shift(jnp.ones((3, 3)))

# %% matmul of the class's own: `@` is composition here
import jax
import jax.numpy as jnp


class Affine:
    def __init__(self, scale, shift):
        self.scale = scale
        self.shift = shift

    def __matmul__(self, other):
        return Affine(self.scale * other.scale, self.scale * other.shift + self.shift)

    def __call__(self, x):
        return self.scale * x + self.shift


outer = Affine(2.0, 1.0)
inner = Affine(3.0, -1.0)


@jax.jit
def apply(x):
    return (outer @ inner)(x)


apply(jnp.ones(2))

# %% host callback: the body of pure_callback is run on the host on purpose
import jax
import jax.numpy as jnp
import numpy as np


def reference(a):
    a = np.asarray(a)
    return np.asarray(a @ a.T + np.dot(a, a), dtype=np.float32)


@jax.jit
def checked(a):
    shape = jax.ShapeDtypeStruct(a.shape, a.dtype)
    return jax.pure_callback(reference, shape, a)


checked(jnp.eye(2))

# %% shape arithmetic: the dot product of a shape and strides is a number of the host
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def flat(x):
    offset = int(np.dot((1, 0), x.shape))
    return x.reshape(-1)[offset:]


flat(jnp.ones((2, 3)))

# %% test against NumPy: the reference is computed outside the trace
import jax
import jax.numpy as jnp
import numpy as np

product = jax.jit(jnp.matmul)


def check(n):
    a = np.arange(float(n * n), dtype=np.float32).reshape(n, n)
    b = np.ones((n, n), dtype=np.float32)
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-6)


check(3)

# %% data loader: a generator of NumPy batches feeds the jitted step
import jax
import jax.numpy as jnp
import numpy as np


def batches(data, mixing, n):
    for i in range(n):
        yield data[i : i + 2] @ mixing


@jax.jit
def step(total, batch):
    return total + jnp.sum(batch)


total = 0.0
for batch in batches(np.ones((6, 3)), np.eye(3), 3):
    total = step(total, batch)

# %% made in __init__: the product is kept from the trace by being made before it
import jax
import jax.numpy as jnp
import numpy as np


class Spectral:
    def __init__(self, n):
        modes = np.fft.fftfreq(n)
        self.laplacian = np.outer(modes, modes) @ np.eye(n)
        self.solve = jax.jit(lambda b: jnp.add(b, 1.0))


Spectral(4).solve(jnp.ones(4))

# %% unknown operands: parameters that nobody passes may be anything
def compose(a, b):
    return a @ b

# %% elementwise host work in jit: a NumPy table is a constant as it should be
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def encode(x):
    angles = np.outer(np.arange(x.shape[0]), np.arange(1, 4)) / 10.0
    return x[:, None] + np.sin(angles)


encode(jnp.ones(4))

# %% the method: ndarray.dot is np.dot
import jax
import jax.numpy as jnp
import numpy as np

WINDOW = np.ones((2, 3), dtype=np.float32)


@jax.jit
def energy(x):
    return x * WINDOW.dot(WINDOW.T).sum()  #! JAX506


energy(jnp.ones(2))
