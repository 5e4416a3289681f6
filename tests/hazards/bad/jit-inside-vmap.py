import time

import jax
import jax.numpy as jnp


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


f = lambda x: jnp.sin(x) * 2 + jnp.cos(x)
x = jnp.ones((64, 16)); a = jax.vmap(jax.jit(f)); b = jax.jit(jax.vmap(f));  #! JAX601
print(f"dispatch vmap(jit) {bench(lambda: a(x), 100)*1e3:.0f}us jit(vmap) {bench(lambda: b(x), 100)*1e3:.0f}us; compiled HLO identical: {str(jax.make_jaxpr(a)(x)).count('sin') == str(jax.make_jaxpr(b)(x)).count('sin')}")
