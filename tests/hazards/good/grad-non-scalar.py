import jax
import jax.numpy as jnp

print(jax.grad(lambda x: (x ** 2).sum())(jnp.arange(3.0)))
