import jax
import jax.numpy as jnp

x = jnp.array([0.0, -200.0])
print(jax.nn.log_softmax(x), jax.nn.log_sigmoid(-200.0))
