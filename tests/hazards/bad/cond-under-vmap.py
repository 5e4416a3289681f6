import time

import jax
import jax.numpy as jnp
from jax import lax


def bench(fn, n):
    fn()
    start = time.perf_counter()
    for _ in range(n):
        jax.block_until_ready(fn())
    return (time.perf_counter() - start) / n * 1e3


heavy = lambda x: lax.fori_loop(0, 20000, lambda i, v: jnp.sin(v), x)
f = lambda x: lax.cond(x > 0, heavy, lambda v: v, x)  #! JAX602
xs = -jnp.ones(4)
jx = str(jax.make_jaxpr(jax.vmap(f))(xs)); print("cond in jaxpr:", "cond[" in jx, "select_n:", "select_n" in jx)
one = jax.jit(f); vm = jax.jit(jax.vmap(f)); mp = jax.jit(lambda xs: lax.map(f, xs))
print(f"single(cheap branch) {bench(lambda: one(xs[0]), 10):.3f}ms vmap4 {bench(lambda: vm(xs), 5):.3f}ms lax.map4 {bench(lambda: mp(xs), 10):.3f}ms")
