import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.zeros(3)); r[0] = 1.0; print(r[...])
try: jnp.sin(r)
except Exception as e: print(type(e).__name__, str(e).split(chr(10))[0][:120])
jax.jit(lambda a, b: a[...] + b[...])(r, r)
