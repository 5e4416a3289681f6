import jax
import jax.numpy as jnp

f = jax.jit(lambda x, s: x.reshape(s), static_argnums=1); print(f(jnp.ones(4), (2, 2)).shape)
