import jax

@jax.jit
def outer(x):
    for _ in range(3): x = jax.jit(lambda v: v * 2)(x)
    return x
print(outer(1.0), outer._cache_size())
