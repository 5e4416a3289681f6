import jax
import jax.numpy as jnp
import numpy as np

calls = []
@jax.jit
def f(x):
    jax.pure_callback(lambda v: (calls.append(1), np.float32(v))[1], jax.ShapeDtypeStruct((), jnp.float32), x)
    return x
f(1.0); f(2.0); jax.effects_barrier(); print("pure_callback calls:", len(calls))
from jax.experimental import io_callback
@jax.jit
def g(x):
    io_callback(lambda v: calls.append(2), None, x); return x
g(1.0); g(2.0); jax.effects_barrier(); print("after io_callback:", len(calls))
