import jax

print(jax.random.key_data(jax.random.fold_in(jax.random.key(0), 1)))
