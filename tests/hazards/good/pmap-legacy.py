# Written for four devices: XLA_FLAGS=--xla_force_host_platform_device_count=4
import jax
import jax.numpy as jnp

mesh = jax.make_mesh((4,), ("d",))
f = jax.jit(jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=jax.P("d"), out_specs=jax.P("d")))
x = jax.device_put(jnp.arange(4.0), jax.NamedSharding(mesh, jax.P("d")))
print(f(x))
