import jax

key = jax.random.key(0)
a = jax.random.normal(key, (2,)); b = jax.random.normal(key, (2,))  #! JAX301
print(a, b, "identical:", bool((a == b).all()))
k1, k2 = jax.random.split(key)  #! JAX308
print("parent reused after split:", jax.random.bits(key), jax.random.key_data(k1)[0])  #! JAX301
jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(1)
print(jax.random.normal(key), jax.random.normal(key))  #! JAX301
