import jax
import jax.numpy as jnp

print(jax.jit(lambda x: jnp.where(x > 0, x, 0))(jnp.arange(3.0)), jax.jit(lambda x: jnp.unique(x, size=3, fill_value=0))(jnp.array([1, 1, 2])))
