import jax
import jax.numpy as jnp

params = {"w": jnp.zeros((2, 3))}
shapes = jax.tree.map(lambda x: x.shape, params)
print(jax.tree.map(jnp.ones, shapes))
