import jax
import jax.numpy as jnp

params = {"w": jnp.zeros((2, 3))}
print(jax.tree.map(jnp.ones_like, params)["w"].shape)
