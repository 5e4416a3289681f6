import jax.numpy as jnp

acc = jnp.empty(3)
print("0.10.2:", acc.at[0].add(1.0), "(uninitialised on >=0.11.0)")
