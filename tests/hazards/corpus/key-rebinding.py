import jax

jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
for i in range(3):
    key, sub = jax.random.split(key); jax.random.normal(sub)
key, *ks = jax.random.split(key, 4); [jax.random.normal(k) for k in ks]
print("ok")
