import jax

f = jax.jit(lambda x: (x, x + 1))
f(1.0).block_until_ready()
