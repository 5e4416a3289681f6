import jax
import jax.numpy as jnp

f = jax.vmap(lambda x, w: x * w.sum(), in_axes=(0, None))
print(f(jnp.ones(3), jnp.ones(3)))
