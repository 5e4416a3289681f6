import jax

class M:
    def __init__(self, s):
        self.s = s
        self._f = jax.jit(lambda x, s: x * s)
    def f(self, x): return self._f(x, self.s)
m = M(2.0); print(float(m.f(1.0))); m.s = 5.0; print(float(m.f(1.0)))
