import jax
import jax.numpy as jnp

mesh = jax.make_mesh((1,), ("d",), axis_types=(jax.sharding.AxisType.Auto,))
f = jax.jit(jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=jax.P("d"), out_specs=jax.P("d")))
print(f(jnp.arange(4.0)))
