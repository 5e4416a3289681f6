import jax

print(jax.devices()[0].platform)
