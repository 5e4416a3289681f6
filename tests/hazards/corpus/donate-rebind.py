import jax
import jax.numpy as jnp

f = jax.jit(lambda s: s + 1, donate_argnums=0)
s = jnp.ones(2)
for _ in range(3): s = f(s)
print(s)
