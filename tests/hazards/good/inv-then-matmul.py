import jax.numpy as jnp

print(jnp.linalg.solve(jnp.eye(2), jnp.ones(2)))
