import jax

import functools
def deco(f):
    @functools.wraps(f)
    def w(*a, **k): return f(*a, **k)
    return w
@jax.jit
@deco
def f(x, n=3):
    for _ in range(n): x = x + 1
    return x
print(f(1.0))
