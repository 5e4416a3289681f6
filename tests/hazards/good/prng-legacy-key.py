import jax

k = jax.random.key(0); print(k.dtype, k.shape)
