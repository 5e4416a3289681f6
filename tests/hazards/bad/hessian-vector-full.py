import time

import jax
import jax.numpy as jnp


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


n = 400
f = lambda x: jnp.sum(jnp.tanh(x) ** 3); x = jnp.ones(n); v = jnp.ones(n)
a = jax.jit(lambda x, v: jax.hessian(f)(x) @ v); b = jax.jit(lambda x, v: jax.jvp(jax.grad(f), (x,), (v,))[1])  #! JAX712
ma = a.lower(x, v).compile().memory_analysis(); mb = b.lower(x, v).compile().memory_analysis()
print(f"full {bench(lambda: a(x, v), 8):.3f}ms tmp {ma.temp_size_in_bytes} | hvp {bench(lambda: b(x, v), 8):.3f}ms tmp {mb.temp_size_in_bytes}")
