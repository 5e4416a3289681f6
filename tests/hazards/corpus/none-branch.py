import jax

@jax.jit
def f(x, m=None):
    if m is None: return x
    return x * m
print(f(1.0), f(1.0, 2.0), f(1.0, None))
