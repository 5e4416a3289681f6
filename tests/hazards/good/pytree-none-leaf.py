import jax

print(jax.tree.leaves([1, None, 2], is_leaf=lambda x: x is None))
