import jax

@jax.custom_vjp
def f(x): return x * 2
f.defvjp(lambda x: (f(x), x), lambda res, g: (g * 2,))
print(jax.grad(f)(1.0))
