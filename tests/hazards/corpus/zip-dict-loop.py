import jax
import jax.numpy as jnp

@jax.jit
def f(ps, x):
    for w, b in ps: x = jnp.tanh(x @ w + b)  #! JAX712
    for k in {"a": 1}: pass
    return x
print(f([(jnp.eye(2), jnp.ones(2))], jnp.ones(2)))
