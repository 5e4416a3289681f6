import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.zeros(3)); r[0] = 1.0; print(jnp.sin(r[...]))
