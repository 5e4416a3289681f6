import jax
import jax.numpy as jnp

d = {"a": jnp.ones(2)}
print(jax.tree.map(lambda v: type(v).__name__, d.values()))
jax.jit(lambda xs: sum(xs))(v for v in [1.0, 2.0])
