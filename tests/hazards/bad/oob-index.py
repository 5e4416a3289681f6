import jax.numpy as jnp
from jax import lax

x = jnp.arange(4.0)
print("read", x[10], "| set", x.at[10].set(9.0), "| dyn_slice", lax.dynamic_slice(x, (3,), (3,)), "| switch", lax.switch(7, [lambda: 0, lambda: 1]))
