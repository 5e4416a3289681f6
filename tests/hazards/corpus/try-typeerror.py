import jax.numpy as jnp

try: jnp.sum([1])
except TypeError: print("TypeError does raise")
try: jnp.ones(2) + jnp.ones(3)
except (TypeError, ValueError) as e: print("shape error raises", type(e).__name__)
