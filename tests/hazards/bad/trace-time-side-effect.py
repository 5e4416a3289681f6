import jax
from jax import lax

class Counter:
    n = 0
c = Counter()
@jax.jit
def f(x):
    c.n += 1  #! JAX201
    return x + c.n
print([float(f(0.0)) for _ in range(3)], "c.n =", c.n)
it = iter(range(10))
g = lambda x: lax.fori_loop(0, 5, lambda i, v: v + next(it), x)  #! JAX201
print("fori with iterator:", float(g(0)), "(sum 0..4 would be 10)")
