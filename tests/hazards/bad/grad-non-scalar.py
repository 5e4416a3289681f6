import jax
import jax.numpy as jnp

jax.grad(lambda x: x ** 2)(jnp.arange(3.0))
