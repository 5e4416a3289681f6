"""raises-elsewhere A list in another module keeps a tracer: the store is the finding, its use after the step raises."""

import jax
import jax.numpy as jnp

import registry
from model import loss


@jax.jit
def step(params, x):
    grads = jax.grad(loss)(params, x)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


if __name__ == "__main__":
    registry.reset()
    step({"w": 1.0}, jnp.ones(3))
    name, value = registry.OBSERVED[0]
    print(name, jnp.mean(value))
