import jax

print(jax.grad(lambda x: x ** 2)(3.0))
