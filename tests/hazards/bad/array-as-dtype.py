import jax.numpy as jnp

x = jnp.ones(2); y = jnp.arange(2)
x.astype(y)  #! JAX502
