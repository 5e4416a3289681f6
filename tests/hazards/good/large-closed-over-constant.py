import jax
import jax.numpy as jnp

g = jax.jit(lambda w, x: w @ x)  #! JAX712
print(g(jnp.ones((2, 2)), jnp.ones(2)))
