from functools import partial

import jax

from dataclasses import dataclass
@dataclass(frozen=True)
class Cfg:
    k: int
    @partial(jax.jit, static_argnums=0)
    def f(self, x): return x * self.k
for _ in range(5): Cfg(3).f(1.0)
print("cache entries", Cfg.f._cache_size())
