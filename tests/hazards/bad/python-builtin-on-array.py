import time

import jax
import jax.numpy as jnp


def timed(fn):
    start = time.perf_counter()
    jax.block_until_ready(fn())
    return (time.perf_counter() - start) * 1e3


@jax.jit
def clip(x, lo):
    return max(x, lo)  #! JAX117
try: clip(2.0, 1.0)
except Exception as e: print(type(e).__name__)
g = jax.jit(lambda x: sum(x)); gj = jax.jit(lambda x: x.sum())
x = jnp.ones(200)
print("sum eqns", len(jax.make_jaxpr(lambda x: sum(x))(x).eqns), "vs", len(jax.make_jaxpr(lambda x: x.sum())(x).eqns))
a=timed(lambda: g(x)); b=timed(lambda: gj(x)); print(f"compile+run {a:.0f}ms vs {b:.0f}ms")
any(jnp.arange(3) > jnp.zeros((3,3)))
