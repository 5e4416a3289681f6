import jax
import jax.numpy as jnp

print(jax.jit(jax.vmap(jnp.sin))(jnp.zeros(3)))
