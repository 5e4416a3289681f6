import jax

print(jax.value_and_grad(lambda x: x ** 2)(3.0))
