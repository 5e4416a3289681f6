import jax

jax.devices("gpu")[0]
