import jax

from orbit._elements import wrap

__all__ = ["mean_anomaly"]


@jax.jit
def mean_anomaly(angle):
    return wrap(angle)
