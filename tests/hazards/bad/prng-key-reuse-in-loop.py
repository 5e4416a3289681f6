import jax

key = jax.random.key(0)
print([round(float(jax.random.normal(key)), 3) for _ in range(3)])  #! JAX302
