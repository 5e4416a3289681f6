import jax

@jax.jit
def f(x):
    print("x =", x)  #! JAX202
    return x + 1
f(1.0); f(2.0); f(3.0)
