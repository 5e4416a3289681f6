from functools import partial

import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames=("axis",))
def f(x, axis): return x.sum(axis)
print(f(jnp.ones((2, 3)), axis=0))
