import jax.numpy as jnp
import numpy as np

print(jnp.ones(2, dtype=jnp.float64).dtype, jnp.asarray(np.arange(3.0)).dtype, jnp.array(2**31 - 1) + 1)
jnp.zeros(1).astype("float64")
