import jax
import jax.numpy as jnp

print(jax.nn.logsumexp(jnp.array([1000.0, 0.0])))
