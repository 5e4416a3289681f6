import jax
import jax.numpy as jnp

import os
os.environ["JAX_ENABLE_X64"] = "1"
print("env after import:", jnp.ones(2).dtype)
x = jnp.ones(2); jax.config.update("jax_enable_x64", True); print("old", x.dtype, "new", jnp.ones(2).dtype)
jax.config.update("jax_platforms", "tpu"); print("platform still", jax.devices()[0].platform)
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"; print("devices", len(jax.devices()))
