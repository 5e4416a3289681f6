import jax
import jax.numpy as jnp

@jax.jit
def selu(x): return jnp.where(x > 0, x, jnp.exp(x) - 1)
print(selu(1.0))
