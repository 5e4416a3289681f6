import jax.numpy as jnp


def newton(function, x, steps):
    for _ in range(steps):
        x = x - function(x)
    return x


def newton_static(function, x, steps):
    for _ in range(steps): #! JAX104
        x = x - function(x)
    return x


def residual(x):
    return 0.1 * jnp.sin(x)
