import jax

print(jax.config.jax_debug_nans)
