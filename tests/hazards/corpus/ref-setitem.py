import jax
import jax.numpy as jnp

r = jax.new_ref(jnp.zeros(3)); r[0] = 1.0; r[1:] += 2.0; print(r[...])
