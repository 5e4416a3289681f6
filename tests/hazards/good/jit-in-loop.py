import jax
import jax.numpy as jnp

h = jax.jit(lambda v: jnp.sin(v) * 2)
for _ in range(3): h(1.0)
print(h._cache_size())
