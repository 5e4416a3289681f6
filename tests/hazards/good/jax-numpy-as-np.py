import jax
import jax.numpy as jnp
import numpy as np

import jax.numpy as jnp, numpy as np
print(np.zeros(2), jnp.zeros(2))
