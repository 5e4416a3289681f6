import jax
import jax.numpy as jnp

print(jax.grad(jnp.linalg.norm)(jnp.zeros(3)), jax.grad(lambda x: jnp.sqrt((x ** 2).sum()))(jnp.zeros(3)))
