import jax

f = jax.jit(lambda x: (x, x + 1))
print(jax.block_until_ready(f(1.0)))
