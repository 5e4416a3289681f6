import jax
import jax.numpy as jnp

f = jax.jit(lambda x, n: x * jnp.ones(n).sum(), static_argnums=-1); print(f(1.0, 2))
g = jax.jit(lambda x, n: x * jnp.ones(n).sum(), static_argnums=(1,)); print(g(1.0, n=2))
