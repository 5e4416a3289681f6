import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x + 1); keep = []
x = jnp.zeros(1000)
n0 = len(jax.live_arrays())
for _ in range(50): x = f(x); keep.append(x)
print("live arrays grew by", len(jax.live_arrays()) - n0, "MB", sum(a.nbytes for a in jax.live_arrays()) / 1e6)
