from functools import partial

import jax
import jax.numpy as jnp

def f(flag, x): return x if flag else -x
print(jax.jit(partial(f, True))(1.0), jax.vmap(partial(f, False))(jnp.ones(2)))
