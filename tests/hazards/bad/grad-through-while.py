import jax
from jax import lax

def f(x, n):
    return lax.fori_loop(0, n, lambda i, v: v * x, 1.0)
print("static bound ok:", jax.grad(lambda x: f(x, 3))(2.0), "eager grad with concrete n ok:", jax.grad(f)(2.0, 3))
jax.jit(jax.grad(f))(2.0, 3)
