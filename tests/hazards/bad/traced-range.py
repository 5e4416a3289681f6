import jax

@jax.jit
def power(x, n):
    y = 1.0
    for _ in range(n):  #! JAX104
        y = y * x
    return y
power(2.0, 5)
