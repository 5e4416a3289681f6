import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    out = []
    for i in range(3): out.append(x * i)
    return jnp.stack(out)
print(f(1.0))
