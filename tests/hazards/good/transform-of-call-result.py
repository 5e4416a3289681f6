import jax
import jax.numpy as jnp

f = lambda x: x * 2.0
print(jax.jit(f)(1.0), jax.grad(f)(1.0), jax.vmap(f)(jnp.ones(3)))
