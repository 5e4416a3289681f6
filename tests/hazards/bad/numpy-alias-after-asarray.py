import jax
import jax.numpy as jnp
import numpy as np

def aligned(n):
    raw = np.zeros(n + 16, np.float32); off = (-raw.ctypes.data % 64)//4
    return raw[off:off+n]
h = aligned(1024)
x = jnp.asarray(h); y = jax.device_put(h); z = jnp.array(h)
h[0] = 7.0
print("asarray", float(x[0]), "device_put", float(y[0]), "jnp.array", float(z[0]), "(all should be 0)")
