import jax
import jax.numpy as jnp

y = jnp.arange(4.0)[:, None]; p = jnp.arange(4.0)
print("mse with wrong shape", ((y - p) ** 2).mean(), (y - p).shape)
jax.config.update("jax_numpy_rank_promotion", "raise"); y - p
