import jax

n = [0]
class M:
    def g(self, x): n[0] += 1; return x * 2  #! JAX201
    def call(self, x): return jax.jit(self.g)(x)  #! JAX404
m = M(); [m.call(1.0) for _ in range(5)]; print("bound method traces", n[0]); n[0] = 0
def f(x): n[0] += 1; return x * x  #! JAX201
[jax.jit(jax.grad(f))(1.0) for _ in range(5)]; print("jit(grad(f)) traces", n[0]); n[0] = 0  #! JAX403
[jax.grad(jax.jit(f))(1.0) for _ in range(5)]; print("grad(jit(f)) traces", n[0]); n[0] = 0
[jax.jit(f)(1.0) for _ in range(5)]; print("jit(def) traces", n[0])
