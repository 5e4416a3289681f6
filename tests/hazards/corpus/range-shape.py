import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    for i in range(x.shape[0]): x = x.at[i].add(i)
    return x
print(f(jnp.ones(3)))
