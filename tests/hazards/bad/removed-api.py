import jax
import jax.numpy as jnp

for e in ("jax.tree_map", "jnp.product", "jax.core.Primitive", "jax.device_put_replicated", "jnp.DeviceArray", "jax.xla_computation", "jax.abstract_arrays"):
    try: eval(e); print(e, "ok")
    except AttributeError as x: print(str(x)[:110])
from jax.config import config  #! JAX901
