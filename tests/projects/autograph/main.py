"""What AutoGraph is handed does not run as it is written; what it is not handed does."""

import jax
import jax.numpy as jnp
from convert import converted


def first_is_one():
    x = jnp.zeros(3)
    x[0] = 1.0
    return x


def last_is_one():
    x = jnp.zeros(3)
    x[-1] = 1.0  #! JAX501
    return x


def run():
    def local():
        x = jnp.zeros(3)
        x[0] = 1.0
        return x

    return jax.make_jaxpr(converted(local))()


run()
jax.jit(converted(first_is_one))()
last_is_one()
