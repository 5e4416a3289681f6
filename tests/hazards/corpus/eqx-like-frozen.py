from functools import partial

import jax

from dataclasses import dataclass
@dataclass(frozen=True)
class C:
    k: int = 2
    @partial(jax.jit, static_argnums=0)
    def f(self, x): return x * self.k
print(C()  .f(1.0), C(3).f(1.0))
