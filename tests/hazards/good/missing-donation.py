import jax
import jax.numpy as jnp

g = jax.jit(lambda s: s * 0.9 + 1, donate_argnums=0)
s = jnp.ones(3); s = g(s); print(s)
