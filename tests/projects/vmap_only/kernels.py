import jax
import jax.numpy as jnp
import numpy as np

import tables


def rbf(a, b, width):
    distance = jnp.sum((a - b) ** 2)
    if tables.THRESHOLD > 0.1:
        distance = distance / tables.resolution()
    scale = float(width) * np.sqrt(tables.GRID).max() #! JAX105
    return jnp.exp(-distance / scale)


def gram(points, width):
    row = jax.vmap(rbf, in_axes=(None, 0, None))
    return jax.vmap(row, in_axes=(0, None, None))(points, points, width)
