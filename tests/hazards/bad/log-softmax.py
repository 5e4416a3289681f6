import jax
import jax.numpy as jnp

x = jnp.array([0.0, -200.0])
print(jnp.log(jax.nn.softmax(x)), jax.grad(lambda x: jnp.log(jax.nn.softmax(x))[1])(x), jnp.log(jax.nn.sigmoid(-200.0)))
