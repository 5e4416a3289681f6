import time

import jax
import jax.numpy as jnp

t = time.perf_counter(); EPS = jnp.zeros(()); t1 = time.perf_counter() - t
print(f"first jnp call {t1*1e3:.0f}ms")
try: jax.config.update("jax_num_cpu_devices", 4)
except Exception as e: print(type(e).__name__, str(e)[:120])
jax.distributed.initialize("localhost:1234", 1, 0)
