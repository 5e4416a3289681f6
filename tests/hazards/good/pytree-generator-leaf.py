import jax
import jax.numpy as jnp

d = {"a": jnp.ones(2)}
print(jax.tree.map(lambda v: v.shape, list(d.values())))
