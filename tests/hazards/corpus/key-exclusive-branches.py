import jax

jax.config.update("jax_debug_key_reuse", True)
def f(flag):
    k = jax.random.key(0)  #! JAX303
    if flag: return jax.random.normal(k)
    else: return jax.random.uniform(k)
print(f(True), f(False))
