"""Losses that read what they need from self."""

from base import Trainer


class Lasso(Trainer):
    def __init__(self, w, penalty):
        self.penalty = penalty
        self.target = 3.0
        super().__init__(w)

    def loss(self, w):
        return (w - self.target) ** 2 + self.penalty * w**2  #! JAX206
