import jax

f = jax.jit(lambda x: x); f(1.0); print(f._cache_size())
