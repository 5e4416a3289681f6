import jax

print(jax.grad(lambda x: x ** 2 if x > 0 else -x)(3.0))
