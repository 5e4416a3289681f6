import jax

@jax.jit
def f(x):
    if isinstance(x, (tuple, list)): x = x[0]
    if isinstance(x, jax.Array): return x + 1
    return x
print(f((1.0, 2.0)), f(1.0))
