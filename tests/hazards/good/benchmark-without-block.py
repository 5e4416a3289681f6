import time

import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x @ x); x = jnp.ones((10, 10))  #! JAX712
t = time.perf_counter(); jax.block_until_ready(f(x)); print(time.perf_counter() - t > 0)
