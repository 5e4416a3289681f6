import jax
import numpy as np

TABLE = {0: 1.0, 1: 2.0, 2: 4.0}


def _lookup(rate):
    key = int(rate)
    if key in TABLE:
        return np.float32(TABLE[key])
    return np.float32(0.0)


def lookup(rate):
    return jax.pure_callback(_lookup, jax.ShapeDtypeStruct((), np.float32), rate)
