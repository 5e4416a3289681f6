import jax

jax.config.update("jax_debug_key_reuse", True)
key = jax.random.key(0)
ka, kb = jax.random.split(key)
print(jax.random.normal(ka, (2,)), jax.random.normal(kb, (2,)))
