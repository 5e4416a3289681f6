import jax

@jax.jit
def f(x, scale):
    return x * scale
print(float(f(1.0, 2.0)), float(f(1.0, 5.0)))
