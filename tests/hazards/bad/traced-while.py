import jax

@jax.jit
def halve(x):
    while x > 1.0:  #! JAX102
        x = x / 2
    return x
halve(9.0)
