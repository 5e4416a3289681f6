import jax

f = jax.jit(lambda x: x + 1)
for v in (1.0, 2.0, 3.0): f(v)
print("cache entries:", f._cache_size())
