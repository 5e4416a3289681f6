import jax.numpy as jnp

from base import Layer


class Dense(Layer):
    def forward(self, x):
        y = self.weight * x
        if self.activation == "tanh":
            y = jnp.tanh(y)
        return y


class Gate(Layer):
    def forward(self, x):
        total = jnp.sum(self.weight)
        if total > 0: #! JAX101
            return x
        return -x
