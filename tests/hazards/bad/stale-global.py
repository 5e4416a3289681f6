import jax
import jax.numpy as jnp

scale = 2.0
@jax.jit
def f(x):
    return x * scale  #! JAX205
print(float(f(1.0)))
scale = 5.0
print(float(f(1.0)), "expected 5.0;", float(f(jnp.ones(1))[0]), "after retrace")
