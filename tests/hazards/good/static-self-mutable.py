from functools import partial

import jax

from dataclasses import dataclass
@dataclass(frozen=True)
class Cfg:
    k: int
    @partial(jax.jit, static_argnums=0)
    def f(self): return self.k
import dataclasses
c = Cfg(10); print(c.f()); c = dataclasses.replace(c, k=9); print(c.f())
