import jax
import jax.numpy as jnp
import numpy as np

print(jax.jit(lambda x: x.at[x > 1].set(0.0))(jnp.arange(4.0)), jax.jit(lambda x: x[np.array([True, False, True, False])])(jnp.arange(4.0)))  #! JAX111
