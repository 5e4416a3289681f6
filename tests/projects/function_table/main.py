"""A table of functions in another module: what reaches the transform is traced, the rest is not."""

import jax
import jax.numpy as jnp

from registry import DEVICE_OPS, HOST_OPS, get

x = jnp.arange(3.0)
for name in ("min", "any"):
    HOST_OPS[name](x)
jax.jit(get("scale"))(x)
compiled = {name: jax.jit(function) for name, function in DEVICE_OPS.items()}
compiled["scale"](x)
compiled["span"](x)
