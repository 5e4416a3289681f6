import jax
import jax.numpy as jnp

@jax.jit
def act(x, kind):
    return jnp.tanh(x) if kind == "tanh" else x
act(1.0, "tanh")
