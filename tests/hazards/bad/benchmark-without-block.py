import time

import jax
import jax.numpy as jnp

x = jnp.ones((1200, 1200)); f = jax.jit(lambda x: x @ x @ x); f(x).block_until_ready()  #! JAX712
t = time.perf_counter(); y = f(x); a = time.perf_counter() - t; y.block_until_ready()
t = time.perf_counter(); f(x).block_until_ready(); b = time.perf_counter() - t
print(f"without block {a*1e3:.2f}ms with {b*1e3:.2f}ms ratio {b/a:.0f}x")
