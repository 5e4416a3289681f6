import jax

from make import make, use

print(use(make(jax.random.key(1))), use(make(jax.random.key(2))))
