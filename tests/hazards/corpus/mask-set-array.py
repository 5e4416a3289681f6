import jax
import jax.numpy as jnp

try: print(jax.jit(lambda x: x.at[x > 1].set(jnp.ones(2)))(jnp.arange(4.0)))
except Exception as e: print("raises:", type(e).__name__)
