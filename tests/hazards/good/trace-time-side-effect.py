import jax

@jax.jit
def f(x, n):
    n = n + 1
    return x + n, n
n = 0
out = []
for _ in range(3):
    y, n = f(0.0, n); out.append(float(y))
print(out)
