# %% two arrays of jnp: eager code
import jax.numpy as jnp

a = jnp.ones((2, 3))
b = jnp.ones((3, 4))
c = a @ b  #! JAX712


# %% dense layer in jit: parameters of a jitted function, shown by the call
import jax
import jax.numpy as jnp


@jax.jit
def dense(weight, bias, x):
    return x @ weight + bias  #! JAX712


dense(jnp.ones((3, 2)), jnp.zeros(2), jnp.ones((5, 3)))


# %% known by arithmetic: both sides went through jnp first
import jax
import jax.numpy as jnp


@jax.jit
def gram(x):
    centred = jnp.asarray(x) - jnp.mean(x, axis=0)
    return centred.T @ centred / x.shape[0]  #! JAX712


gram(jnp.ones((4, 2)))


# %% in a lambda under vmap: rows of mapped arrays
import jax
import jax.numpy as jnp

quadratic = jax.vmap(lambda v, m: jnp.sin(v) @ jnp.exp(m))  #! JAX712
quadratic(jnp.ones((5, 3)), jnp.ones((5, 3, 3)))


# %% through a helper: attention scores from two projections
import jax
import jax.numpy as jnp


def scores(query, key):
    return query @ jnp.swapaxes(key, -1, -2)  #! JAX712


@jax.jit
def attend(q, k, v):
    weights = jax.nn.softmax(scores(q * 0.5, k * 1.0), axis=-1)
    return jnp.einsum("ij,jk->ik", weights, v)


attend(jnp.ones((3, 2)), jnp.ones((3, 2)), jnp.ones((3, 2)))


# %% attributes of self: both are arrays that __init__ made
import jax
import jax.numpy as jnp


class Linear:
    def __init__(self, key, n):
        self.weight = jax.random.normal(key, (n, n))
        self.offset = jnp.zeros(n)

    def __call__(self):
        return self.weight @ self.offset  #! JAX712


Linear(jax.random.key(0), 3)()


# %% a scan body: carry and constant are both of jnp
import jax
import jax.numpy as jnp

TRANSITION = jnp.eye(2) * 0.9


def advance(state, _):
    state = TRANSITION @ state  #! JAX712
    return state, state


jax.lax.scan(advance, jnp.ones(2), None, length=3)


# %% results of linalg: a factor and an array
import jax.numpy as jnp

covariance = jnp.eye(3) * 2.0
factor = jnp.linalg.cholesky(covariance)
sample = factor @ jnp.ones(3)  #! JAX712


# %% in a comprehension: each product is of two arrays
import jax.numpy as jnp

blocks = [jnp.eye(2), jnp.ones((2, 2))]
products = [block @ jnp.ones(2) for block in blocks]  #! JAX712


# %% jnp.matmul and jnp.dot: what the house style wants
import jax
import jax.numpy as jnp


@jax.jit
def dense(weight, x):
    return jnp.matmul(x, weight) + jnp.dot(x, weight) + jnp.einsum("i,ij->j", x, weight)


dense(jnp.ones((3, 2)), jnp.ones(3))


# %% NumPy arrays: on the host the operator is NumPy's
import numpy as np

a = np.ones((2, 3))
b = np.ones((3, 4))
c = a @ b
d = np.random.default_rng(0).normal(size=(3, 3)) @ b


# %% copied to the host: np.asarray of a JAX array is NumPy's
import jax.numpy as jnp
import numpy as np

left = np.asarray(jnp.ones((2, 2)))
right = np.array(jnp.eye(2))
product = left @ right


# %% a class with __matmul__: composition of operators
import jax.numpy as jnp


class Operator:
    def __init__(self, apply):
        self.apply = apply

    def __matmul__(self, other):
        if isinstance(other, Operator):
            return Operator(lambda x: self.apply(other.apply(x)))
        return self.apply(other)


double = Operator(lambda x: 2.0 * x)
shift = Operator(lambda x: x + 1.0)
y = (double @ shift) @ jnp.ones(3)


# %% reflected operator: the class on the right decides
import jax.numpy as jnp


class Projector:
    def __init__(self, keep):
        self.keep = keep

    def __rmatmul__(self, x):
        return x[..., : self.keep]


y = jnp.ones((2, 3)) @ Projector(1)


# %% pytree class with __matmul__ through jit: a traced parameter need not be an array
from dataclasses import dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Diagonal:
    entries: jax.Array

    def __matmul__(self, x):
        return self.entries * x


@jax.jit
def apply(matrix, x):
    return matrix @ x


apply(Diagonal(jnp.ones(3)), jnp.arange(3.0))


# %% helper given an object: the left operand is the caller's own class
import jax.numpy as jnp


class Identity:
    def __matmul__(self, x):
        return x


def solve(preconditioner, r):
    return preconditioner @ r


solve(Identity(), jnp.ones(2))


# %% the function operator.matmul: a call, not the operator
import operator

import jax.numpy as jnp

c = operator.matmul(jnp.ones((2, 2)), jnp.ones(2))


# %% decorator sign: an at sign before a def multiplies nothing
import functools

import jax


@functools.partial(jax.jit, static_argnames="n")
def repeat(x, n):
    return x * n


repeat(2.0, n=3)


# %% path of one's own: the at of an .at update is an attribute
import jax.numpy as jnp

x = jnp.zeros(3)
x = x.at[0].set(1.0)
email = "someone" + "@" + "example.org"


# %% elementwise star: products that are no matrix products
import jax.numpy as jnp

a = jnp.ones((2, 2))
b = a * a
c = (a[:, :, None] * a[None]).sum(1)


# %% unknown operands: nothing says what they are
def project(basis, vector):
    return basis @ vector


# %% annotated but unknown class: the annotation is another library's
from typing import Any


def chain(first: Any, second: Any) -> Any:
    return first @ second


# %% augmented: `@=` is the operator too
import jax.numpy as jnp

transform = jnp.eye(2)
transform @= jnp.ones((2, 2))  #! JAX712


# %% a Hessian times a vector: the Hessian of a function of one array is an array
import jax
import jax.numpy as jnp


def energy(x):
    return jnp.sum(jnp.cos(x))


@jax.jit
def curvature(x, v):
    return jax.hessian(energy)(x) @ v  #! JAX712


curvature(jnp.ones(3), jnp.ones(3))
