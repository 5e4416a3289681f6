import jax

@jax.jit
def noisy(key, x):
    return x + jax.random.uniform(key)
print([round(float(noisy(k, 0.0)),3) for k in jax.random.split(jax.random.key(0), 3)])
