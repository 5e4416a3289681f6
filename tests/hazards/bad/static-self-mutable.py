from functools import partial

import jax

class Cfg:
    def __init__(self, k): self.k = k
    @partial(jax.jit, static_argnums=0)
    def f(self): return self.k  #! JAX401
c = Cfg(10); print(c.f()); c.k = 9; print(c.f(), "expected 9")
