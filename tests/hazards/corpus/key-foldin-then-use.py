import jax

jax.config.update("jax_debug_key_reuse", True)
k = jax.random.key(0); a = jax.random.fold_in(k, 1)
try: jax.random.normal(k); print("fold_in then consume: allowed")
except Exception as e: print("fold_in then consume:", type(e).__name__)
