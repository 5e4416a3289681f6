import jax.numpy as jnp
from jax import lax

try: lax.fori_loop(0, 3, lambda v: v + 1, 0)
except Exception as e: print(type(e).__name__, str(e)[:90])
lax.scan(lambda c, x: c + x, 0.0, jnp.arange(3.0))
