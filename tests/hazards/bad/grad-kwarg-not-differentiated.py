import jax

f = lambda w, x: (w * x) ** 2
print("w by position, x by kw:", jax.grad(f)(2.0, x=3.0))
jax.grad(f)(w=2.0, x=3.0)
