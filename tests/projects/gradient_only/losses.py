import jax.numpy as jnp


def piecewise(w):
    return jnp.sum(w**2) if w.sum() > 1 else jnp.sum(jnp.abs(w))


def sparse(w):
    keep = w > 1
    return jnp.sum(w[keep]) + int(w[0]) * w[1]


def ridge(w, penalty=None):
    value = jnp.sum(w**2)
    if penalty:
        value = value + penalty * value
    return jnp.where(value > 1, value, 0.0)


def stiff(w):
    while jnp.max(w) > 1: #! JAX102
        w = w / 2
    return jnp.sum(w)
