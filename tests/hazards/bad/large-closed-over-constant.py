import time

import jax
import jax.numpy as jnp
import numpy as np


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


w = jnp.asarray(np.random.rand(1500, 1500).astype(np.float32)); x = jnp.ones(1500)
f = jax.jit(lambda x: w @ x); g = jax.jit(lambda w, x: w @ x)  #! JAX712
lf = f.lower(x); lg = g.lower(w, x)
cf = lf.compile(); cg = lg.compile()
print("HLO text MB", round(len(lf.as_text()) / 1e6, 2), "vs", round(len(lg.as_text()) / 1e6, 3), "| gen code bytes", cf.memory_analysis().generated_code_size_in_bytes, cg.memory_analysis().generated_code_size_in_bytes)
h = jax.jit(lambda x: (w * 2 + 1) @ x); k = jax.jit(lambda w, x: (w * 2 + 1) @ x)  #! JAX712
print(f"compile+run: closure {timed(lambda: h(x)):.0f}ms arg {timed(lambda: k(w, x)):.0f}ms")
