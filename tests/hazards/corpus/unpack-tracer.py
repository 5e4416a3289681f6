import jax
import jax.numpy as jnp

print(jax.jit(lambda x: (lambda a, b: a * b)(*x))(jnp.array([2.0, 3.0])))
