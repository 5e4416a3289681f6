import jax

keys = jax.random.split(jax.random.key(0), 3)
jax.random.normal(keys)
