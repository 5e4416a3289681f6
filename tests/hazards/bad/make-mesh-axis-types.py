import jax
import jax.numpy as jnp

mesh = jax.make_mesh((1,), ("d",)); print(mesh.axis_types)
f = jax.jit(jax.shard_map(lambda x: x * 2, mesh=mesh, in_specs=jax.P("d"), out_specs=jax.P("d")))
f(jnp.arange(4.0))
