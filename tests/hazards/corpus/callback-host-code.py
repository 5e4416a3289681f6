import jax
import jax.numpy as jnp
import numpy as np

def host(v):
    if v > 0: return np.float32(np.exp(float(v)))
    return np.float32(0)
print(jax.jit(lambda x: jax.pure_callback(host, jax.ShapeDtypeStruct((), jnp.float32), x))(1.0))
