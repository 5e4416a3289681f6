import jax.numpy as jnp

memo = {}
x = jnp.float32(2.0)
memo[float(x)] = 1
print(memo)
