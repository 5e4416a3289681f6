from functools import partial

import jax

class Cfg:
    def __init__(self, k): self.k = k
    @partial(jax.jit, static_argnums=0)
    def f(self, x): return x * self.k
import weakref, gc
refs=[]
for _ in range(5):
    c = Cfg(3); c.f(1.0); refs.append(weakref.ref(c))
del c; gc.collect()
print("cache entries", Cfg.f._cache_size(), "instances alive", sum(r() is not None for r in refs))
