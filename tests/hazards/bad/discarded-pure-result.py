import jax.numpy as jnp

x = jnp.zeros(3)
x.at[0].set(1.0)  #! JAX502
y = jnp.array([3, 1, 2]); y.sort()  #! JAX502
print(x, y)
