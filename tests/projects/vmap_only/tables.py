import jax.numpy as jnp

THRESHOLD = jnp.float32(0.25)
GRID = jnp.linspace(0.0, 1.0, 4)


def resolution():
    return float(GRID[1] - GRID[0])
