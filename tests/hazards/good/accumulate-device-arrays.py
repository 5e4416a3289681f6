import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x + 1); x = jnp.zeros(1000); tot = 0.0
for _ in range(50): x = f(x)
print(len(jax.live_arrays()))
