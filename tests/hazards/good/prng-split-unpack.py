import jax

k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
print(k3.shape)
