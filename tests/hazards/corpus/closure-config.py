import jax

def make(flag, n):
    @jax.jit
    def f(x):
        if flag: x = x + n
        return x
    return f
print(make(True, 2)(1.0))
