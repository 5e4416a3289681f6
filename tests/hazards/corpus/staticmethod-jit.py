from functools import partial

import jax

class A:
    @staticmethod
    @jax.jit
    def f(x): return x + 1
    @classmethod
    @partial(jax.jit, static_argnums=0)
    def g(cls, x): return x + 2
print(A.f(1.0), A().f(1.0), A.g(1.0))
