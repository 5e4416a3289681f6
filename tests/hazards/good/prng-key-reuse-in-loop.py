import jax

key = jax.random.key(0)
print([round(float(jax.random.normal(jax.random.fold_in(key, i))), 3) for i in range(3)])
