import jax.numpy as jnp
import env

state = env.call(jnp.sin, jnp.ones(3))
