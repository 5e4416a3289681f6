import jax

keys = jax.random.split(jax.random.key(0), 3)
print(jax.vmap(jax.random.normal)(keys))
