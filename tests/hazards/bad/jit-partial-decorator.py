from functools import partial

import jax

@partial(jax.jit, static_argnames="n")
def f(x, n): return x * n
print(f(2.0, n=2))
