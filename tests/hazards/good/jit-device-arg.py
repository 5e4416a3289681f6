import jax

print(jax.jit(lambda x: x)(jax.device_put(1.0, jax.devices()[0])))
