"""A module without JAX, which something else traces."""

from helpers import clipped


class Model:
    def __init__(self, limit):
        self.limit = limit

    def step(self, gradient, rate):
        if self.limit > 1:
            gradient = gradient * rate
        return clipped(gradient, self.limit)

    def describe(self, gradient):
        if gradient.sum() > self.limit:
            return "large"
        return "small"
