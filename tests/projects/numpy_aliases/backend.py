import numpy as onp

try:
    import jax.numpy as xnp
    from jax import lax as control
except ImportError:
    import numpy as xnp

    control = None

HAVE_JAX = control is not None
