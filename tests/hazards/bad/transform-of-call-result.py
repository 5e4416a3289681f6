import jax
import jax.numpy as jnp

f = lambda x: x * 2.0
try: jax.vmap(f, jnp.ones(3))
except Exception as e: print(type(e).__name__, str(e).split(chr(10))[0][:160])
try: jax.jit(f, 1.0)
except Exception as e: print(type(e).__name__, str(e)[:160])
jax.grad(f(1.0))
