from functools import partial

import jax
import jax.numpy as jnp

@partial(jax.jit, static_argnames="shape")
def z(x, shape): return x.reshape(shape)
z(jnp.ones(6), shape=[2, 3])  #! JAX402
