import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    assert x.ndim == 1, f"bad shape {x.shape} {x!r}"
    return x
print(f(jnp.ones(2)))
