import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x * 1.01); x = jnp.float32(1.0)
for i in range(10):
    x = f(x)
    if i % 10 == 9: print(round(float(x), 3))
