# %% a value or another one, which goes on
import jax
import jax.numpy as jnp


@jax.jit
def first(x, y):
    return x or y


assert first(3.0, 2.0) == 3.0 and first(0.0, 2.0) == 2.0


# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def first(x, y):
    return jnp.where(x, x, y)


assert first(3.0, 2.0) == 3.0 and first(0.0, 2.0) == 2.0

# %% a value, if another one is true
import jax
import jax.numpy as jnp


@jax.jit
def second(x, y):
    chosen = x and y + 1
    return chosen


assert second(3.0, 2.0) == 3.0 and second(0.0, 2.0) == 0.0


# %% ->
import jax
import jax.numpy as jnp


@jax.jit
def second(x, y):
    chosen = jnp.where(x, y + 1, x)
    return chosen


assert second(3.0, 2.0) == 3.0 and second(0.0, 2.0) == 0.0

# %% what is computed would be computed twice
import jax
import jax.numpy as jnp


@jax.jit
def either(x, y):
    return jnp.cos(x) or y
