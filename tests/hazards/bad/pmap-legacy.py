# Written for four devices: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp

f = jax.pmap(lambda x: x * 2); x = jnp.arange(4.0)
print(f(x), type(f(x).sharding).__name__)
jax.pmap(lambda x: x)(jnp.arange(8.0))
