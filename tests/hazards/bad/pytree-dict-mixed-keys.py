import jax

jax.tree.leaves({"a": 1, 2: 3})
