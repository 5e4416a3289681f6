"""The method draws with the key that its object holds, and never replaces it."""

import jax


class Agent:
    def __init__(self, key):
        self.key = key

    def act(self, x):
        return x + jax.random.normal(self.key)

    def play(self, steps):
        x = 0.0
        for _ in range(steps):
            x = self.act(x)  #! JAX302
        return x
