import jax

k = jax.random.PRNGKey(0); print(k.dtype, k.shape)
