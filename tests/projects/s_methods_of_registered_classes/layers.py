"""Jitted methods: of pytrees by base class and by decorator, and of a plain class."""

import jax

from tree import Node, record


class Scale(Node):
    def __init__(self, k):
        self.k = k

    @jax.jit
    def __call__(self, x):
        return self.k * x


@record
class Affine:
    a: float
    b: float

    @jax.jit
    def __call__(self, x):
        return self.a * x + self.b


class Plain:
    def __init__(self, k):
        self.k = k

    @jax.jit  #! JAX405
    def __call__(self, x):
        return self.k * x
