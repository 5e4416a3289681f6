import jax
import jax.numpy as jnp
from jax import lax

ste = lambda x: x + lax.stop_gradient(jnp.round(x) - x)
print(jax.grad(lambda x: ste(x) * 2.0)(1.3))
