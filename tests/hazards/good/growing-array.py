import jax.numpy as jnp

xs = []
for i in range(5): xs.append(i)
print(jnp.array(xs))
