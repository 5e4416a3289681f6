import jax

print(jax.tree.leaves({"a": 1, "2": 3}))
