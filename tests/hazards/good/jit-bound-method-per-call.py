import jax

n = [0]
class M:
    def __init__(self): self.step = jax.jit(self._step)
    def _step(self, x): n[0] += 1; return x * 2  #! JAX201
m = M(); [m.step(1.0) for _ in range(5)]; print(n[0])
