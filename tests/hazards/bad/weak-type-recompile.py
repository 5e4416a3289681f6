import jax
import jax.numpy as jnp
import numpy as np

f = jax.jit(lambda x: x + 1)
for v in (1, 1.0, np.float32(1), jnp.float32(1), np.float64(1), True, jnp.ones(()), jnp.ones((), jnp.int32)): f(v)
print("cache entries:", f._cache_size())
