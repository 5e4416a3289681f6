import jax

jax.config.update("jax_debug_key_reuse", True)
k = jax.random.key(0); print([round(float(jax.random.normal(jax.random.fold_in(k, i))), 2) for i in range(2)])
