import jax.numpy as jnp

print(jnp.array(100000) * 100000, jnp.arange(70000).sum(), jnp.int8(127) + jnp.int8(1))
