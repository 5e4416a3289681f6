import jax

f = lambda w, x: (w * x) ** 2
print(jax.grad(f)(2.0, 3.0))
