import jax
import jax.numpy as jnp

print(jax.jit(lambda x: x / jnp.array(x.shape) + jnp.sqrt(x.shape[-1]))(jnp.ones(1)))
