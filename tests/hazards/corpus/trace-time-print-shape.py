import jax
import jax.numpy as jnp

@jax.jit
def f(x): print("tracing", x.shape, x.dtype); return x
f(jnp.ones(2))
