import jax

class M:
    def __init__(self, s):
        self.s = s
        self.f = jax.jit(lambda x: x * self.s)  #! JAX206
m = M(2.0); print(float(m.f(1.0))); m.s = 5.0; print(float(m.f(1.0)), "expected 5.0")
