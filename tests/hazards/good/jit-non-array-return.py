import jax

print(jax.jit(lambda x: {"loss": x})(1.0))
