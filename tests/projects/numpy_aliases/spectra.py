import jax.numpy as np

from backend import HAVE_JAX, onp, xnp


def window(x):
    taper = onp.hanning(x.shape[0]).astype(onp.float32)
    return np.exp(x) * taper


def normalise(x):
    if HAVE_JAX:
        return xnp.abs(x) / xnp.sum(xnp.abs(x))
    return x


def power(x):
    return onp.abs(np.fft.rfft(x)) ** 2 #! JAX106
