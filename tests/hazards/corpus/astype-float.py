import jax
import jax.numpy as jnp

print(jax.jit(lambda x: x.astype(float) + jnp.float32(x) + jnp.asarray(x, int))(jnp.ones(2)))
