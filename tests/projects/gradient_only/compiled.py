import jax

import losses

slope = jax.jit(jax.grad(losses.ridge))
slope_of_stiff = jax.jit(jax.grad(losses.stiff))


def fit(w):
    for _ in range(2):
        w = w - 0.1 * slope(w)
    return slope_of_stiff(w + 2)
