import jax

jax.jit(lambda x: {"loss": x, "name": "mse"})(1.0)
