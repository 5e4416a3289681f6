import jax
import jax.numpy as jnp

g = lambda x, w: x * w.sum()
x = jnp.ones(3); w = jnp.ones(3)
print("positional in_axes=(0,None)", jax.vmap(g, in_axes=(0, None))(x, w), "| keyword in_axes=(0,)", jax.vmap(g, in_axes=(0,))(x, w=w))
jax.vmap(g, in_axes=(0, None))(x, w=w)
