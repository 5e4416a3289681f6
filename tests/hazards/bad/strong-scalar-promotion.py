import jax.numpy as jnp
import numpy as np

x = jnp.ones(2, jnp.bfloat16)
print((x * 2.0).dtype, (x * np.float32(2)).dtype, (x * np.sqrt(2.0)).dtype, (x * jnp.sqrt(2.0)).dtype, (x * jnp.array(2.0)).dtype, (x / np.sqrt(64)).dtype)
