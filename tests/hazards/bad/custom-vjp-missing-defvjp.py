import jax

@jax.custom_vjp
def f(x): return x * 2
f.defvjp(lambda x: (f(x), x), lambda res, g: g * 2)
try: jax.grad(f)(1.0)
except Exception as e: print(type(e).__name__, str(e).split(chr(10))[0][:150])
@jax.custom_vjp
def g(x): return x * 2
g(1.0)
