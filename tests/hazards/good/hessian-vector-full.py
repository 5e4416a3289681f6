import jax
import jax.numpy as jnp

f = lambda x: jnp.sum(x ** 3); x = jnp.ones(3)
print(jax.jvp(jax.grad(f), (x,), (jnp.ones(3),))[1])
