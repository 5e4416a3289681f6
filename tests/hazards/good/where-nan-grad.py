import jax
import jax.numpy as jnp

def f(x):
    safe = jnp.where(x > 0, x, 1.0)
    return jnp.where(x > 0, jnp.sqrt(safe), 0.0)
print(f(0.0), jax.grad(f)(0.0))
