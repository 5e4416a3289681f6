import jax
import jax.numpy as jnp


def under_trace(*values):
    return any(isinstance(value, jax.core.Tracer) for value in values)


def require_positive(name, value):
    if under_trace(value):
        return
    if not jnp.all(value > 0):
        raise ValueError(f"{name} must be positive, got {float(value):.2f}")


def shape_of(array):
    if array.ndim != 2:
        raise ValueError(array.shape)
    return array.shape
